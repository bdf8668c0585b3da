import assert from "node:assert/strict";
import { inputRequired, tool, z } from "../../../mod.ts";
import { initializeBody, RawSession, SseReader } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const echo = tool("echo", {
  input: z.object({ v: z.number(), log: z.boolean().default(false) }),
  async handler({ v, log }, ctx) {
    if (log) ctx.log.error("logged", { v });
    await new Promise((resolve) => setTimeout(resolve, 5));
    return String(v);
  },
});

function call(id: unknown, args: unknown): unknown {
  return {
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "echo", arguments: args },
  };
}

const PING = { jsonrpc: "2.0", id: "p", method: "ping" };
const NOTE = { jsonrpc: "2.0", method: "notifications/initialized" };

Deno.test("a batch is answered as one, in the revision that has batches", async () => {
  const app = testApp({ tools: [echo] });
  const session = await RawSession.open(app, { version: "2025-03-26" });
  const response = await session.post([
    call(1, { v: 10 }),
    NOTE,
    PING,
    call(2, { v: "x" }),
    { jsonrpc: "2.0", id: 3, method: "no/such" },
  ]);
  assert.equal(response.headers.get("content-type"), "application/json");
  // deno-lint-ignore no-explicit-any -- whatever the server wrote
  const answers: any[] = await response.json();
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  assert.equal(answers.length, 4);
  assert.equal(byId.get(1).result.content[0].text, "10");
  assert.deepEqual(byId.get("p").result, {});
  assert.equal(byId.get(2).result.isError, true);
  assert.equal(byId.get(3).error.code, -32601);
  await app.close();
});

Deno.test("a batch of one request is answered as a batch", async () => {
  const app = testApp();
  const session = await RawSession.open(app, { version: "2025-03-26" });
  const response = await session.post([PING]);
  assert.equal(
    await response.text(),
    '[{"jsonrpc":"2.0","id":"p","result":{}}]',
  );
  await app.close();
});

Deno.test("a batch whose calls send something streams, each answer by itself", async () => {
  const app = testApp({ tools: [echo], logLevel: "error" });
  const session = await RawSession.open(app, { version: "2025-03-26" });
  const events = await new SseReader(
    await session.post([PING, call(1, { v: 1, log: true }), call(2, { v: 2 })]),
  ).all();
  const messages = events.map(({ message }) => message);
  const answered = messages.filter(({ id }) => id !== undefined);
  assert.deepEqual(
    new Set(answered.map(({ id }) => id)),
    new Set(["p", 1, 2]),
  );
  assert.equal(messages.length - answered.length, 1);
  await app.close();
});

Deno.test("a batch that wants no answer is accepted", async () => {
  const app = testApp();
  const session = await RawSession.open(app, { version: "2025-03-26" });
  const answer = { jsonrpc: "2.0", id: "q", result: {} };
  const response = await session.post([NOTE, answer]);
  assert.equal(response.status, 202);
  await app.close();
});

Deno.test("calls of a batch ask on its one stream", async () => {
  const ask = tool("echo", {
    handler(_args, ctx) {
      if (ctx.inputs.view("roots").kind === "roots") return "told";
      return inputRequired({
        inputRequests: { roots: inputRequired.listRoots() },
      });
    },
  });
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, {
    version: "2025-03-26",
    capabilities: { roots: {} },
  });
  const reader = new SseReader(
    await session.post([call(1, {}), call(2, {}), PING]),
  );
  let answers = 0;
  for (let i = 0; i < 5; i++) {
    const message = await reader.message();
    if (message.method === "roots/list") {
      await session.post([{
        jsonrpc: "2.0",
        id: message.id,
        result: { roots: [] },
      }]);
    } else answers++;
  }
  assert.equal(answers, 3);
  assert.equal(await reader.next(), undefined);
  await app.close();
});

Deno.test("a batch is refused whole, and nothing of it runs, when it may not be", async () => {
  let runs = 0;
  const count = tool("echo", { handler: () => String(++runs) });
  const app = testApp({ tools: [count] });
  const old = await RawSession.open(app, { version: "2025-03-26" });
  const cases: [RawSession, unknown[]][] = [
    [old, []],
    [old, [call(1, {}), 1]],
    [old, [call(1, {}), { jsonrpc: "2.0", id: null, method: "ping" }]],
    [old, [call(1, {}), initializeBody("2025-03-26")]],
    [old, Array.from({ length: 101 }, () => call(1, {}))],
  ];
  for (const version of ["2024-11-05", "2025-06-18", "2025-11-25"]) {
    const session = await RawSession.open(app, { version });
    cases.push([session, [call(1, {})]]);
    // The header does not change what was negotiated.
    const header = { "mcp-protocol-version": "2025-03-26" };
    cases.push([session.with(header), [call(1, {})]]);
  }
  for (const [session, batch] of cases) {
    const response = await session.post(batch);
    assert.equal(response.status, 400);
    assert.equal((await response.json()).error.code, -32600);
  }
  const nobody = new RawSession(app, "", {
    "mcp-protocol-version": "2025-03-26",
  });
  assert.equal((await nobody.post([call(1, {})])).status, 400);
  assert.equal(runs, 0);
  await app.close();
});
