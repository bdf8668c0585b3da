import assert from "node:assert/strict";
import type {
  AuthOptions,
  JwtAuthOptions,
} from "../../../transport/auth/options.ts";
import {
  assertCaller,
  assertRefused,
  bearer,
  claims,
  hmacToken,
  hs256,
  now,
  PUBLIC_URL,
  rawToken,
  SECRET,
  start,
} from "./_support.ts";

const HS256 = { alg: "HS256" };

async function outcomeOf(
  token: string,
  overrides: Partial<JwtAuthOptions> = {},
): Promise<number> {
  const options: AuthOptions = { mode: "jwt", secret: SECRET, ...overrides };
  const outcome = await start(options).authenticate(bearer(token));
  if (!(outcome instanceof Response)) return 200;
  const refusal = await assertRefused(outcome);
  assert.equal(refusal.challenge?.error, "invalid_token");
  return refusal.status;
}

Deno.test("jwt mode serves a token signed with the secret, as its claims say", async () => {
  const exp = now() + 60;
  const token = await hs256({ exp, iss: "https://issuer.example.com" });
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const caller = assertCaller(await authenticator.authenticate(bearer(token)));
  const { claims: signed, ...rest } = caller;
  assert.deepEqual(rest, {
    clientId: "app",
    scopes: ["files:read"],
    sub: "alice",
    tenantId: "acme",
    issuer: "https://issuer.example.com",
    expiresAt: exp,
  });
  assert.equal(signed?.scope, "files:read");
  assert(Object.isFrozen(caller) && Object.isFrozen(caller.scopes));
  assert(!JSON.stringify(caller).includes(token));
});

Deno.test("jwt mode refuses other algorithms, keys and forged signatures", async () => {
  const good = await hs256();
  const [header = "", payload = "", signature = ""] = good.split(".");
  const other = "another secret of 32 characters!";
  const tokens: Record<string, string> = {
    "alg none": rawToken({ alg: "none" }, claims()),
    "alg None": rawToken({ alg: "None" }, claims()),
    "alg nOnE with signature": rawToken({ alg: "nOnE" }, claims(), signature),
    "alg empty": rawToken({ alg: "" }, claims(), signature),
    "alg missing": rawToken({}, claims(), signature),
    "alg not a string": rawToken({ alg: ["HS256"] }, claims(), signature),
    "alg hs256": await hmacToken({ alg: "hs256" }, claims()),
    HS512: await hmacToken({ alg: "HS512" }, claims(), SECRET, "SHA-512"),
    HS384: await hmacToken({ alg: "HS384" }, claims(), SECRET, "SHA-384"),
    RS256: rawToken({ alg: "RS256" }, claims(), signature),
    "other secret": await hmacToken(HS256, claims(), other),
    "secret with a byte more": await hmacToken(HS256, claims(), `${SECRET}x`),
    "no signature": `${header}.${payload}.`,
    "two parts": `${header}.${payload}`,
    "five parts": `${header}.${payload}.${signature}.a.b`,
    "flipped signature": `${header}.${payload}.${
      (signature[0] === "A" ? "B" : "A") + signature.slice(1)
    }`,
    "changed payload": `${header}.${
      rawToken({}, claims({ scope: "admin" })).split(".")[1]
    }.${signature}`,
    "unknown critical header": await hmacToken(
      { ...HS256, crit: ["x"], x: 1 },
      claims(),
    ),
    "unencoded payload": await hmacToken(
      { ...HS256, crit: ["b64"], b64: false },
      claims(),
    ),
    "key in the header": await hmacToken(
      {
        alg: "HS256",
        jwk: { kty: "oct", k: btoa(other) },
      },
      claims(),
      other,
    ),
    "payload not an object": await hmacToken(HS256, [1]),
    "payload null": await hmacToken(HS256, null),
    "payload not JSON": await hmacToken(HS256, "not json"),
    "header not JSON": await hmacToken("not json", claims()),
  };
  for (const [name, token] of Object.entries(tokens)) {
    assert.equal(await outcomeOf(token), 401, name);
  }
});

Deno.test("jwt mode refuses a token after a change of any one character", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const token = await hs256({ tid: undefined });
  assertCaller(await authenticator.authenticate(bearer(token)));
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === "A" ? "B" : "A";
    const changed = token.slice(0, at) + other + token.slice(at + 1);
    const outcome = await authenticator.authenticate(bearer(changed));
    assert(outcome instanceof Response, `character ${at}`);
    assert.equal(outcome.status, 401);
  }
  for (
    const last
      of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  ) {
    if (token.endsWith(last)) continue;
    const changed = token.slice(0, -1) + last;
    const outcome = await authenticator.authenticate(bearer(changed));
    assert(outcome instanceof Response, `last character ${last}`);
  }
});

Deno.test("jwt mode takes dates only as numbers, wants exp, and allows for skewed clocks", async () => {
  const at = now();
  const table: [string, Record<string, unknown>, number][] = [
    ["in time", {}, 200],
    ["exp as text", { exp: "9999999999" }, 401],
    ["exp null", { exp: null }, 401],
    ["exp an array", { exp: [9999999999] }, 401],
    ["exp true", { exp: true }, 401],
    ["exp as a date", { exp: "2099-01-01T00:00:00Z" }, 401],
    ["no exp", { exp: undefined }, 401],
    ["exp zero", { exp: 0 }, 401],
    ["exp negative", { exp: -1 }, 401],
    ["exp in the tolerance", { exp: at - 1 }, 200],
    ["exp out of it", { exp: at - 60 }, 401],
    ["exp with a fraction", { exp: at + 60.5 }, 200],
    ["nbf as text", { nbf: "x" }, 401],
    ["nbf as digits", { nbf: "1" }, 401],
    ["nbf null", { nbf: null }, 401],
    ["nbf past", { nbf: at - 60 }, 200],
    ["nbf in the tolerance", { nbf: at + 5 }, 200],
    ["nbf out of it", { nbf: at + 120 }, 401],
    ["iat as text", { iat: "x" }, 401],
    ["iat past", { iat: at - 60 }, 200],
  ];
  for (const [name, overrides, status] of table) {
    assert.equal(await outcomeOf(await hs256(overrides)), status, name);
  }
  const endless = `{"client_id":"app","exp":1e999}`;
  assert.equal(
    await outcomeOf(await hmacToken(HS256, endless)),
    401,
    "exp infinite",
  );
});

Deno.test("jwt mode keeps to the clock tolerance that was set", async () => {
  const late = await hs256({ exp: now() - 60 });
  assert.equal(await outcomeOf(late, { clockToleranceSeconds: 0 }), 401);
  assert.equal(await outcomeOf(late, { clockToleranceSeconds: 300 }), 200);
  const justLate = await hs256({ exp: now() - 1 });
  assert.equal(await outcomeOf(justLate, { clockToleranceSeconds: 0 }), 401);
});

Deno.test("jwt mode checks issuer and audience once they are configured", async () => {
  const issuer = "https://issuer.example.com";
  const table: [Record<string, unknown>, Partial<JwtAuthOptions>, number][] = [
    [{}, {}, 200],
    [{ aud: "elsewhere", iss: "anyone" }, {}, 200],
    [{ iss: issuer }, { issuer }, 200],
    [{ iss: `${issuer}/` }, { issuer }, 401],
    [{ iss: issuer.toUpperCase() }, { issuer }, 401],
    [{ iss: [issuer] }, { issuer }, 401],
    [{}, { issuer }, 401],
    [{ aud: PUBLIC_URL }, { audience: PUBLIC_URL }, 200],
    [{ aud: ["x", PUBLIC_URL] }, { audience: PUBLIC_URL }, 200],
    [{ aud: "b" }, { audience: ["a", "b"] }, 200],
    [{ aud: "c" }, { audience: ["a", "b"] }, 401],
    [{ aud: [] }, { audience: PUBLIC_URL }, 401],
    [{ aud: [[PUBLIC_URL]] }, { audience: PUBLIC_URL }, 401],
    [{ aud: { 0: PUBLIC_URL } }, { audience: PUBLIC_URL }, 401],
    [{ aud: `${PUBLIC_URL}/` }, { audience: PUBLIC_URL }, 401],
    [{ aud: `${PUBLIC_URL}x` }, { audience: PUBLIC_URL }, 401],
    [{ aud: "https://pub.example.com" }, { audience: PUBLIC_URL }, 401],
    [{}, { audience: PUBLIC_URL }, 401],
  ];
  for (const [overrides, options, status] of table) {
    const name = JSON.stringify([overrides, options]);
    assert.equal(
      await outcomeOf(await hs256(overrides), options),
      status,
      name,
    );
  }
});

Deno.test("jwt mode takes the audience in every form of the same URL, because clients send them", async () => {
  const audience = "https://Mcp.Example.com";
  for (
    const aud of [
      "https://mcp.example.com",
      "https://mcp.example.com/",
      "HTTPS://MCP.EXAMPLE.COM",
      "https://mcp.example.com:443/",
    ]
  ) {
    assert.equal(await outcomeOf(await hs256({ aud }), { audience }), 200, aud);
  }
  for (
    const aud of [
      "https://mcp.example.com/mcp",
      "https://mcp.example.com?x",
      "https://mcp.example.com#x",
      "https://mcp.example.com:8443",
      "http://mcp.example.com",
      "https://user@mcp.example.com",
      " https://mcp.example.com",
      "https://mcp.example.com\n",
      "https://mcp.exam\tple.com",
      "https://mcp.example.com.evil.example",
    ]
  ) {
    assert.equal(await outcomeOf(await hs256({ aud }), { audience }), 401, aud);
  }
});

Deno.test("jwt mode takes only access tokens, and none that is bound to a key", async () => {
  for (const typ of ["JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt"]) {
    const token = await hmacToken({ alg: "HS256", typ }, claims());
    assert.equal(await outcomeOf(token), 200, typ);
  }
  for (const typ of ["logout+jwt", "dpop+jwt", "secevent+jwt", "JOSE", 7, ""]) {
    const token = await hmacToken({ alg: "HS256", typ }, claims());
    assert.equal(await outcomeOf(token), 401, String(typ));
  }
  assert.equal(await outcomeOf(await hs256({ cnf: { jkt: "x" } })), 401);
});

Deno.test("an expired token is 401 even when it lacks scopes, and only a good one is 403", async () => {
  const authenticator = start({
    mode: "jwt",
    secret: SECRET,
    requiredScopes: ["files:write"],
  });
  const expired = await assertRefused(
    await authenticator.authenticate(bearer(await hs256({ exp: now() - 99 }))),
  );
  assert.equal(expired.status, 401);
  assert.equal(expired.challenge?.error, "invalid_token");

  const lacking = await assertRefused(
    await authenticator.authenticate(bearer(await hs256())),
  );
  assert.equal(lacking.status, 403);
  assert.equal(lacking.code, 403);
  assert.equal(lacking.challenge?.error, "insufficient_scope");
  assert.equal(lacking.challenge?.scope, "files:write");
  assert.equal(
    lacking.challenge?.resource_metadata,
    "https://pub.example.com/.well-known/oauth-protected-resource/api/mcp",
  );
  assert(!("id" in lacking.body));

  assertCaller(
    await authenticator.authenticate(
      bearer(await hs256({ scope: "files:read files:write" })),
    ),
  );
});
