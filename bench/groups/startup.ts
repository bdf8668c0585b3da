/** From the start of the process to the first answer over HTTP. */

import { deepStrictEqual } from "node:assert/strict";
import type { Bench } from "../harness/group.ts";
import { emptyRow, reason } from "../harness/http_table.ts";
import {
  ECHO_MESSAGE,
  type HttpMessage,
  legacyEcho,
  modernEcho,
  modernMessage,
} from "../harness/messages.ts";
import { interleave, pause } from "../harness/plan.ts";
import {
  type RawAnswer,
  RawConnection,
  requestBytes,
} from "../harness/raw_http.ts";
import { freePort, serveCommand } from "../harness/server_process.ts";
import {
  fastmcpEdge,
  mcpLite,
  mcpTsCore,
  sdkV1,
  sdkV2,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Row, Table } from "../harness/table.ts";
import { messagesOf, type Result, WrongAnswer } from "../harness/verify.ts";

interface Contender {
  spec: ServerSpec;
  message: HttpMessage;
  wanted: Record<string, string>;
}

const MODERN = { mode: "modern" } as const;
const STATELESS = { mode: "stateless" } as const;
const DEADLINE_MS = 20_000;

function contenders(): Contender[] {
  const greet = modernMessage("tools/call", {
    name: "greet",
    arguments: { name: "Ada" },
  });
  const greeting = { greeting: "Hello, Ada" };
  const echo = { message: ECHO_MESSAGE };
  return [
    {
      spec: {
        name: "bare deno serve, importing zod",
        kind: "bare",
        entry: "servers/bare_zod.ts",
        args: [],
      },
      message: greet,
      wanted: greeting,
    },
    {
      spec: {
        name: "Parley, the README's server",
        kind: "parley",
        entry: "servers/readme_server.ts",
        args: [],
      },
      message: greet,
      wanted: greeting,
    },
    ...[sdkV2(MODERN), tmcp(MODERN)].map((spec) => ({
      spec,
      message: modernEcho(),
      wanted: echo,
    })),
    ...[
      mcpLite(STATELESS),
      fastmcpEdge(STATELESS),
      sdkV1(STATELESS),
      mcpTsCore(STATELESS),
    ].map((spec) => ({ spec, message: legacyEcho(), wanted: echo })),
  ];
}

/** The body, with the sizes of its chunks taken out where it has any. */
function plainBody(head: string, body: string): string {
  return /transfer-encoding:\s*chunked/i.test(head)
    ? body.replace(/^[0-9a-f]+\r\n/i, "").replace(/\r\n[0-9a-f]+\r\n/gi, "")
    : body;
}

function check(contender: Contender, head: string, body: string): void {
  const type = /content-type:\s*(\S+)/i.exec(head)?.[1] ?? "";
  const answer = messagesOf(type, plainBody(head, body)).at(-1) as Result;
  const result = (answer.result ?? {}) as Result;
  const value = contender.spec.structured === false
    ? JSON.parse((result.content as { text: string }[])[0]!.text)
    : result.structuredContent;
  try {
    deepStrictEqual(value, contender.wanted);
  } catch {
    throw new WrongAnswer(`wrong answer: ${body.slice(0, 160)}`);
  }
}

/** Asks until there is an answer: a port can accept before its server is ready. */
async function untilAnswered(
  port: number,
  bytes: Uint8Array,
): Promise<RawAnswer> {
  const deadline = performance.now() + DEADLINE_MS;
  while (true) {
    try {
      using connection = await RawConnection.open(port);
      return await connection.exchange(bytes);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(1);
    }
  }
}

/** Starts a server, waits for its first answer, and ends it. Gives milliseconds. */
async function firstAnswer(contender: Contender): Promise<number> {
  const port = freePort();
  const bytes = requestBytes(port, contender.message);
  const command = serveCommand(contender.spec, port);
  const start = performance.now();
  const child = command.spawn();
  try {
    const { head, body } = await untilAnswered(port, bytes);
    const took = performance.now() - start;
    check(contender, head, body);
    return took;
  } finally {
    child.kill("SIGKILL");
    await child.stderr.cancel();
    await child.status;
  }
}

/** Measures starts, with everything already downloaded and compiled once. */
export async function startupGroup({ plan }: Bench): Promise<Table[]> {
  const runners: { row: Row; contender: Contender }[] = [];
  const rows: Row[] = [];
  for (const contender of contenders()) {
    const row = emptyRow(contender.spec);
    rows.push(row);
    try {
      await firstAnswer(contender);
      await firstAnswer(contender);
      runners.push({ row, contender });
    } catch (error) {
      row.failure = reason(error);
    }
  }
  // A start is short and varies more than a rate does.
  await interleave(runners, plan.samples * 3, async (runner, round) => {
    plan.say(`startup: ${runner.row.name}, sample ${round + 1}`);
    runner.row.samples.push(await firstAnswer(runner.contender));
  });
  return [{
    group: "startup",
    title: "Start of the process to its first answer over HTTP",
    unit: "ms",
    better: "less",
    rows,
    note: "Each is a fresh `deno serve` with a warm cache of modules and code.",
  }];
}
