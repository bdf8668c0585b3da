/** Resident memory: after 20,000 calls, of an idle listen stream, of an idle session. */

import {
  modernEchoLoad,
  sessionEchoLoad,
  statelessEchoLoad,
} from "../harness/echo_load.ts";
import type { Bench } from "../harness/group.ts";
import { emptyRow, type HttpContender, reason } from "../harness/http_table.ts";
import {
  initializeMessage,
  modernEcho,
  modernMessage,
} from "../harness/messages.ts";
import { parleyAnswer } from "../harness/parley_answer.ts";
import { interleave, pause, type Plan } from "../harness/plan.ts";
import { residentKib } from "../harness/process_usage.ts";
import { RawConnection, requestBytes, sendMany } from "../harness/raw_http.ts";
import { type RunningServer, startServer } from "../harness/server_process.ts";
import {
  bare,
  fastmcpEdge,
  honoMcp,
  mcpLite,
  mcpTsCore,
  type Offer,
  parley,
  sdkV1,
  sdkV2,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Row, Table } from "../harness/table.ts";
import { sendTo } from "../harness/verify.ts";

const CALLS = 20_000;
const STREAMS = [1_000, 5_000];
const SESSIONS = 10_000;
const MODERN: Offer = { mode: "modern" };
const STATELESS: Offer = { mode: "stateless" };
const SESSION: Offer = { mode: "session" };

/** Fresh processes a row: fewer than samples elsewhere, as memory varies less. */
function runs(plan: Plan): number {
  return plan.quick ? 1 : Math.min(plan.samples, 5);
}

/** Resident memory once the process has come to rest. */
async function settledKib(server: RunningServer): Promise<number> {
  await pause(500);
  return await residentKib(server.pid);
}

/** Measures each row on a fresh server, in turn; a row that fails keeps its reason. */
async function onFreshServers(
  plan: Plan,
  specs: readonly { spec: ServerSpec; rows: Row[] }[],
  measure: (server: RunningServer, index: number) => Promise<number[]>,
): Promise<void> {
  const indexed = specs.map((spec, index) => ({ ...spec, index }));
  await interleave(
    indexed,
    runs(plan),
    async ({ spec, rows, index }, round) => {
      if (rows[0]!.failure !== undefined) return;
      plan.say(`memory: ${rows[0]!.name}, run ${round + 1}`);
      try {
        await using server = await startServer(spec);
        const figures = await measure(server, index);
        figures.forEach((figure, i) => rows[i]!.samples.push(figure));
      } catch (error) {
        for (const row of rows) row.failure = reason(error);
      }
    },
  );
}

async function afterCalls(plan: Plan): Promise<Table> {
  const answer = await parleyAnswer(plan, MODERN, modernEcho());
  const contenders: HttpContender[] = [
    { spec: bare(MODERN, answer), prepare: modernEchoLoad },
    { spec: parley(MODERN), prepare: modernEchoLoad },
    { spec: sdkV2(MODERN), prepare: modernEchoLoad },
    { spec: tmcp(MODERN), prepare: modernEchoLoad },
    { spec: mcpLite(SESSION), prepare: sessionEchoLoad },
    { spec: sdkV1(SESSION), prepare: sessionEchoLoad },
    { spec: fastmcpEdge(STATELESS), prepare: statelessEchoLoad },
    { spec: mcpTsCore(SESSION), prepare: sessionEchoLoad },
  ];
  const rows = contenders.map(({ spec }) => emptyRow(spec));
  const specs = contenders.map(({ spec }, i) => ({ spec, rows: [rows[i]!] }));
  await onFreshServers(plan, specs, async (server, index) => {
    const { spec, prepare } = contenders[index]!;
    const { first } = await prepare(sendTo(server.url), spec);
    await sendMany(server.port, first, CALLS);
    return [await settledKib(server) / 1024];
  });
  return {
    group: "memory",
    title: `Memory after ${CALLS.toLocaleString("en-US")} calls`,
    unit: "MiB",
    better: "less",
    rows,
    note:
      "Resident memory of the process; SDK v1, mcp-lite and mcp-ts-core serve one session.",
  };
}

/** Opens streams until there are `total`, and gives the connections that hold them. */
async function openStreams(
  port: number,
  held: DisposableStack,
  count: number,
): Promise<void> {
  const bytes = requestBytes(
    port,
    modernMessage("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    }),
  );
  let left = count;
  async function work(): Promise<void> {
    while (left-- > 0) {
      const connection = held.use(await RawConnection.open(port));
      const { status, head, body } = await connection.begin(bytes);
      if (status !== 200 || !/event-stream/i.test(head)) {
        throw new Error(`No stream: status ${status}, ${body.slice(0, 120)}`);
      }
    }
  }
  await Promise.all(Array.from({ length: 16 }, work));
}

async function idleStreams(plan: Plan): Promise<Table> {
  const specs = [
    { ...bare(MODERN), name: "bare ReadableStream" },
    parley(MODERN),
    sdkV2(MODERN),
    { ...tmcp(MODERN), note: "" },
  ];
  const grid = specs.map((spec) =>
    STREAMS.map((count) =>
      emptyRow({
        ...spec,
        name: `${spec.name}, ${count.toLocaleString("en-US")}`,
        at: String(count),
      })
    )
  );
  const entries = specs.map((spec, i) => ({ spec, rows: grid[i]! }));
  await onFreshServers(plan, entries, async (server) => {
    using held = new DisposableStack();
    // The first streams load code that all later ones share.
    await openStreams(server.port, held, 20);
    const idle = await settledKib(server);
    const figures: number[] = [];
    let open = 0;
    for (const count of STREAMS) {
      await openStreams(server.port, held, count - open);
      open = count;
      figures.push((await settledKib(server) - idle) / count);
    }
    return figures;
  });
  return {
    group: "memory",
    title: "Memory of an idle listen stream",
    unit: "KiB each",
    better: "less",
    rows: grid.flat(),
    note:
      "Growth of the resident memory, divided by the streams that are open.",
  };
}

async function idleSessions(plan: Plan): Promise<Table> {
  const specs = [
    { ...bare(SESSION), name: "bare, an entry in a Map" },
    parley(SESSION),
    mcpLite(SESSION),
    tmcp(SESSION),
    sdkV1(SESSION),
    honoMcp(SESSION),
    mcpTsCore(SESSION),
  ].map((spec) => ({ ...spec, note: "" }));
  const rows = specs.map(emptyRow);
  const entries = specs.map((spec, i) => ({ spec, rows: [rows[i]!] }));
  const sessions = plan.quick ? SESSIONS / 10 : SESSIONS;
  await onFreshServers(plan, entries, async (server) => {
    await sendMany(server.port, initializeMessage(), 20);
    const idle = await settledKib(server);
    await sendMany(server.port, initializeMessage(), sessions);
    return [(await settledKib(server) - idle) / sessions];
  });
  return {
    group: "memory",
    title: `Memory of an idle session, ${
      sessions.toLocaleString("en-US")
    } open`,
    unit: "KiB each",
    better: "less",
    rows,
    note:
      "Growth of the resident memory, divided by the sessions; includes what 10,000 requests leave behind.",
  };
}

/** Measures the three kinds of memory. */
export async function memoryGroup({ plan }: Bench): Promise<Table[]> {
  return [
    await afterCalls(plan),
    await idleStreams(plan),
    await idleSessions(plan),
  ];
}
