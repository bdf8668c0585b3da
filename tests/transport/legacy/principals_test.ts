import assert from "node:assert/strict";
import { type AuthContext, tool, z } from "../../../mod.ts";
import {
  initializeBody,
  postRequest,
  RawSession,
  SseReader,
} from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const USERS: Readonly<Record<string, AuthContext>> = {
  alice: { clientId: "app", sub: "alice", scopes: ["read"] },
  alice2: { clientId: "app", sub: "alice", scopes: ["read", "write"] },
  bob: { clientId: "app", sub: "bob", scopes: ["read"] },
  other: { clientId: "other", sub: "alice", scopes: ["read"] },
};

const whoami = tool("whoami", {
  auth: ["read"],
  handler: (_args, ctx) => `${ctx.auth?.sub} ${ctx.auth?.scopes.join(" ")}`,
});
const write = tool("write", { auth: ["write"], handler: () => "written" });
const ask = tool("ask", {
  async handler(_args, ctx) {
    const { x } = await ctx.ask("x", {
      message: "?",
      schema: z.object({ x: z.string() }),
    });
    return x;
  },
});

/** An app whose tokens are names. */
function protectedApp() {
  return testApp({
    tools: [whoami, write, ask],
    auth: {
      verify(request: Request) {
        const token = request.headers.get("authorization")?.slice(7);
        return USERS[token ?? ""];
      },
    },
  });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

Deno.test("credentials are checked before all else, with every request", async () => {
  const app = protectedApp();
  const session = await RawSession.open(app, { headers: bearer("alice") });
  for (
    const headers of [
      { authorization: "" },
      bearer("unknown"),
      { ...bearer("unknown"), "mcp-session-id": crypto.randomUUID() },
    ] as Record<string, string>[]
  ) {
    const nobody = session.with(headers);
    for (
      const response of [
        await nobody.request("tools/list"),
        await nobody.get(),
        await nobody.delete(),
        await app.fetch(postRequest(initializeBody("2025-11-25"), headers)),
      ]
    ) {
      assert.equal(response.status, 401);
      assert.ok(response.headers.has("www-authenticate"));
      await response.body?.cancel();
    }
  }
  await app.close();
});

Deno.test("a session belongs to whoever opened it, and not to a token", async () => {
  const app = protectedApp();
  const session = await RawSession.open(app, { headers: bearer("alice") });
  const unknown = await session.with({
    "mcp-session-id": crypto.randomUUID(),
  }).request("ping");
  const notFound = await unknown.text();
  for (const token of ["bob", "other"]) {
    const stranger = session.with(bearer(token));
    const response = await stranger.request("ping");
    assert.equal(response.status, 404);
    assert.equal(await response.text(), notFound);
    for (const refused of [await stranger.get(), await stranger.delete()]) {
      assert.equal(refused.status, 404);
      await refused.body?.cancel();
    }
  }
  const refreshed = await session.with(bearer("alice2")).call("whoami");
  const { result } = await refreshed.json();
  assert.equal(result.content[0].text, "alice read write");
  await app.close();
});

Deno.test("a missing scope is answered with a challenge", async () => {
  const app = protectedApp();
  const session = await RawSession.open(app, { headers: bearer("alice") });
  const response = await session.call("write", {}, 9);
  assert.equal(response.status, 403);
  const challenge = response.headers.get("www-authenticate") ?? "";
  assert.match(challenge, /error="insufficient_scope"/);
  assert.match(challenge, /scope="write"/);
  assert.equal((await response.json()).id, 9);
  const allowed = await session.with(bearer("alice2")).call("write");
  assert.equal((await allowed.json()).result.content[0].text, "written");
  await app.close();
});

Deno.test("questions are answered, and streams resumed, by their principal only", async () => {
  const app = protectedApp();
  const session = await RawSession.open(app, {
    headers: bearer("alice"),
    capabilities: { elicitation: {} },
  });
  const stream = new SseReader(await session.call("ask"));
  const prime = await stream.next();
  const question = await stream.next();
  const answer = {
    jsonrpc: "2.0",
    id: question!.message.id,
    result: { action: "accept", content: { x: "mine" } },
  };
  const thief = session.with(bearer("bob"));
  assert.equal((await thief.post(answer)).status, 404);
  assert.equal((await thief.get(prime!.id)).status, 404);
  assert.equal((await session.with(bearer("alice2")).post(answer)).status, 202);
  assert.equal((await stream.message()).result.content[0].text, "mine");
  await app.close();
});
