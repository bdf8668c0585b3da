import assert from "node:assert/strict";
import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { InvalidTokenError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import * as jose from "jose";
import {
  configurationError,
  forbidden,
  rateLimited,
  serviceUnavailable,
  unauthorized,
} from "../../../errors.ts";
import type { VerifyResult } from "../../../transport/auth/options.ts";
import {
  assertCaller,
  assertRefused,
  makeRequest,
  now,
  SECRET,
  start,
} from "./_support.ts";

/** What a verify function written in JavaScript may give. */
function giving(value: unknown) {
  return start({ verify: () => value as VerifyResult });
}

function throwing(error: unknown) {
  return start({
    verify: () => {
      throw error;
    },
  });
}

const KEY = { authorization: "Bearer k-1" };

Deno.test("verify() says who calls, from whatever part of the request it likes", async () => {
  const authenticator = start({
    verify: async (request) => {
      await Promise.resolve();
      const key = request.headers.get("x-api-key");
      return key === "k-1"
        ? {
          clientId: "bot",
          scopes: ["b", "a", "b"],
          sub: "s",
          tenantId: "t",
          issuer: "https://i.example",
          expiresAt: now() + 5,
          claims: { plan: "free" },
        }
        : null;
    },
  });
  const caller = assertCaller(
    await authenticator.authenticate(
      makeRequest({ headers: { "x-api-key": "k-1" } }),
    ),
  );
  assert.equal(authenticator.mode, "verify");
  assert.equal(caller.clientId, "bot");
  assert.deepEqual(caller.scopes, ["b", "a"]);
  assert.equal(caller.sub, "s");
  assert.equal(caller.tenantId, "t");
  assert.equal(caller.issuer, "https://i.example");
  assert.deepEqual(caller.claims, { plan: "free" });
  assert(Object.isFrozen(caller));
});

Deno.test("verify() sees method, URL and headers, and cannot use up the body", async () => {
  let seen: Request | undefined;
  const authenticator = start({
    verify: async (request) => {
      seen = request;
      assert.equal(await request.text(), "");
      return { clientId: "a", scopes: [] };
    },
  });
  const request = new Request("http://localhost/mcp?x=1", {
    method: "POST",
    body: "{}",
    headers: { "x-a": "b" },
  });
  assertCaller(await authenticator.authenticate(request));
  assert.equal(seen?.url, request.url);
  assert.equal(seen?.method, "POST");
  assert.equal(seen?.headers.get("x-a"), "b");
  assert.equal(await request.text(), "{}");
});

Deno.test("verify() that names nobody is 401, with an error code when there were credentials", async () => {
  const nobody = [
    null,
    undefined,
    false,
    true,
    0,
    "",
    "alice",
    [],
    {},
    { authenticated: false },
    { active: false },
    { authenticated: false, clientId: "a", scopes: [] },
    { active: false, clientId: "a", scopes: [] },
    { clientId: "", scopes: [] },
    { clientId: null, scopes: [] },
    { sub: "alice", scopes: ["x"] },
    { authenticated: true },
    { clientId: "a", scopes: [], expiresAt: 1 },
    { clientId: "a", scopes: [], expiresAt: now() - 1 },
  ];
  for (const value of nobody) {
    const authenticator = giving(value);
    const name = JSON.stringify(value);
    const withKey = await assertRefused(
      await authenticator.authenticate(makeRequest(KEY)),
    );
    assert.equal(withKey.status, 401, name);
    assert.equal(withKey.challenge?.error, "invalid_token", name);
  }
  const without = await assertRefused(
    await giving(null).authenticate(makeRequest()),
  );
  assert.equal(without.status, 401);
  assert.equal(without.challenge?.error, undefined);
});

Deno.test("verify() that names a caller and gets the rest wrong is the server's fault", async () => {
  for (
    const value of [
      { clientId: 7, scopes: [] },
      { clientId: "\ud800", scopes: [] },
      { clientId: "a", scopes: "read write" },
      { clientId: "a", scopes: [1] },
      { clientId: "a", scopes: {} },
      { clientId: "a", scopes: [], expiresAt: "tomorrow" },
      { clientId: "a", scopes: [], expiresAt: NaN },
      { clientId: "a", scopes: [], sub: 7 },
      { clientId: "a", scopes: [], sub: "" },
      { clientId: "a", scopes: [], tenantId: "" },
      { clientId: "a", scopes: [], tenantId: "\udc00" },
      { clientId: "a", scopes: [], issuer: {} },
    ]
  ) {
    const refusal = await assertRefused(
      await giving(value).authenticate(makeRequest(KEY)),
    );
    assert.equal(refusal.status, 500, JSON.stringify(value));
    assert.equal(refusal.code, -32603);
    assert.equal(refusal.challenge, undefined);
  }
});

Deno.test("verify() may leave out scopes and give empty members", async () => {
  const value = {
    clientId: "a",
    sub: undefined,
    tenantId: null,
    expiresAt: null,
  };
  const caller = assertCaller(
    await giving(value).authenticate(makeRequest(KEY)),
  );
  assert.deepEqual(caller, { clientId: "a", scopes: [] });
});

Deno.test("verify() that throws for a caller's fault gets the caller's status", async () => {
  const table: [unknown, number, string | undefined][] = [
    [unauthorized("Key was revoked"), 401, "invalid_token"],
    [forbidden("Account is suspended"), 403, undefined],
    [
      forbidden("More", { requiredScopes: ["x"] }),
      403,
      "insufficient_scope",
    ],
    [new OAuthError(OAuthErrorCode.InvalidToken, "No"), 401, "invalid_token"],
    [new InvalidTokenError("No"), 401, "invalid_token"],
    [new jose.errors.JWTExpired("No", {}), 401, "invalid_token"],
    [new jose.errors.JWSInvalid("No"), 401, "invalid_token"],
    [
      new jose.errors.JWSSignatureVerificationFailed(),
      401,
      "invalid_token",
    ],
  ];
  for (const [error, status, code] of table) {
    const refusal = await assertRefused(
      await throwing(error).authenticate(makeRequest(KEY)),
    );
    assert.equal(refusal.status, status, String(error));
    assert.equal(refusal.challenge?.error, code, String(error));
    assert.notEqual(refusal.challenge?.resource_metadata, undefined);
  }
});

Deno.test("verify() that throws for another reason is never taken for a bad token", async () => {
  const table: [unknown, number, string | null][] = [
    [rateLimited("Slower"), 429, "5"],
    [rateLimited("Slower", { retryAfterSeconds: 30.2 }), 429, "31"],
    [serviceUnavailable("Directory is down"), 503, "5"],
    [new jose.errors.JWKSTimeout(), 503, "5"],
    [configurationError("secret path /etc/keys"), 500, null],
    [
      new TypeError("error sending request for url (http://10.0.0.9)"),
      500,
      null,
    ],
    [new Error("connection refused"), 500, null],
    [new DOMException("late", "TimeoutError"), 500, null],
    ["a string", 500, null],
    [undefined, 500, null],
    [null, 500, null],
    [{ status: 401 }, 500, null],
  ];
  for (const [error, status, retryAfter] of table) {
    const refusal = await assertRefused(
      await throwing(error).authenticate(makeRequest(KEY)),
    );
    assert.equal(refusal.status, status, String(error));
    assert.equal(refusal.headers.get("retry-after"), retryAfter);
    assert.equal(refusal.challenge, undefined);
    if (status === 500) {
      assert.equal(refusal.message, "The request could not be authenticated");
    }
  }
});

Deno.test("verify() that fails is logged for the operator with its cause", async () => {
  const logged: unknown[][] = [];
  const error = new Error("connection refused");
  const authenticator = start({
    verify: () => Promise.reject(error),
  }, { log: (...entry) => logged.push(entry) });
  await assertRefused(await authenticator.authenticate(makeRequest(KEY)));
  assert.deepEqual(logged, [
    ["error", "Request could not be authenticated", { error }],
  ]);
});

Deno.test("verify() may use jose itself and let its errors through", async () => {
  const key = new TextEncoder().encode(SECRET);
  const authenticator = start({
    verify: async (request) => {
      const token = request.headers.get("x-token") ?? "";
      const { payload } = await jose.jwtVerify(token, key);
      return { clientId: String(payload.client_id), scopes: [] };
    },
  });
  const good = await new jose.SignJWT({ client_id: "a" })
    .setProtectedHeader({ alg: "HS256" }).sign(key);
  assertCaller(
    await authenticator.authenticate(
      makeRequest({ headers: { "x-token": good } }),
    ),
  );
  const bad = await assertRefused(
    await authenticator.authenticate(
      makeRequest({ headers: { "x-token": "nonsense" } }),
    ),
  );
  assert.equal(bad.status, 401);
});
