import assert from "node:assert/strict";
import {
  assertCaller,
  assertRefused,
  bearer,
  hs256,
  makeRequest,
  SECRET,
  start,
} from "./_support.ts";

const METADATA =
  "https://pub.example.com/.well-known/oauth-protected-resource/api/mcp";

Deno.test("authenticate() takes the scheme in any case and any number of spaces after it", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const token = await hs256();
  for (const prefix of ["Bearer ", "bearer ", "BEARER ", "bEaReR    "]) {
    const request = makeRequest({ authorization: prefix + token });
    const caller = assertCaller(await authenticator.authenticate(request));
    assert.equal(caller.clientId, "app", prefix);
  }
});

Deno.test("authenticate() answers requests without bearer credentials with 401 and no error code", async () => {
  const authenticator = start({
    mode: "jwt",
    secret: SECRET,
    requiredScopes: ["files:read", "files:list"],
  });
  const token = await hs256();
  const requests = [
    makeRequest(),
    makeRequest({ method: "GET" }),
    makeRequest({ method: "DELETE" }),
    makeRequest({ authorization: "Basic YTpi" }),
    makeRequest({ authorization: token }),
    makeRequest({ authorization: `Bearers ${token}` }),
    makeRequest({ authorization: `Bearer\t${token}` }),
    makeRequest({ authorization: `Basic YTpi, Bearer ${token}` }),
    makeRequest({ url: `http://localhost:8000/mcp?access_token=${token}` }),
    makeRequest({ url: `http://localhost:8000/mcp?token=${token}` }),
    makeRequest({ headers: { cookie: `access_token=${token}` } }),
    makeRequest({ headers: { "x-authorization": `Bearer ${token}` } }),
    makeRequest({ headers: { "proxy-authorization": `Bearer ${token}` } }),
  ];
  for (const request of requests) {
    const refusal = await assertRefused(
      await authenticator.authenticate(request),
    );
    assert.equal(refusal.status, 401);
    assert.equal(refusal.code, 401);
    assert.deepEqual(refusal.challenge, {
      scope: "files:read files:list",
      resource_metadata: METADATA,
    });
    assert.deepEqual(Object.keys(refusal.body), ["jsonrpc", "error"]);
  }
});

Deno.test("authenticate() answers malformed bearer credentials with 401 invalid_token", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const token = await hs256();
  const values = [
    "Bearer",
    "Bearer ",
    "Bearer  ",
    "Bearer anything",
    "Bearer a.b.c",
    "Bearer ..",
    "Bearer =",
    "Bearer null",
    "Bearer undefined",
    `Bearer ${token} ${token}`,
    `Bearer ${token},${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer Bearer ${token}`,
    `Bearer "${token}"`,
    `Bearer ${token};`,
    `Bearer ${token}.${token}`,
    `Bearer ${token.slice(0, -2)}`,
    `Bearer ${token}=`,
    `Bearer token="${token}"`,
    `Bearer ${"a".repeat(16_385)}`,
    `Bearer ${"a".repeat(100_000)}`,
    "Bearer \u00e9\u00e9",
  ];
  for (const value of values) {
    const request = makeRequest({ authorization: value });
    const refusal = await assertRefused(
      await authenticator.authenticate(request),
    );
    assert.equal(refusal.status, 401, value);
    assert.equal(refusal.challenge?.error, "invalid_token", value);
    assert.equal(refusal.challenge?.resource_metadata, METADATA, value);
    assert.notEqual(refusal.challenge?.error_description, undefined, value);
  }
});

Deno.test("authenticate() refuses a request with two Authorization headers", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const token = await hs256();
  const headers = new Headers();
  headers.append("authorization", `Bearer ${token}`);
  headers.append("authorization", `Bearer ${token}`);
  const request = new Request("http://localhost:8000/mcp", {
    method: "POST",
    headers,
  });
  const refusal = await assertRefused(
    await authenticator.authenticate(request),
  );
  assert.equal(refusal.status, 401);
  assert.equal(refusal.challenge?.error, "invalid_token");
});

Deno.test("authenticate() takes a token of the largest size and leaves the body unread", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const small = await hs256();
  const room = Math.floor((16_384 - small.length - 20) * 3 / 4);
  const token = await hs256({ padding: "x".repeat(room) });
  assert(token.length > 16_000 && token.length <= 16_384);
  const request = new Request("http://localhost:8000/mcp", {
    method: "POST",
    body: "{}",
    headers: { authorization: `Bearer ${token}` },
  });
  assertCaller(await authenticator.authenticate(request));
  assert.equal(request.bodyUsed, false);
  assert.equal(await request.text(), "{}");
});

Deno.test("authenticate() never repeats the token it refuses", async () => {
  const logged: unknown[] = [];
  const authenticator = start({ mode: "jwt", secret: SECRET }, {
    log: (...entry) => logged.push(entry),
  });
  const token = await hs256({ exp: 1, sub: "sensitive-subject" });
  const outcome = await authenticator.authenticate(bearer(token));
  const { body, headers } = await assertRefused(outcome);
  const said = JSON.stringify([body, [...headers], logged]);
  assert(!said.includes(token));
  assert(!said.includes("sensitive-subject"));
  assert.equal(logged.length, 1);
});
