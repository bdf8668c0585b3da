import assert from "node:assert/strict";
import { tool, z } from "../../../mod.ts";
import { initializeBody, postRequest, RawSession } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const show = tool("show", {
  handler(_args, ctx) {
    if (ctx.inputs.view("x").kind !== "missing") return "answered";
    return JSON.stringify([
      ctx.sessionId ?? null,
      ctx.clientCapabilities ?? null,
    ]);
  },
});
const ask = tool("ask", {
  async handler(_args, ctx) {
    await ctx.ask("x", { message: "?", schema: z.object({ x: z.string() }) });
    return "asked";
  },
});

function stateless(options = {}) {
  return testApp({ tools: [show, ask], sessionMode: "stateless", ...options });
}

Deno.test("without sessions initialize gives no id, and every request stands alone", async () => {
  const app = stateless();
  const response = await app.fetch(
    postRequest(initializeBody("2025-06-18", { elicitation: {} })),
  );
  assert.equal(response.headers.get("mcp-session-id"), null);
  const { result } = await response.json();
  // Nobody has a stream on which to hear of changes.
  assert.deepEqual(result.capabilities, { tools: {}, logging: {} });
  const client = new RawSession(app, "", {
    "mcp-protocol-version": "2025-06-18",
  });
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  assert.equal((await client.post(note)).status, 202);
  const shown = await (await client.call("show")).json();
  assert.deepEqual(JSON.parse(shown.result.content[0].text), [null, null]);
  await app.close();
});

Deno.test("without sessions an id that comes with a request means nothing", async () => {
  const app = stateless();
  const client = new RawSession(app, "", { "mcp-session-id": "anything" });
  assert.equal((await client.request("ping")).status, 200);
  await app.close();
});

Deno.test("without sessions there are no streams to open and no sessions to end", async () => {
  const app = stateless();
  const client = new RawSession(app, "", {});
  for (const response of [await client.get(), await client.delete()]) {
    assert.equal(response.status, 405);
    await response.body?.cancel();
  }
  const answer = { jsonrpc: "2.0", id: "q", result: {} };
  assert.equal((await client.post(answer)).status, 400);
  const subscribe = await client.request("resources/subscribe", { uri: "a:1" });
  assert.equal((await subscribe.json()).error.code, -32601);
  await app.close();
});

Deno.test("without sessions a question is refused, and answers that come with a call are not seen", async () => {
  const app = stateless();
  const client = new RawSession(app, "", {});
  const asked = await (await client.call("ask")).json();
  const { error } = asked.result.structuredContent;
  assert.equal(asked.result.isError, true);
  assert.equal(error.data.reason, "client_capability_missing");
  assert.match(error.data.recovery.hint, /stateful session/);
  const inputResponses = { x: { action: "accept", content: { x: "y" } } };
  const shown = await client.request("tools/call", {
    name: "show",
    inputResponses,
  });
  assert.notEqual((await shown.json()).result.content[0].text, "answered");
  await app.close();
});

Deno.test("exposeStatelessSessionId gives each request an id of its own", async () => {
  const app = stateless({ context: { exposeStatelessSessionId: true } });
  const client = new RawSession(app, "", {});
  const ids = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const { result } = await (await client.call("show")).json();
    ids.add(JSON.parse(result.content[0].text)[0]);
  }
  assert.equal(ids.size, 3);
  assert.ok(!ids.has(null as never));
  await app.close();
});

Deno.test("without sessions a batch is read as the header says", async () => {
  const app = stateless();
  const batch = [{ jsonrpc: "2.0", id: 1, method: "ping" }];
  for (
    const [version, status] of [
      ["2025-03-26", 200],
      ["2025-06-18", 400],
      [undefined, 400],
    ] as const
  ) {
    const client = new RawSession(app, "", {
      ...(version && { "mcp-protocol-version": version }),
    });
    const response = await client.post(batch);
    assert.equal(response.status, status, version);
    await response.body?.cancel();
  }
  await app.close();
});

Deno.test("the operator's mode wins over the code's default", async () => {
  for (
    const [variable, hasSession] of [
      ["stateless", false],
      ["stateful", true],
      ["auto", true],
    ] as const
  ) {
    Deno.env.set("MCP_SESSION_MODE", variable);
    const app = testApp({
      sessionMode: { default: hasSession ? "stateless" : "stateful" },
    });
    Deno.env.delete("MCP_SESSION_MODE");
    const response = await app.fetch(postRequest(initializeBody("2025-11-25")));
    assert.equal(response.headers.has("mcp-session-id"), hasSession);
    await response.body?.cancel();
    await app.close();
  }
});

Deno.test("a server that requires sessions does not start over HTTP without", async () => {
  Deno.env.set("MCP_SESSION_MODE", "stateless");
  const options = {
    sessionMode: { default: "stateful", require: "stateful" },
  } as const;
  const app = testApp(options);
  Deno.env.delete("MCP_SESSION_MODE");
  await assert.rejects(
    app.listen({ port: 0, onListen() {} }),
    { code: 500, message: /requires sessions/ },
  );
  const refused = await app.fetch(postRequest(initializeBody("2025-11-25")));
  assert.equal(refused.status, 503);
  await refused.body?.cancel();
  await app.close();
  for (const sessionMode of ["auto", "stateful"] as const) {
    const fine = testApp({
      sessionMode: { default: sessionMode, require: "stateful" },
    });
    await RawSession.open(fine);
    await fine.close();
  }
});
