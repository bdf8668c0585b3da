import assert from "node:assert/strict";
import { rememberVerified } from "../../../transport/auth/_token.ts";
import { assertCaller, bearer, Issuer, makeKey, start } from "./_support.ts";

/** A verifier that counts, for tokens that expire at second 100. */
function counting(options: { maxAge?: number; maxTokens?: number } = {}) {
  const verified: string[] = [];
  let time = 0;
  const verify = rememberVerified((token) => {
    verified.push(token);
    if (token.startsWith("bad")) return Promise.reject(new Error("bad"));
    const caller = { clientId: token, scopes: [], expiresAt: 100 };
    return Promise.resolve(caller);
  }, { clockToleranceSeconds: 30, now: () => time, ...options });
  return {
    verify,
    verified,
    at(seconds: number) {
      time = seconds * 1000;
    },
  };
}

Deno.test("a good token is verified once in its minute", async () => {
  const { verify, verified, at } = counting();
  const first = await verify("a");
  at(59);
  assert.equal(await verify("a"), first);
  assert.equal((await verify("b")).clientId, "b");
  assert.deepEqual(verified, ["a", "b"]);
  at(60);
  await verify("a");
  assert.deepEqual(verified, ["a", "b", "a"]);
});

Deno.test("a token is not remembered past its expiry and the tolerance", async () => {
  const { verify, verified, at } = counting({ maxAge: 1_000_000 });
  await verify("a");
  at(129.9);
  await verify("a");
  assert.equal(verified.length, 1);
  at(130);
  await verify("a");
  await verify("a");
  assert.equal(verified.length, 3);
});

Deno.test("a bad token is verified each time", async () => {
  const { verify, verified } = counting();
  await assert.rejects(verify("bad"));
  await assert.rejects(verify("bad"));
  assert.equal(verified.length, 2);
});

Deno.test("the oldest tokens are forgotten when there are too many", async () => {
  const { verify, verified } = counting({ maxTokens: 2 });
  for (const token of ["a", "b", "c"]) await verify(token);
  verified.length = 0;
  for (const token of ["b", "c", "a", "c", "b"]) await verify(token);
  assert.deepEqual(verified, ["a", "b"]);
});

Deno.test("callers of one remembered token share nothing that a handler could change", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one");
  issuer.keys.push(key.jwk);
  const authenticator = start(issuer.options());
  const token = await issuer.sign(key, { org: { roles: ["reader"] } });
  const caller = assertCaller(await authenticator.authenticate(bearer(token)));
  const org = caller.claims?.org;
  assert(typeof org === "object" && org !== null && "roles" in org);
  assert(Object.isFrozen(caller.claims));
  assert(Object.isFrozen(org));
  assert(Object.isFrozen(org.roles));
  const again = assertCaller(await authenticator.authenticate(bearer(token)));
  assert.deepEqual(again, caller);
});
