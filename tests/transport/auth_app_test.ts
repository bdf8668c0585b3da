import assert from "node:assert/strict";
import {
  checkScopes,
  createApp,
  ErrorCode,
  memoryState,
  resource,
  tool,
  z,
} from "../../mod.ts";
import type { App, AppOptions } from "../../mod.ts";
import {
  claims,
  hmacToken,
  hs256,
  now,
  parseChallenge,
  SECRET,
} from "./auth/_support.ts";
import {
  type Answer,
  assertMembers,
  call,
  callTool,
  type Json,
  modernRequest,
  post,
  read,
  textOf,
} from "./modern/_client.ts";

const PUBLIC = "https://pub.example.com/api/mcp";
const METADATA =
  "https://pub.example.com/.well-known/oauth-protected-resource/api/mcp";

const whoami = tool("whoami", {
  handler: (_args, { auth, tenantId }) =>
    JSON.stringify({
      clientId: auth?.clientId,
      sub: auth?.sub,
      scopes: auth?.scopes,
      tenantId,
    }),
});

const keep = tool("keep", {
  input: z.object({ value: z.string() }),
  async handler({ value }, { state }) {
    const before = await state.get("kept");
    await state.set("kept", value);
    return String(before);
  },
});

const risky = tool("risky", {
  auth: ["files:read"],
  input: z.object({ late: z.boolean() }),
  handler({ late }, ctx) {
    if (late) ctx.progress(1);
    checkScopes(ctx, ["files:delete"]);
    return "deleted";
  },
});

const confirm = tool("confirm", {
  async handler(_args, ctx) {
    await ctx.ask("name", {
      message: "Who are you?",
      schema: z.object({ name: z.string() }),
    });
    // The answer to the first question travels in the state of this one.
    const { ok } = await ctx.ask("ok", {
      message: "Really?",
      schema: z.object({ ok: z.boolean() }),
    });
    return ok ? "done" : "left alone";
  },
});

const write = tool("write", {
  auth: ["files:write"],
  handler: () => "written",
});

function serve(options: Partial<AppOptions> = {}): App {
  return createApp({
    name: "protected",
    version: "1.0.0",
    state: memoryState(),
    auth: { mode: "jwt", secret: SECRET },
    publicUrl: PUBLIC,
    path: "/api/mcp",
    requestState: { keys: ["auth-app-key-0123456789-0123456789"] },
    tools: [whoami, keep, risky, confirm, write],
    resources: [
      resource("open://note", { name: "note", handler: () => "open" }),
      resource("shut://note", {
        name: "note",
        auth: ["files:read"],
        handler: () => "shut",
      }),
    ],
    ...options,
  });
}

/** The app as the test client takes it, at its path, with a token's claims. */
function as(
  app: App,
  overrides: Json | undefined,
  headers: Readonly<Record<string, string>> = {},
): Pick<App, "fetch"> {
  return {
    async fetch(request, info) {
      const sent = new Request(
        new URL("http://localhost/api/mcp"),
        request,
      );
      for (const [name, value] of Object.entries(headers)) {
        sent.headers.set(name, value);
      }
      if (overrides !== undefined) {
        sent.headers.set("authorization", `Bearer ${await hs256(overrides)}`);
      }
      return await app.fetch(sent, info);
    },
  };
}

function challengeOf({ headers }: { headers: Headers }): Json {
  return parseChallenge(headers.get("www-authenticate") ?? "");
}

Deno.test("handlers are told who calls, by whatever claims the token has", async () => {
  const app = serve();
  const told = async (overrides: Json) =>
    JSON.parse(textOf(await callTool(as(app, overrides), "whoami")));
  assert.deepEqual(await told({}), {
    clientId: "app",
    sub: "alice",
    scopes: ["files:read"],
    tenantId: "acme",
  });
  assert.deepEqual(
    await told({
      cid: "own",
      scope: "a b",
      scp: ["c"],
      mcp_tool_scopes: "b d",
      tid: undefined,
    }),
    { clientId: "own", sub: "alice", scopes: ["a", "b", "c", "d"] },
  );
  await app.close();
});

Deno.test("stdio asks for no credentials, and works on the default tenant", async () => {
  const app = serve();
  const request = await modernRequest("tools/call", { name: "whoami" }).text();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const served = app.serveStream({
    readable: new Blob([`${request}\n`]).stream(),
    writable: output.writable,
  });
  const reader = output.readable.pipeThrough(new TextDecoderStream())
    .getReader();
  const { value } = await reader.read();
  await served;
  const { result } = JSON.parse(value ?? "");
  assert.deepEqual(JSON.parse(result.content[0].text), { tenantId: "default" });
  await app.close();
});

const spoofs: Readonly<Record<string, string>> = {
  "x-forwarded-host": "evil.example.net",
  "x-forwarded-proto": "http",
  forwarded: "host=evil.example.net",
};

Deno.test("the challenge names the configured URL, whatever the request says it came for", async () => {
  const app = serve();
  for (const host of ["localhost", "10.0.0.5:8000", "evil.example.net"]) {
    const url = `http://${host}/api/mcp`;
    const response = await app.fetch(
      new Request(url, { method: "POST", headers: spoofs }),
    );
    assert.equal(response.status, 401);
    assert.deepEqual(challengeOf(response), { resource_metadata: METADATA });
    await response.body?.cancel();
  }
});

function metadataOf(
  app: App,
  path: string,
  method = "GET",
): Promise<Response> {
  return app.fetch(
    new Request(`http://10.0.0.5:8000${path}`, { method, headers: spoofs }),
  );
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

Deno.test("the metadata are where the challenge says, without credentials, on every path", async () => {
  for (const path of ["/api/mcp", "*"]) {
    const app = serve({ path });
    for (const place of [`${WELL_KNOWN}/api/mcp`, WELL_KNOWN]) {
      const response = await metadataOf(app, place);
      assert.equal(response.status, 200, place);
      assert.deepEqual(await response.json(), {
        resource: PUBLIC,
        bearer_methods_supported: ["header"],
        resource_name: "protected",
      });
      const head = await metadataOf(app, place, "HEAD");
      assert.equal(head.status, 200);
      assert.equal(await head.text(), "");
      assert.equal((await metadataOf(app, place, "OPTIONS")).status, 204);
      const posted = await metadataOf(app, place, "POST");
      assert.equal(posted.status, 405);
    }
    const other = await metadataOf(app, `${WELL_KNOWN}/other`);
    assert.equal(other.status, 404);
  }
});

Deno.test("a server without authentication has no metadata, on whatever path it is", async () => {
  for (const path of ["/api/mcp", "*"]) {
    const app = serve({ auth: { mode: "none" }, path });
    for (const place of [`${WELL_KNOWN}/api/mcp`, WELL_KNOWN]) {
      assert.equal((await metadataOf(app, place)).status, 404);
    }
    await app.close();
  }
});

Deno.test("a definition's scopes are checked before its handler, and all of them named", async () => {
  const app = serve({
    auth: { mode: "jwt", secret: SECRET, requiredScopes: ["mcp"] },
  });
  const answers = [
    await callTool(as(app, { scope: "mcp" }), "write", {}, { id: "w" }),
    await call(as(app, { scope: "mcp" }), "resources/read", {
      uri: "shut://note",
    }, { id: "w" }),
  ];
  for (const [index, scope] of ["files:write", "files:read"].entries()) {
    const answer = answers[index]!;
    assert.equal(answer.status, 403);
    assert.deepEqual(challengeOf(answer), {
      error: "insufficient_scope",
      error_description: `This needs the scopes: mcp ${scope}`,
      scope: `mcp ${scope}`,
      resource_metadata: METADATA,
    });
    assertMembers(answer.response, {
      id: "w",
      error: {
        code: ErrorCode.Forbidden,
        data: {
          reason: "insufficient_scope",
          requiredScopes: ["mcp", scope],
        },
      },
    });
    const { requestId } = answer.error.data as Json;
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
  }
  const good = as(app, { scope: "mcp files:write" });
  assert.equal(textOf(await callTool(good, "write")), "written");
  await app.close();
});

Deno.test("a scope found missing at run time is a challenge, until something was sent", async () => {
  const app = serve();
  const caller = as(app, { scope: "files:read" });
  const early = await callTool(caller, "risky", { late: false });
  assert.equal(early.status, 403);
  assert.deepEqual(challengeOf(early), {
    error: "insufficient_scope",
    error_description: "This needs the scopes: files:read files:delete",
    scope: "files:read files:delete",
    resource_metadata: METADATA,
  });
  const late = await callTool(caller, "risky", { late: true }, {
    meta: { progressToken: 1 },
  });
  assert.equal(late.status, 200);
  assert.equal(late.notifications.length, 1);
  assert.equal(late.result.isError, true);
  assertMembers(late.result.structuredContent, {
    error: { code: 403, data: { requiredScopes: ["files:delete"] } },
  });
  const granted = as(app, { scope: "files:read files:delete" });
  const done = await callTool(granted, "risky", { late: false });
  assert.equal(textOf(done), "deleted");
  await app.close();
});

Deno.test("without authentication scopes are not checked", async () => {
  const app = serve({ auth: { mode: "none" } });
  const answer = await callTool(as(app, undefined), "risky", { late: false });
  assert.equal(textOf(answer), "deleted");
  await app.close();
});

function names({ result }: Answer, member: string): unknown[] {
  return (result[member] as Json[]).map(({ name, uri }) => uri ?? name);
}

Deno.test("lists show callers what they may use, and are then no shared cache's business", async () => {
  const app = serve({
    listFilter: "scopes",
    cacheHints: { "tools/list": { ttlMs: 60_000, scope: "public" } },
  });
  const reader = await call(as(app, { scope: "files:read" }), "tools/list");
  const writer = await call(as(app, { scope: "files:write" }), "tools/list");
  assert.deepEqual(names(reader, "tools"), [
    "whoami",
    "keep",
    "risky",
    "confirm",
  ]);
  assert.deepEqual(names(writer, "tools"), [
    "whoami",
    "keep",
    "confirm",
    "write",
  ]);
  for (const { result } of [reader, writer]) {
    assert.equal(result.cacheScope, "private");
    assert.equal(result.ttlMs, 60_000);
  }
  const resources = await call(as(app, { scope: "" }), "resources/list");
  assert.deepEqual(names(resources, "resources"), ["open://note"]);
  await app.close();
});

Deno.test("lists that are the same for everyone may be cached by everyone", async () => {
  const app = serve({
    cacheHints: { "tools/list": { ttlMs: 60_000, scope: "public" } },
  });
  const { result } = await call(as(app, { scope: "" }), "tools/list");
  assert.equal(result.cacheScope, "public");
  assert.equal((result.tools as unknown[]).length, 5);
  await app.close();
});

Deno.test("tenants never see each other's state, and a caller without one has none", async () => {
  const app = serve();
  const kept = async (overrides: Json, value: string) =>
    await callTool(as(app, overrides), "keep", { value });
  assert.equal(textOf(await kept({ tid: "a" }, "of a")), "null");
  assert.equal(textOf(await kept({ tid: "b" }, "of b")), "null");
  assert.equal(textOf(await kept({ tid: "a", sub: "bob" }, "2")), "of a");
  const none = await kept({ tid: undefined }, "lost");
  assert.equal(none.result.isError, true);
  assertMembers(none.result.structuredContent, {
    error: { code: ErrorCode.InvalidRequest },
  });
  await app.close();
});

Deno.test("callers without a tenant can be refused, or given one", async () => {
  const strict = serve({
    auth: { mode: "jwt", secret: SECRET, tenant: "required" },
  });
  const refused = await callTool(as(strict, { tid: undefined }), "whoami");
  assert.equal(refused.status, 401);
  assert.equal(challengeOf(refused).error, "invalid_token");
  await strict.close();

  const single = serve({
    auth: { mode: "jwt", secret: SECRET, tenant: { default: "only" } },
  });
  const served = await callTool(as(single, { tid: undefined }), "whoami");
  assert.equal(JSON.parse(textOf(served)).tenantId, "only");
  await single.close();
});

const elicits = { capabilities: { elicitation: {} } };

Deno.test("request state serves its own caller, with a refreshed token too, and no other", async () => {
  const app = serve();
  const alice = { sub: "alice", exp: now() + 100 };
  const asked = await call(as(app, alice), "tools/call", {
    name: "confirm",
    inputResponses: { name: { action: "accept", content: { name: "Al" } } },
  }, elicits);
  assert.equal(asked.result.resultType, "input_required");
  const retry = {
    name: "confirm",
    arguments: {},
    requestState: asked.result.requestState ??
      assert.fail("the state was not sealed"),
    inputResponses: { ok: { action: "accept", content: { ok: true } } },
  };
  const strangers: Json[] = [
    { sub: "bob" },
    { client_id: "other" },
    { tid: "other" },
  ];
  for (const stranger of strangers) {
    const { error } = await call(
      as(app, { ...alice, ...stranger }),
      "tools/call",
      retry,
      elicits,
    );
    assertMembers(error, {
      code: ErrorCode.InvalidParams,
      data: { reason: "invalid_request_state" },
    });
  }
  const refreshed = { ...alice, exp: now() + 900, jti: "2", scope: "other" };
  const done = await call(as(app, refreshed), "tools/call", retry, elicits);
  assert.equal(textOf(done), "done");
  await app.close();
});

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "old", version: "1.0.0" },
  },
};

const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

Deno.test("a session serves its own caller, with a refreshed token too, and no other", async () => {
  const app = serve();
  const send = async (
    overrides: Json | undefined,
    body: unknown,
    session?: string,
  ) =>
    await read(
      await as(
        app,
        overrides,
        session === undefined ? {} : { "mcp-session-id": session },
      ).fetch(post(body)),
    );
  const opened = await send({ sub: "alice" }, INITIALIZE);
  const session = opened.headers.get("mcp-session-id") ?? assert.fail();
  const own = { sub: "alice", exp: now() + 900, jti: "2" };
  assert.equal((await send(own, LIST, session)).status, 200);

  const unknown = await send(own, LIST, crypto.randomUUID());
  assert.equal(unknown.status, 404);
  for (const stranger of [{ sub: "bob" }, { client_id: "x" }, { tid: "x" }]) {
    const answer = await send({ sub: "alice", ...stranger }, LIST, session);
    assert.equal(answer.status, 404);
    // Nothing tells it from a session that does not exist.
    assert.equal(answer.text, unknown.text);
    for (const method of ["GET", "DELETE"]) {
      const token = await hs256({ sub: "alice", ...stranger });
      const response = await app.fetch(
        new Request("http://localhost/api/mcp", {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: "text/event-stream",
            "mcp-session-id": session,
          },
        }),
      );
      assert.equal(response.status, 404, method);
      await response.body?.cancel();
    }
  }
  // Credentials come before anything that could be said of the session.
  for (const id of [session, crypto.randomUUID(), undefined]) {
    assert.equal((await send(undefined, LIST, id)).status, 401);
  }
  const expired = await hmacToken(
    { alg: "HS256" },
    claims({ sub: "alice", exp: now() - 900 }),
  );
  const late = await app.fetch(
    new Request("http://localhost/api/mcp", {
      method: "POST",
      headers: {
        authorization: `Bearer ${expired}`,
        "content-type": "application/json",
        "mcp-session-id": session,
      },
      body: JSON.stringify(LIST),
    }),
  );
  assert.equal(late.status, 401);
  await late.body?.cancel();
  assert.equal((await send(own, LIST, session)).status, 200);
  await app.close();
});

Deno.test("a check that lets nobody in any more closes open sessions as well", async () => {
  let known = true;
  const app = serve({
    auth: {
      verify: () =>
        known
          ? { clientId: "app", sub: "alice", tenantId: "acme", scopes: [] }
          : { authenticated: false, clientId: "app", scopes: [] } as never,
    },
  });
  const opened = await read(await as(app, undefined).fetch(post(INITIALIZE)));
  const session = opened.headers.get("mcp-session-id") ?? assert.fail();
  const listed = () =>
    as(app, undefined, { "mcp-session-id": session }).fetch(post(LIST));
  assert.equal((await read(await listed())).status, 200);
  known = false;
  assert.equal((await read(await listed())).status, 401);
  await app.close();
});

Deno.test("a 2025-era caller without the scope gets the same challenge", async () => {
  const app = serve({ sessionMode: "stateless" });
  const called = (scope: string, name: string, args: unknown) =>
    as(app, { scope }, { "mcp-protocol-version": "2025-11-25" }).fetch(
      post({
        jsonrpc: "2.0",
        id: 3,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    );
  const declared = await read(await called("", "write", {}));
  assert.equal(declared.status, 403);
  assert.equal(challengeOf(declared).scope, "files:write");
  const found = await read(
    await called("files:read", "risky", { late: false }),
  );
  assert.equal(found.status, 403);
  assert.equal(challengeOf(found).scope, "files:read files:delete");
  await app.close();
});
