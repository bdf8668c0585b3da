import assert from "node:assert/strict";
import { exportSPKI } from "jose";
import {
  assertCaller,
  assertRefused,
  bearer,
  claims,
  hmacToken,
  Issuer,
  makeKey,
  now,
  PUBLIC_URL,
  rawToken,
  start,
} from "./_support.ts";

Deno.test("oauth mode serves tokens of each accepted algorithm, with keys that name none", async () => {
  await using issuer = new Issuer();
  const keys = [];
  for (const alg of ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]) {
    const key = await makeKey(`key-${alg}`, alg);
    keys.push(key);
    const { alg: _, ...unnamed } = key.jwk;
    issuer.keys.push(unnamed);
  }
  const authenticator = start(issuer.options());
  for (const key of keys) {
    const token = await issuer.sign(key);
    const caller = assertCaller(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(caller.issuer, issuer.url, key.alg);
    assert.equal(caller.sub, "alice");
  }
  assert.equal(issuer.fetches, 1);
});

Deno.test("oauth mode refuses forged, foreign and confused tokens with 401", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one", "RS256");
  const stranger = await makeKey("one", "RS256");
  const strong = await makeKey("strong", "RS512");
  const { alg: _, ...unnamed } = strong.jwk;
  issuer.keys.push(key.jwk, unnamed);
  const pem = await exportSPKI(key.publicKey);
  const full = claims({ iss: issuer.url, aud: PUBLIC_URL });
  const header = { alg: "HS256", kid: "one" };
  const good = await issuer.sign(key);
  const signature = good.split(".")[2] ?? "";
  const evil = new URL("/evil", issuer.url).href;
  issuer.routes.set("/evil", () => Response.json({ keys: [stranger.jwk] }));

  const tokens: Record<string, string> = {
    "alg none": rawToken({ alg: "none", kid: "one" }, full),
    "alg None": rawToken({ alg: "None", kid: "one" }, full),
    "alg NONE, signed": rawToken({ alg: "NONE", kid: "one" }, full, signature),
    "HS256 with the public key in PEM": await hmacToken(header, full, pem),
    "HS256 with the trimmed PEM": await hmacToken(header, full, pem.trim()),
    "HS256 with the JWK": await hmacToken(
      header,
      full,
      JSON.stringify(key.jwk),
    ),
    "HS256 with the modulus": await hmacToken(header, full, key.jwk.n),
    "HS256 with nothing": await hmacToken(header, full, " "),
    "alg of no default": await issuer.sign(strong),
    "same key id, other key": await issuer.sign(stranger),
    "unknown key id": await issuer.sign(key, {}, { kid: "two" }),
    "key id of a prototype": await issuer.sign(key, {}, { kid: "__proto__" }),
    "key id a path": await issuer.sign(key, {}, { kid: "../../etc/passwd" }),
    "key in the header": await issuer.sign(stranger, {}, {
      kid: "x",
      jwk: stranger.jwk,
    }),
    "key set in the header": await issuer.sign(stranger, {}, {
      kid: "x",
      jku: evil,
    }),
    "certificate in the header": await issuer.sign(stranger, {}, {
      kid: "x",
      x5u: evil,
      x5c: ["AAAA"],
    }),
    "signature of another token": good.split(".").slice(0, 1).concat(
      (await issuer.sign(key, { scope: "admin" })).split(".").slice(1, 2),
      signature,
    ).join("."),
    "no issuer": await issuer.sign(key, { iss: undefined }),
    "other issuer": await issuer.sign(key, { iss: "https://evil.example" }),
    "issuer with a slash": await issuer.sign(key, { iss: `${issuer.url}/` }),
    "issuer in a list": await issuer.sign(key, { iss: [issuer.url] }),
    "no audience": await issuer.sign(key, { aud: undefined }),
    "other audience": await issuer.sign(key, {
      aud: "https://api.example.com",
    }),
    "audience with a prefix": await issuer.sign(key, {
      aud: `${PUBLIC_URL}/x`,
    }),
    "audience of the host": await issuer.sign(key, {
      aud: "https://pub.example.com",
    }),
    "audience any": await issuer.sign(key, { aud: "*" }),
    "audience empty": await issuer.sign(key, { aud: "" }),
    expired: await issuer.sign(key, { exp: now() - 60 }),
    "no exp": await issuer.sign(key, { exp: undefined }),
    "exp as text": await issuer.sign(key, { exp: "9999999999" }),
    "nbf as text": await issuer.sign(key, { nbf: "x" }),
    "not yet": await issuer.sign(key, { nbf: now() + 120 }),
    "bound to a key": await issuer.sign(key, { cnf: { jkt: "x" } }),
    "an encrypted token":
      "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AAAA.AAAA",
  };
  const authenticator = start(issuer.options());
  assertCaller(await authenticator.authenticate(bearer(good)));
  for (const [name, token] of Object.entries(tokens)) {
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(refusal.status, 401, name);
    assert.equal(refusal.challenge?.error, "invalid_token", name);
  }
  assert(!issuer.requests.includes("/evil"), "a header said where keys are");
});

Deno.test("oauth mode lets clocks differ by 30 seconds", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one");
  issuer.keys.push(key.jwk);
  const authenticator = start(issuer.options());
  const token = await issuer.sign(key, { exp: now() - 1, nbf: now() + 1 });
  assertCaller(await authenticator.authenticate(bearer(token)));
});

Deno.test("oauth mode accepts only the algorithms that were configured", async () => {
  await using issuer = new Issuer();
  const es384 = await makeKey("a", "ES384");
  const es256 = await makeKey("b", "ES256");
  issuer.keys.push(es384.jwk, es256.jwk);
  const authenticator = start(issuer.options({ algorithms: ["ES384"] }));
  assertCaller(
    await authenticator.authenticate(
      bearer(await issuer.sign(es384)),
    ),
  );
  const refusal = await assertRefused(
    await authenticator.authenticate(bearer(await issuer.sign(es256))),
  );
  assert.equal(refusal.status, 401);
});

Deno.test("oauth mode tries every key that fits a token without a key id", async () => {
  await using issuer = new Issuer();
  const keys = [await makeKey("a"), await makeKey("b"), await makeKey("c")];
  const stranger = await makeKey("d");
  issuer.keys.push(...keys.map((key) => key.jwk));
  const authenticator = start(issuer.options());
  for (const key of keys) {
    const token = await issuer.sign(key, {}, { kid: undefined });
    assertCaller(await authenticator.authenticate(bearer(token)));
  }
  const late = await issuer.sign(keys[0]!, { exp: 1 }, { kid: undefined });
  const forged = await issuer.sign(stranger, {}, { kid: undefined });
  for (const token of [late, forged]) {
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(refusal.status, 401);
  }
});

Deno.test("oauth mode fetches keys once for 1,000 tokens with unknown key ids", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one");
  issuer.keys.push(key.jwk);
  const authenticator = start(issuer.options());
  const tokens = [];
  for (let at = 0; at < 1000; at++) {
    tokens.push(await issuer.sign(key, {}, { kid: `unknown-${at}` }));
  }
  // Half of them at once, half of them one after the other.
  const outcomes = await Promise.all(
    tokens.slice(0, 500).map((token) =>
      authenticator.authenticate(bearer(token))
    ),
  );
  for (const token of tokens.slice(500)) {
    outcomes.push(await authenticator.authenticate(bearer(token)));
  }
  assert.equal(outcomes.length, 1000);
  for (const outcome of outcomes) {
    assert(outcome instanceof Response);
    assert.equal(outcome.status, 401);
  }
  assert.equal(issuer.fetches, 1);
  assertCaller(
    await authenticator.authenticate(bearer(await issuer.sign(key))),
  );
  assert.equal(issuer.fetches, 1);
});

Deno.test("oauth mode answers 503 with Retry-After while there are no keys, and asks for them once", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one");
  const logged: unknown[][] = [];
  for (
    const answer of [
      () => new Response("down", { status: 500 }),
      () => new Response(null, { status: 404 }),
      () =>
        new Response(null, {
          status: 302,
          headers: { location: "https://elsewhere.example/jwks" },
        }),
      () => new Response("<html>"),
      () => Response.json({ keys: "none" }),
      () => Response.json(null),
    ]
  ) {
    issuer.requests.length = 0;
    logged.length = 0;
    issuer.routes.set("/jwks", answer);
    const authenticator = start(issuer.options(), {
      log: (...entry) => logged.push(entry),
    });
    const token = await issuer.sign(key);
    for (let at = 0; at < 20; at++) {
      const refusal = await assertRefused(
        await authenticator.authenticate(bearer(token)),
      );
      assert.equal(refusal.status, 503);
      assert.equal(refusal.code, 503);
      assert.equal(refusal.headers.get("retry-after"), "5");
      assert.equal(refusal.challenge, undefined);
    }
    assert.equal(issuer.fetches, 1);
    assert.equal(logged[0]?.[0], "error");
  }
});

Deno.test("oauth mode tells a bad token as such even when no keys can be had", async () => {
  await using issuer = new Issuer();
  issuer.routes.set("/jwks", () => new Response("down", { status: 500 }));
  const authenticator = start(issuer.options());
  for (
    const token of [
      "anything",
      rawToken({ alg: "none" }, claims()),
      await hmacToken({ alg: "HS256" }, claims()),
    ]
  ) {
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(refusal.status, 401);
  }
  assert.equal(issuer.fetches, 0);
});

Deno.test("oauth mode answers 503 when nobody listens at the issuer", async () => {
  const issuer = new Issuer();
  const key = await makeKey("one");
  const token = await issuer.sign(key);
  const options = issuer.options();
  await issuer[Symbol.asyncDispose]();
  for (const jwksUri of [options.jwksUri, undefined]) {
    const authenticator = start({ ...options, jwksUri });
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(refusal.status, 503);
    assert(!JSON.stringify(refusal.body).includes("127.0.0.1"));
  }
});
