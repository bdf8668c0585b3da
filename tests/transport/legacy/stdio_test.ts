import assert from "node:assert/strict";
import { inputRequired, tool, z } from "../../../mod.ts";
import { StreamSession } from "./_stream_session.ts";
import { testApp } from "./_support.ts";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

const ask = tool("ask", {
  async handler(_args, ctx) {
    const { name } = await ctx.ask("name", {
      message: "Who?",
      schema: z.object({ name: z.string() }),
    });
    return `Hello, ${name}`;
  },
});

const sleep = tool("sleep", {
  input: z.object({ ms: z.number() }),
  async handler({ ms }, ctx) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      ctx.signal.addEventListener("abort", wake);
      if (ctx.signal.aborted) wake();
    });
    return ctx.signal.aborted ? "aborted" : "slept";
  },
});

const era = tool("era", {
  handler: (_args, ctx) =>
    JSON.stringify([
      ctx.sessionId ?? null,
      ctx.tenantId,
      ctx.clientInfo?.name ?? null,
    ]),
});

Deno.test("both eras are served on one connection, request by request", async () => {
  const app = testApp({ tools: [era] });
  const session = new StreamSession(app);
  // Before initialize a request without an envelope is a malformed modern one.
  await session.request("tools/list");
  assert.equal((await session.next()).error.code, -32602);
  await session.request("ping");
  assert.deepEqual(await session.next(), { jsonrpc: "2.0", id: 1, result: {} });
  await session.request("initialize", {
    protocolVersion: "2026-07-28",
    capabilities: {},
    clientInfo: { name: "old", version: "1" },
    _meta: {},
  });
  const { result } = await session.next();
  assert.equal(result.protocolVersion, "2025-11-25");
  assert.equal("resultType" in result, false);
  await session.call("era");
  const legacy = await session.next();
  assert.deepEqual(legacy.result, {
    content: [{ type: "text", text: '[null,"default","old"]' }],
  });
  await session.request("tools/call", { name: "era", _meta: ENVELOPE });
  const modern = await session.next();
  assert.equal(modern.result.resultType, "complete");
  assert.equal(modern.result.content[0].text, '[null,"default",null]');
  await session.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    _meta: ENVELOPE,
  });
  assert.equal((await session.next()).error.code, -32601);
  assert.deepEqual(await session.end(), []);
  await app.close();
});

Deno.test("an initialize that is malformed begins nothing", async () => {
  const app = testApp();
  const session = new StreamSession(app);
  await session.request("initialize", { capabilities: {} });
  assert.equal((await session.next()).error.code, -32602);
  await session.request("tools/list");
  assert.equal((await session.next()).error.code, -32602);
  await session.end();
  await app.close();
});

Deno.test("empty results over lines are exactly {}", async () => {
  const app = testApp();
  const session = await StreamSession.open(app);
  for (
    const [method, params] of [
      ["ping", undefined],
      ["logging/setLevel", { level: "error" }],
      ["resources/subscribe", { uri: "a:1" }],
      ["resources/unsubscribe", { uri: "a:1" }],
    ] as const
  ) {
    await session.request(method, params);
    assert.deepEqual(await session.next(), {
      jsonrpc: "2.0",
      id: 1,
      result: {},
    });
  }
  await session.end();
  await app.close();
});

Deno.test("questions are asked and answered on the connection", async () => {
  const app = testApp({ tools: [ask] });
  const session = await StreamSession.open(app, {
    version: "2025-06-18",
    capabilities: { elicitation: {} },
  });
  await session.call("ask", {}, "a");
  await session.call("ask", {}, "b");
  const questions = [await session.next(), await session.next()];
  for (const [index, { id, method, params }] of questions.entries()) {
    assert.equal(method, "elicitation/create");
    assert.deepEqual(Object.keys(params).sort(), [
      "message",
      "requestedSchema",
    ]);
    await session.send({
      jsonrpc: "2.0",
      id,
      result: { action: "accept", content: { name: `N${index}` } },
    });
  }
  const texts = new Map();
  for (let i = 0; i < 2; i++) {
    const { id, result } = await session.next();
    texts.set(id, result.content[0].text);
  }
  assert.deepEqual(
    [...texts.values()].sort(),
    ["Hello, N0", "Hello, N1"],
  );
  // An answer to nothing is passed over.
  await session.send({ jsonrpc: "2.0", id: "none", result: {} });
  await session.request("ping");
  assert.deepEqual((await session.next()).result, {});
  await session.end();
  await app.close();
});

Deno.test("the end of the input settles calls that wait for an answer", async () => {
  const app = testApp({ tools: [ask] });
  const session = await StreamSession.open(app, {
    capabilities: { elicitation: {} },
  });
  await session.call("ask", {}, 5);
  const { id: question } = await session.next();
  const [taken, answer] = await session.end();
  assert.equal(taken.params.requestId, question);
  assert.equal(answer.id, 5);
  assert.equal(answer.result.isError, true);
  await app.close();
});

Deno.test("a cancelled call is not answered, whatever its id", async () => {
  const app = testApp({ tools: [sleep] });
  const session = await StreamSession.open(app);
  for (const id of [0, "", "0", 7]) {
    await session.call("sleep", { ms: 60_000 }, id);
    for (
      const params of [
        { requestId: id === 0 ? "0" : 0 },
        { requestId: "unknown" },
        { requestId: null },
        {},
        undefined,
      ]
    ) {
      if (params?.requestId === id) continue;
      const method = "notifications/cancelled";
      await session.send({ jsonrpc: "2.0", method, params });
    }
    await session.request("ping", undefined, "still there");
    assert.equal((await session.next()).id, "still there");
    await session.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "enough" },
    });
  }
  assert.deepEqual(await session.end(), []);
  await app.close();
});

Deno.test("a second request with the id of one that runs is refused; 1 and '1' are two", async () => {
  const app = testApp({ tools: [sleep] });
  const session = await StreamSession.open(app);
  await session.call("sleep", { ms: 30 }, 1);
  await session.call("sleep", { ms: 1 }, 1);
  assert.equal((await session.next()).error.code, -32600);
  await session.call("sleep", { ms: 1 }, "1");
  assert.equal((await session.next()).id, "1");
  const { id, result } = await session.next();
  assert.equal(id, 1);
  assert.equal(result.content[0].text, "slept");
  await session.end();
  await app.close();
});

Deno.test("the connection hears of changes, once it has begun", async () => {
  const app = testApp();
  const modern = new StreamSession(app);
  await modern.request("ping");
  await modern.next();
  const session = await StreamSession.open(app);
  await session.request("resources/subscribe", { uri: "a:1" });
  await session.next();
  app.notify.resourceUpdated("a:2");
  app.notify.resourceUpdated("a:1");
  app.notify.toolsChanged();
  assert.deepEqual(await session.next(), {
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri: "a:1" },
  });
  assert.equal(
    (await session.next()).method,
    "notifications/tools/list_changed",
  );
  assert.deepEqual(await session.end(), []);
  assert.deepEqual(await modern.end(), []);
  await app.close();
});

Deno.test("lines may hold batches in the revision that has them", async () => {
  const roots = tool("roots", {
    handler(_args, ctx) {
      if (ctx.inputs.view("r").kind === "roots") return "told";
      return ctx.requestInput({
        inputRequests: { r: inputRequired.listRoots() },
      });
    },
  });
  const app = testApp({ tools: [roots] });
  const session = await StreamSession.open(app, {
    version: "2025-03-26",
    capabilities: { roots: {} },
  });
  const ping = { jsonrpc: "2.0", id: "p", method: "ping" };
  const call = {
    jsonrpc: "2.0",
    id: "c",
    method: "tools/call",
    params: { name: "roots" },
  };
  await session.send([ping, call, { jsonrpc: "2.0", method: "x" }]);
  const question = await session.next();
  assert.equal(question.method, "roots/list");
  await session.send([{
    jsonrpc: "2.0",
    id: question.id,
    result: { roots: [] },
  }]);
  const answers = await session.next();
  assert.deepEqual(
    answers.map(({ id }: { id: string }) => id),
    ["p", "c"],
  );
  await session.send([]);
  assert.equal((await session.next()).error.code, -32600);
  await session.end();
  const newer = await StreamSession.open(app, { version: "2025-11-25" });
  await newer.send([ping]);
  assert.equal((await newer.next()).error.code, -32600);
  await newer.end();
  await app.close();
});

Deno.test("log messages follow the level that was set", async () => {
  const chat = tool("chat", {
    handler(_args, ctx) {
      ctx.log.debug("d");
      ctx.log.warning("w");
      return "done";
    },
  });
  const app = testApp({ tools: [chat], logLevel: "debug" });
  const session = await StreamSession.open(app);
  const heard = async () => {
    await session.call("chat");
    const levels: string[] = [];
    for (;;) {
      const message = await session.next();
      if (message.id !== undefined) return levels;
      levels.push(message.params.level);
    }
  };
  assert.deepEqual(await heard(), ["debug", "warning"]);
  await session.request("logging/setLevel", { level: "warning" });
  await session.next();
  assert.deepEqual(await heard(), ["warning"]);
  await session.end();
  await app.close();
});

Deno.test("a call that is cancelled right behind its answer does not act on it", async () => {
  const runs: string[] = [];
  const act = tool("act", {
    async handler(_args, ctx) {
      runs.push("run");
      await ctx.consent("sure", {
        message: "Sure?",
        schema: z.object({ yes: z.boolean() }),
        target: "it",
      });
      runs.push("acted");
      return "acted";
    },
  });
  const app = testApp({ tools: [act] });
  const session = await StreamSession.open(app, {
    capabilities: { elicitation: {} },
  });
  await session.call("act", {}, "act");
  const question = await session.next();
  await session.send(
    {
      jsonrpc: "2.0",
      id: question.id,
      result: { action: "accept", content: { yes: true } },
    },
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "act" },
    },
  );
  await session.call("act", {}, "again");
  assert.equal((await session.next()).method, "elicitation/create");
  await app.close();
  assert.deepEqual(runs, ["run", "run"]);
});
