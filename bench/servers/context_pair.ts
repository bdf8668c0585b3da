/**
 * Calls two apps in turn in this process, where they share their compiled code:
 * one whose handler does nothing, and one whose handler makes a second, empty
 * `Context`. Prints the rates of both as one JSON line.
 */

import { CallContext } from "../../context/call_context.ts";
import type { Call } from "../../context/call.ts";
import { createLogFloor } from "../../context/log/levels.ts";
import { type App, createApp, memoryState, tool, z } from "../../mod.ts";
import { type HttpMessage, modernEcho } from "../harness/messages.ts";
import { TOOL_DESCRIPTION } from "../harness/server_options.ts";
import { checkEcho, type Result } from "../harness/verify.ts";

/** A call that asks for nothing and begins now, to make contexts of. */
function emptyCall(): Call {
  return {
    services: {
      backend: memoryState(),
      logFloor: createLogFloor("info"),
      publish() {},
    },
    era: "modern",
    method: "tools/call",
    target: "echo",
    requestId: "1",
    // As of the call around it, whose time is written once for both.
    get startedAt() {
      return Date.now();
    },
    tenantId: undefined,
    auth: undefined,
    sessionId: undefined,
    span: undefined,
    stateSpan: undefined,
    clientInfo: undefined,
    clientCapabilities: undefined,
    refuse: undefined,
    uri: undefined,
    contract: undefined,
    inputResponses: undefined,
    requestState: undefined,
    sentState: undefined,
    carriedAnswers: {},
    signal: () => new AbortController().signal,
    logDelivery: () => undefined,
    progress() {},
    detach() {},
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

const [turns, ms] = Deno.args.map(Number) as [number, number];
const apps = [echoApp(false), echoApp(true)];
const rates: number[][] = [[], []];
for (const app of apps) {
  const first = JSON.parse(await answer(app, modernEcho())) as Result;
  checkEcho(first.result as Result, true);
  await rate(app, 500);
}
for (let turn = 0; turn < turns; turn++) {
  for (const [i, app] of apps.entries()) rates[i]!.push(await rate(app, ms));
}
for (const app of apps) await app.close();
console.log(JSON.stringify(rates));
