import assert from "node:assert/strict";
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import {
  call,
  callTool,
  type Json,
  modernRequest,
  post,
  read,
  requestBody,
  send,
  textOf,
  VERSION,
} from "./_client.ts";

function testApp() {
  let runs = 0;
  const app = createApp({
    name: "surface",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("count", { handler: () => `${++runs}` }),
      tool("work", {
        input: z.object({ steps: z.int(), label: z.string() }),
        async handler({ steps, label }, ctx) {
          for (let step = 1; step <= steps; step++) {
            ctx.progress(step, steps, label);
            await Promise.resolve();
          }
          return label;
        },
      }),
      tool("fail_late", {
        async handler(_args, ctx) {
          ctx.progress(1);
          await ctx.ask("x", { roots: true });
          return "unreachable";
        },
      }),
    ],
  });
  return { app, runs: () => runs };
}

const HEADERS = { "mcp-protocol-version": VERSION };

Deno.test("a notification is accepted with 202 and no body, known or not", async () => {
  const { app } = testApp();
  for (const method of ["notifications/cancelled", "notifications/unknown"]) {
    const { id: _, ...body } = requestBody(method, { requestId: 1 });
    const response = await app.fetch(
      post(body, { ...HEADERS, "mcp-method": method }),
    );
    assert.equal(response.status, 202);
    assert.equal(await response.text(), "");
  }
});

Deno.test("a posted response is refused", async () => {
  const { app } = testApp();
  for (
    const body of [
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    ]
  ) {
    const { status, error } = await send(app, post(body, HEADERS));
    assert.equal(status, 400);
    assert.equal(error.code, -32600);
  }
});

Deno.test("a batch is refused, and nothing in it runs", async () => {
  const { app, runs } = testApp();
  const single = requestBody("tools/call", { name: "count" });
  for (const batch of [[], [single], [single, { ...single, id: 2 }], [1]]) {
    const { status, error } = await send(
      app,
      post(batch, { ...HEADERS, "mcp-method": "tools/call" }),
    );
    assert.equal(status, 400, JSON.stringify(batch));
    assert.equal(error.code, -32600, JSON.stringify(batch));
    assert.match(String(error.message), /a message is a JSON object/);
  }
  assert.equal(runs(), 0);
});

Deno.test("other HTTP methods are not allowed", async () => {
  const { app } = testApp();
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const response = await app.fetch(
      new Request("http://localhost/mcp", { method, headers: HEADERS }),
    );
    assert.equal(response.status, 405, method);
    assert.match(response.headers.get("allow") ?? "", /POST/);
    await response.body?.cancel();
  }
});

Deno.test("session and resumption headers mean nothing, and none come back", async () => {
  const { app } = testApp();
  const { status, headers } = await callTool(app, "count", {}, {
    headers: { "mcp-session-id": "no-such-session", "last-event-id": "7" },
  });
  assert.equal(status, 200);
  assert.equal(headers.get("mcp-session-id"), null);
});

Deno.test("bodies are JSON by their content type, or refused unread", async () => {
  const { app, runs } = testApp();
  const body = requestBody("tools/call", { name: "count" });
  const send = (type: string | undefined) =>
    app.fetch(
      post(body, {
        ...HEADERS,
        "mcp-method": "tools/call",
        "mcp-name": "count",
        "content-type": type,
      }),
    );
  const accepted = [
    "application/json",
    "Application/JSON",
    "application/json;",
    "application/json; charset=utf-8",
    "application/json;charset=utf-8",
  ];
  for (const type of accepted) {
    const response = await send(type);
    assert.equal(response.status, 200, type);
    await response.body?.cancel();
  }
  assert.equal(runs(), accepted.length);
  for (
    const type of [
      "text/plain",
      "text/plain; a=application/json",
      "application/jsonp",
      "application/json-rpc",
      "application/x-www-form-urlencoded",
      "",
    ]
  ) {
    const response = await send(type);
    assert.equal(response.status, 415, type);
    assert.equal((await response.json()).error.code, -32600, type);
  }
  assert.equal(runs(), accepted.length);
});

Deno.test("an answer is one line of JSON when nothing is sent ahead of it", async () => {
  const { app } = testApp();
  for (
    const accept of [
      undefined,
      "*/*",
      "application/json",
      "text/html",
      "text/event-stream",
    ]
  ) {
    const answer = await callTool(app, "count", {}, { headers: { accept } });
    assert.equal(answer.headers.get("content-type"), "application/json");
    assert.ok(!answer.text.includes("\n"));
  }
});

Deno.test("an answer with progress is an event stream that its response ends", async () => {
  const { app } = testApp();
  const { status, headers, text, messages } = await callTool(
    app,
    "work",
    { steps: 3, label: "a" },
    { meta: { progressToken: "t" }, id: "s" },
  );
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/event-stream");
  assert.equal(headers.get("x-accel-buffering"), "no");
  assert.deepEqual(messages.map(({ method, id }) => method ?? id), [
    "notifications/progress",
    "notifications/progress",
    "notifications/progress",
    "s",
  ]);
  // Nothing that could be resumed, nothing that asks for an answer.
  assert.ok(!/^(id|event|retry):/m.test(text), text);
  assert.ok(
    messages.every((message) => !("id" in message && "method" in message)),
  );
});

Deno.test("a client that takes no event stream gets the answer alone", async () => {
  const { app } = testApp();
  const answer = await callTool(app, "work", { steps: 3, label: "a" }, {
    meta: { progressToken: "t" },
    headers: { accept: "application/json" },
  });
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(textOf(answer), "a");
});

Deno.test("Accept is read as any header of media ranges", async () => {
  const { app } = testApp();
  for (
    const [accept, type] of [
      ["APPLICATION/JSON, Text/Event-Stream", "text/event-stream"],
      ["application/json;q=0.9, text/event-stream; q=0.1", "text/event-stream"],
      ["text/*", "text/event-stream"],
      ["*/*;q=0.1", "text/event-stream"],
      ["text/event-stream;q=0, */*", "application/json"],
      ["*/* ; q=0.0", "application/json"],
      ['application/json; note="text/event-stream"', "application/json"],
      ["", "application/json"],
    ] as const
  ) {
    const answer = await callTool(app, "work", { steps: 1, label: "a" }, {
      meta: { progressToken: "t" },
      headers: { accept },
    });
    assert.equal(answer.headers.get("content-type"), type, accept);
    assert.equal(textOf(answer), "a");
  }
});

Deno.test("an error after progress ends the stream it came too late for", async () => {
  const { app } = testApp();
  const { status, error, notifications } = await callTool(
    app,
    "fail_late",
    {},
    {
      meta: { progressToken: 1 },
    },
  );
  assert.equal(status, 200);
  assert.equal(notifications.length, 1);
  assert.equal(error.code, -32021);
});

Deno.test("twelve calls at once with one id each get their own answer and progress", async () => {
  const { app } = testApp();
  const labels = Array.from({ length: 12 }, (_, index) => `call ${index}`);
  const answers = await Promise.all(
    labels.map((label, index) =>
      callTool(app, "work", { steps: 1 + index % 4, label }, {
        id: 1,
        meta: { progressToken: index },
      })
    ),
  );
  for (const [index, answer] of answers.entries()) {
    assert.equal(textOf(answer), labels[index]);
    assert.equal(answer.notifications.length, 1 + index % 4);
    for (const { params } of answer.notifications) {
      assert.equal((params as Json).progressToken, index);
      assert.equal((params as Json).message, labels[index]);
    }
  }
});

Deno.test("the endpoint is at its path alone, with or without a query", async () => {
  const { app } = testApp();
  const at = async (path: string) => {
    const request = modernRequest("tools/list");
    const response = await app.fetch(
      new Request(`http://localhost${path}`, request),
    );
    await response.body?.cancel();
    return response.status;
  };
  assert.equal(await at("/mcp"), 200);
  assert.equal(await at("/mcp?x=1"), 200);
  for (const path of ["/", "/mcp/", "/mcp/x", "/MCP", "/mcpx"]) {
    assert.equal(await at(path), 404, path);
  }
  const { status } = await read(await app.fetch(modernRequest("tools/list")));
  assert.equal(status, 200);
});

Deno.test("a modern initialize is not found, and changes nothing", async () => {
  const { app } = testApp();
  const { status, error } = await call(app, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  });
  assert.equal(status, 404);
  assert.equal(error.code, -32601);
  assert.equal((await call(app, "tools/list")).status, 200);
});

Deno.test("an initialize without an envelope is served as the older revisions are", async () => {
  const { app } = testApp();
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
      _meta: {},
    },
  };
  const { status, result } = await send(app, post(initialize));
  assert.equal(status, 200);
  assert.equal(result.protocolVersion, "2025-11-25");
  assert.ok(!("resultType" in result), JSON.stringify(result));
  const modern = await callTool(app, "count");
  assert.equal(modern.result.resultType, "complete");
  await app.close();
});
