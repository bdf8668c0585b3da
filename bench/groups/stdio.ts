/** Calls over stdio: one after the other, all at once, and 64 at a time. */

import type { Bench } from "../harness/group.ts";
import { reason } from "../harness/http_table.ts";
import {
  initializedMessage,
  initializeMessage,
  legacyEcho,
  modernEcho,
} from "../harness/messages.ts";
import { benchPath } from "../harness/paths.ts";
import { interleave } from "../harness/plan.ts";
import { cpuSeconds } from "../harness/process_usage.ts";
import { type StdioCommand, StdioProcess } from "../harness/stdio_process.ts";
import type { Row, RowKind, Table } from "../harness/table.ts";
import { checkEcho, type Result, WrongAnswer } from "../harness/verify.ts";

type Era = "modern" | "2025 era";

interface Contender {
  name: string;
  kind: RowKind;
  era: Era;
  command: StdioCommand;
}

interface Runner {
  server: StdioProcess;
  lines: Uint8Array[];
  sequential: Row;
  pipelined: Row;
  concurrent: Row;
}

const IN_FLIGHT = 64;
const CHECKED = 200;

/** Turns a sample, where one is over so soon that the CPU clock hardly ticks. */
const TURNS = 4;
/** Turns ahead of the first sample: what is called rarely is compiled later. */
const WARM_TURNS = 10;
const encoder = new TextEncoder();

function contender(
  name: string,
  kind: RowKind,
  era: Era,
  entry: string,
  args: string[] = [],
  env?: Record<string, string>,
): Contender {
  const command: StdioCommand = env === undefined
    ? { entry, args }
    : { entry, args, env };
  return {
    name: kind === "bare" ? name : `${name}, ${era}`,
    kind,
    era,
    command,
  };
}

function contenders(parleyServer: string): Contender[] {
  const tsCore = { MCP_TRANSPORT_TYPE: "stdio", MCP_LOG_LEVEL: "error" };
  const parley = ["../stdio.ts", [parleyServer]] as const;
  return [
    contender("bare stdio", "bare", "modern", "servers/bare_stdio.ts"),
    contender("Parley", "parley", "modern", parley[0], [...parley[1]]),
    contender("Parley", "parley", "2025 era", parley[0], [...parley[1]]),
    contender("SDK v2 2.4.0", "peer", "modern", "peers/sdk_v2_stdio.ts"),
    contender("SDK v2 2.4.0", "peer", "2025 era", "peers/sdk_v2_stdio.ts"),
    contender("tmcp 1.20.0", "peer", "modern", "peers/tmcp_stdio.ts"),
    contender("tmcp 1.20.0", "peer", "2025 era", "peers/tmcp_stdio.ts"),
    contender("SDK v1 1.32.2", "peer", "2025 era", "peers/sdk_v1_stdio.ts"),
    contender(
      "mcp-ts-core 0.10.17",
      "peer",
      "2025 era",
      "peers/mcp_ts_core.ts",
      [],
      tsCore,
    ),
  ];
}

function call(era: Era, id: number): string {
  const { body } = era === "modern" ? modernEcho() : legacyEcho();
  return body.replace('"id":1,', `"id":${id},`);
}

/** Shakes hands where the era has it, and makes sure that every call is answered once. */
async function check(server: StdioProcess, era: Era): Promise<void> {
  if (era === "2025 era") {
    await server.ask([initializeMessage().body]);
    await server.notify(initializedMessage("").body);
  }
  const ids = Array.from({ length: CHECKED }, (_, index) => index + 1);
  const answers = await server.ask(ids.map((id) => call(era, id)));
  const open = new Set(ids);
  for (const line of answers) {
    const answer = JSON.parse(line) as Result;
    if (answer.result === undefined || !open.delete(answer.id as number)) {
      throw new WrongAnswer(`wrong answer: ${line.slice(0, 160)}`);
    }
    checkEcho(answer.result as Result, true);
  }
}

function row({ name, kind }: Contender): Row {
  return { name, kind, samples: [] };
}

function table(title: string, unit: string, rows: Row[]): Table {
  return {
    group: "stdio",
    title: `stdio, ${title}`,
    unit,
    better: "more",
    rows,
  };
}

/** The mean rate of some turns, and what a call cost the server. */
async function sample(
  server: StdioProcess,
  row: Row,
  calls: number,
  turns: number,
  take: () => Promise<number>,
): Promise<void> {
  const before = cpuSeconds(server.pid);
  let seconds = 0;
  for (let turn = 0; turn < turns; turn++) seconds += calls / await take();
  const after = cpuSeconds(server.pid);
  row.samples.push(turns * calls / seconds);
  if (before === null || after === null) return;
  (row.cpu ??= []).push((after - before) / (turns * calls) * 1e6);
}

/** Measures the three ways to call, each of them on every server in turn. */
export async function stdioGroup({ plan }: Bench): Promise<Table[]> {
  await using stack = new AsyncDisposableStack();
  const calls = plan.quick ? 1_000 : 5_000;
  const rows = { sequential: [], pipelined: [], concurrent: [] } as Record<
    "sequential" | "pipelined" | "concurrent",
    Row[]
  >;
  const runners: Runner[] = [];
  for (const entrant of contenders(benchPath("servers/parley.ts"))) {
    const [sequential, pipelined, concurrent] = [
      row(entrant),
      row(entrant),
      row(entrant),
    ];
    rows.sequential.push(sequential);
    rows.pipelined.push(pipelined);
    rows.concurrent.push(concurrent);
    try {
      const server = stack.use(new StdioProcess(entrant.command));
      await check(server, entrant.era);
      const lines = Array.from(
        { length: calls },
        (_, index) => encoder.encode(call(entrant.era, index + 1) + "\n"),
      );
      for (let turn = 0; turn < WARM_TURNS; turn++) {
        await server.concurrent(lines, IN_FLIGHT);
        await server.concurrent(lines, lines.length);
      }
      runners.push({ server, lines, sequential, pipelined, concurrent });
    } catch (error) {
      for (const row of [sequential, pipelined, concurrent]) {
        row.failure = reason(error);
      }
    }
  }
  await interleave(runners, plan.samples, async (runner, round) => {
    plan.say(`stdio: ${runner.sequential.name}, sample ${round + 1}`);
    const { server, lines, sequential, pipelined, concurrent } = runner;
    await sample(server, sequential, calls, 1, async () => {
      const { perSecond, p99 } = await server.sequential(lines);
      (sequential.p99 ??= []).push(p99);
      return perSecond;
    });
    await sample(
      server,
      pipelined,
      calls,
      TURNS,
      () => server.concurrent(lines, lines.length),
    );
    await sample(
      server,
      concurrent,
      calls,
      TURNS,
      () => server.concurrent(lines, IN_FLIGHT),
    );
  });
  return [
    table("one call after the other", "calls/s", rows.sequential),
    table(`pipelined, ${calls} calls at once`, "calls/s", rows.pipelined),
    table(`${IN_FLIGHT} calls at a time`, "calls/s", rows.concurrent),
  ];
}
