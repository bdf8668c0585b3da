import assert from "node:assert/strict";
import { kvState, resource, tool, z } from "../../../mod.ts";
import { initializeBody, postRequest, RawSession } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const echo = tool("echo", {
  input: z.object({ v: z.number() }),
  handler: ({ v }) => String(v),
});

Deno.test("initialize opens a session and answers with nothing of the modern envelope", async () => {
  const app = testApp({ tools: [echo] });
  const response = await app.fetch(postRequest(initializeBody("2025-11-25")));
  assert.equal(response.status, 200);
  assert.match(response.headers.get("mcp-session-id") ?? "", /^[\x21-\x7e]+$/);
  const { result } = await response.json();
  assert.deepEqual(result, {
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true }, logging: {} },
    serverInfo: { name: "test", version: "1.0.0" },
  });
  await app.close();
});

Deno.test("initialize settles on a revision of the era, the newest for any other", async () => {
  const app = testApp();
  for (
    const [asked, negotiated] of [
      ["2024-11-05", "2024-11-05"],
      ["2025-03-26", "2025-03-26"],
      ["2025-06-18", "2025-06-18"],
      ["2025-11-25", "2025-11-25"],
      ["2026-07-28", "2025-11-25"],
      ["1.0", "2025-11-25"],
    ]
  ) {
    const response = await app.fetch(postRequest(initializeBody(asked!)));
    const { result } = await response.json();
    assert.equal(result.protocolVersion, negotiated);
  }
  await app.close();
});

Deno.test("initialize works whatever headers and _meta come with it", async () => {
  const app = testApp();
  const body = initializeBody("2025-11-25") as { params: object };
  const withMeta = { ...body, params: { ...body.params, _meta: {} } };
  for (
    const headers of [
      {},
      { "mcp-protocol-version": "2025-11-25" },
      { "mcp-protocol-version": "1999-01-01" },
      { "mcp-method": "initialize" },
      { "mcp-session-id": crypto.randomUUID() },
    ] as Record<string, string>[]
  ) {
    const response = await app.fetch(postRequest(withMeta, headers));
    assert.equal(response.status, 200, JSON.stringify(headers));
    assert.ok(response.headers.has("mcp-session-id"));
    await response.body?.cancel();
  }
  await app.close();
});

Deno.test("initialize with malformed params opens no session", async () => {
  const app = testApp();
  for (
    const params of [
      undefined,
      {},
      { protocolVersion: 1, capabilities: {} },
      { protocolVersion: "2025-11-25", capabilities: [] },
      { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: "me" },
      {
        protocolVersion: "2025-11-25",
        capabilities: { experimental: { a: "x".repeat(70_000) } },
      },
    ]
  ) {
    const body = { jsonrpc: "2.0", id: 5, method: "initialize", params };
    const response = await app.fetch(postRequest(body));
    const { id, error } = await response.json();
    assert.equal(id, 5);
    assert.equal(error.code, -32602);
    assert.equal(response.headers.get("mcp-session-id"), null);
  }
  await app.close();
});

Deno.test("empty results are exactly {}", async () => {
  const app = testApp({ resources: [] });
  const session = await RawSession.open(app);
  for (
    const [method, params] of [
      ["ping", undefined],
      ["logging/setLevel", { level: "error" }],
      ["resources/subscribe", { uri: "test://a" }],
      ["resources/unsubscribe", { uri: "test://a" }],
    ] as const
  ) {
    const response = await session.request(method, params);
    assert.equal(
      await response.text(),
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      method,
    );
  }
  await app.close();
});

Deno.test("errors of requests keep HTTP status 200 and the request's id", async () => {
  const app = testApp({ tools: [echo] });
  const session = await RawSession.open(app);
  for (
    const [method, params, code] of [
      ["no/such", undefined, -32601],
      ["server/discover", undefined, -32601],
      ["tools/call", { name: "nope" }, -32602],
      ["tools/call", { name: "echo", arguments: [] }, -32602],
      ["tools/list", { cursor: "x" }, -32602],
      ["tools/list", [], -32602],
      ["resources/read", { uri: "test://none" }, -32002],
      ["logging/setLevel", { level: "loud" }, -32602],
      ["resources/subscribe", { uri: "not a uri" }, -32602],
      ["tools/call", { name: "echo", _meta: { progressToken: {} } }, -32602],
      [
        "tools/call",
        { name: "echo", _meta: { progressToken: "t".repeat(1_025) } },
        -32602,
      ],
    ] as const
  ) {
    const response = await session.request(method, params, "r-1");
    assert.equal(response.status, 200, method);
    const { id, error } = await response.json();
    assert.equal(id, "r-1");
    assert.equal(error.code, code, `${method} ${JSON.stringify(error)}`);
  }
  await app.close();
});

Deno.test("a session may subscribe to as much as the store takes, and is told when that is reached", async () => {
  const app = testApp({
    resources: [resource("test://{+path}", { handler: () => "it" })],
  });
  const session = await RawSession.open(app);
  const subscribe = async (length: number) => {
    const uri = `test://${"a".repeat(length)}`;
    const response = await session.request("resources/subscribe", { uri });
    return await response.json();
  };
  assert.deepEqual((await subscribe(150_000)).result, {});
  for (const length of [60_000, 300_000, 900_000]) {
    const { error } = await subscribe(length);
    assert.equal(error.code, -32602);
    assert.match(error.message, /over 200000 characters/);
  }
  assert.deepEqual((await subscribe(20)).result, {});
  await app.close();
});

Deno.test("a session id that is unknown, ended or someone else's is not found", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const bodies = new Set<string>();
  const expectGone = async (gone: RawSession) => {
    for (
      const response of [
        await gone.request("ping"),
        await gone.post({
          jsonrpc: "2.0",
          method: "notifications/initialized",
        }),
      ]
    ) {
      assert.equal(response.status, 404);
      const body = await response.json();
      assert.equal(body.error.code, -32600);
      bodies.add(JSON.stringify(body.error));
    }
    for (const response of [await gone.get(), await gone.delete()]) {
      assert.equal(response.status, 404);
      bodies.add(JSON.stringify((await response.json()).error));
    }
  };
  await expectGone(session.with({ "mcp-session-id": crypto.randomUUID() }));
  await expectGone(session.with({ "mcp-session-id": "../session" }));
  assert.equal((await session.delete()).status, 204);
  await expectGone(session);
  assert.equal(bodies.size, 1);
  await app.close();
});

Deno.test("a request without a session id is refused, and so is a revision that is not served", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const { "mcp-session-id": _, ...without } = session.headers;
  for (
    const refused of [
      new RawSession(app, "", without),
      session.with({ "mcp-protocol-version": "2025-01-01" }),
    ]
  ) {
    for (
      const response of [
        await refused.request("tools/list"),
        await refused.post({ jsonrpc: "2.0", method: "notifications/x" }),
        await refused.get(),
        await refused.delete(),
      ]
    ) {
      assert.equal(response.status, 400);
      assert.equal((await response.json()).error.code, -32600);
    }
  }
  await app.close();
});

Deno.test("a session is refused once it was idle for 30 minutes, and not before", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const realNow = Date.now;
  let ahead = 0;
  Date.now = () => realNow() + ahead;
  try {
    for (const minutes of [29, 29, 29]) {
      ahead += minutes * 60_000;
      assert.equal((await session.request("ping")).status, 200);
    }
    ahead += 30 * 60_000;
    assert.equal((await session.request("ping")).status, 404);
  } finally {
    Date.now = realNow;
  }
  await app.close();
});

Deno.test("a session that is used in one process stays alive in all", async () => {
  const file = await Deno.makeTempFile();
  const [a, b] = [1, 2].map(() =>
    testApp({ state: kvState(file, { now: () => Date.now() }) })
  );
  const session = await RawSession.open(a!);
  const realNow = Date.now;
  let ahead = 0;
  Date.now = () => realNow() + ahead;
  try {
    for (const app of [b!, b!, a!]) {
      ahead += 20 * 60_000;
      assert.equal((await session.at(app).request("ping")).status, 200);
      // Its expiry is put off behind the answer.
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    ahead += 40 * 60_000;
    assert.equal((await session.at(a!).request("ping")).status, 404);
    assert.equal((await session.at(b!).request("ping")).status, 404);
  } finally {
    Date.now = realNow;
  }
  await a!.close();
  await b!.close();
  await Deno.remove(file);
});

Deno.test("a session that was ended in one process is refused in every other within a second", async () => {
  const file = await Deno.makeTempFile();
  const [a, b] = [1, 2].map(() => testApp({ state: kvState(file) }));
  const session = await RawSession.open(a!);
  const elsewhere = session.at(b!);
  assert.equal((await elsewhere.request("ping")).status, 200);
  assert.equal((await session.delete()).status, 204);
  const end = Date.now() + 1_000;
  while (Date.now() < end) {
    const response = await elsewhere.request("ping");
    await response.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal((await elsewhere.request("ping")).status, 404);
  await a!.close();
  await b!.close();
  await Deno.remove(file);
});

Deno.test("a session keeps its log level and its capabilities in every process", async () => {
  const file = await Deno.makeTempFile();
  const whoami = tool("whoami", {
    handler(_args, ctx) {
      ctx.log.warning("careful");
      return JSON.stringify([
        ctx.sessionId,
        ctx.clientInfo?.name,
        ctx.clientCapabilities,
      ]);
    },
  });
  const [a, b] = [1, 2].map(() =>
    testApp({ tools: [whoami], state: kvState(file), logLevel: "warning" })
  );
  const session = await RawSession.open(a!, {
    capabilities: { elicitation: {}, roots: { listChanged: true } },
  });
  await (await session.request("logging/setLevel", { level: "error" })).text();
  // Nothing was sent ahead of the answer, so it is JSON.
  const { result } = await (await session.at(b!).call("whoami")).json();
  assert.deepEqual(JSON.parse(result.content[0].text), [
    session.id,
    "raw",
    { elicitation: { form: {} }, roots: { listChanged: true } },
  ]);
  await a!.close();
  await b!.close();
  await Deno.remove(file);
});
