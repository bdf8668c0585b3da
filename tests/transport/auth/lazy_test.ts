import assert from "node:assert/strict";
import {
  assertCaller,
  assertRefused,
  bearer,
  Issuer,
  makeKey,
  makeRequest,
  start,
} from "./_support.ts";

Deno.test("requests that come before it is loaded share one authenticator, in their order", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("k");
  issuer.keys = [key.jwk];
  const authenticator = start(issuer.options());
  const token = await issuer.sign(key);
  const answered: string[] = [];
  const outcomes = await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      const [caller, refused] = await Promise.all([
        authenticator.authenticate(bearer(token)),
        authenticator.authenticate(makeRequest()).finally(() =>
          answered.push(name)
        ),
      ]);
      return { caller, refused };
    }),
  );
  for (const { caller, refused } of outcomes) {
    assert.equal(assertCaller(caller).clientId, "app");
    assert.equal((await assertRefused(refused)).status, 401);
  }
  assert.deepEqual(answered, ["a", "b", "c"]);
  // A second one would have its own keys, and its own memory of tokens.
  assert.equal(issuer.fetches, 1);
});

Deno.test("metadata can be the first that is asked for", async () => {
  const authenticator = start({ verify: () => null });
  const url = new URL(
    "https://pub.example.com/.well-known/oauth-protected-resource",
  );
  const response = await authenticator.metadata(new Request(url), url);
  assert.equal(response?.status, 200);
  await response?.body?.cancel();
});
