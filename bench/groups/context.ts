/** What an empty `Context` costs a call: one a call, and a second one, in process. */

import { CallContext } from "../../context/call_context.ts";
import type { Call } from "../../context/call.ts";
import { createLogFloor } from "../../context/log/levels.ts";
import { createRedactor } from "../../context/log/redact.ts";
import { type App, createApp, memoryState, tool, z } from "../../mod.ts";
import type { Bench } from "../harness/group.ts";
import { type HttpMessage, modernEcho } from "../harness/messages.ts";
import { interleave } from "../harness/plan.ts";
import { TOOL_DESCRIPTION } from "../harness/server_options.ts";
import type { Row, Table } from "../harness/table.ts";
import { checkEcho, type Result } from "../harness/verify.ts";

const SLICES = 12;

/** A call that asks for nothing, to make contexts of. */
function emptyCall(): Call {
  return {
    services: {
      backend: memoryState(),
      logFloor: createLogFloor("info"),
      redactor: createRedactor(),
      publish() {},
    },
    era: "modern",
    method: "tools/call",
    target: "echo",
    requestId: "1",
    startedAt: 0,
    tenantId: undefined,
    auth: undefined,
    sessionId: undefined,
    span: undefined,
    clientInfo: undefined,
    clientCapabilities: undefined,
    uri: undefined,
    contract: undefined,
    inputResponses: undefined,
    requestState: undefined,
    carriedAnswers: {},
    signal: () => new AbortController().signal,
    logSink: () => undefined,
    progress() {},
  };
}

/** An app whose handler may make one more context, and keep it from being optimized away. */
function echoApp(another: boolean): App {
  const call = emptyCall();
  const kept: unknown[] = [undefined];
  const message = z.object({ message: z.string() });
  const echo = tool("echo", {
    description: TOOL_DESCRIPTION,
    input: message,
    output: message,
    handler: another
      ? ({ message }) => {
        kept[0] = new CallContext(call);
        return { message };
      }
      : ({ message }) => ({ message }),
  });
  return createApp({
    name: "bench",
    version: "1.0.0",
    tools: [echo],
    state: memoryState(),
  });
}

async function answer(app: App, message: HttpMessage): Promise<string> {
  const { headers, body } = message;
  const response = await app.fetch(
    new Request("http://127.0.0.1:8000/mcp", { method: "POST", headers, body }),
  );
  return await response.text();
}

async function rate(app: App, ms: number): Promise<number> {
  const message = modernEcho();
  const start = performance.now();
  const end = start + ms;
  let calls = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 100; i++) await answer(app, message);
    calls += 100;
  }
  return calls / ((performance.now() - start) / 1000);
}

/** Measures both apps in one process, in short turns, as they share their compiled code. */
export async function contextGroup({ plan }: Bench): Promise<Table[]> {
  const one: Row = { name: "one Context a call", kind: "parley", samples: [] };
  const two: Row = { name: "two Contexts a call", kind: "parley", samples: [] };
  const runners = [
    { row: one, app: echoApp(false) },
    { row: two, app: echoApp(true) },
  ];
  for (const { app } of runners) {
    const first = JSON.parse(await answer(app, modernEcho())) as Result;
    checkEcho(first.result as Result, true);
    await rate(app, 500);
  }
  const ms = plan.quick ? 50 : 200;
  await interleave(runners, plan.samples * SLICES, async ({ row, app }) => {
    plan.say(`context: ${row.name}, sample ${row.samples.length + 1}`);
    row.samples.push(await rate(app, ms));
  });
  for (const { app } of runners) await app.close();
  return [{
    group: "context",
    title: "An empty Context, in process",
    unit: "calls/s",
    better: "more",
    rows: [one, two],
    note: "The second row makes one more empty Context in its handler.",
  }];
}
