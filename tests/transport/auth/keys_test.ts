import assert from "node:assert/strict";
import * as jose from "jose";
import {
  createKeyFinder,
  type KeyFinderOptions,
  metadataUrls,
} from "../../../transport/auth/_keys.ts";
import {
  assertCaller,
  assertRefused,
  bearer,
  Issuer,
  makeKey,
  start,
} from "./_support.ts";

function finder(issuer: Issuer, options: Partial<KeyFinderOptions>) {
  return createKeyFinder(jose, {
    issuer: issuer.url,
    jwksUri: issuer.jwksUri,
    ...options,
  });
}

Deno.test("metadataUrls() lists the places in the specification's order", () => {
  assert.deepEqual(metadataUrls("https://auth.example.com"), [
    "https://auth.example.com/.well-known/oauth-authorization-server",
    "https://auth.example.com/.well-known/openid-configuration",
  ]);
  assert.deepEqual(metadataUrls("https://auth.example.com/"), [
    "https://auth.example.com/.well-known/oauth-authorization-server",
    "https://auth.example.com/.well-known/openid-configuration",
  ]);
  assert.deepEqual(metadataUrls("https://auth.example.com/tenant1"), [
    "https://auth.example.com/.well-known/oauth-authorization-server/tenant1",
    "https://auth.example.com/.well-known/openid-configuration/tenant1",
    "https://auth.example.com/tenant1/.well-known/openid-configuration",
  ]);
});

Deno.test("the key set is discovered at any of the places, once, when a token needs it", async () => {
  for (
    const [path, place] of [
      ["", "/.well-known/oauth-authorization-server"],
      ["", "/.well-known/openid-configuration"],
      ["/t1", "/.well-known/oauth-authorization-server/t1"],
      ["/t1", "/.well-known/openid-configuration/t1"],
      ["/t1", "/t1/.well-known/openid-configuration"],
    ] as const
  ) {
    await using issuer = new Issuer(path);
    issuer.publish(place);
    const key = await makeKey("one");
    issuer.keys.push(key.jwk);
    const authenticator = start(issuer.options({ jwksUri: undefined }));
    assert.deepEqual(issuer.requests, []);
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const token = await issuer.sign(key);
        assertCaller(await authenticator.authenticate(bearer(token)));
      }),
    );
    assert.equal(issuer.requests.filter((one) => one === place).length, 1);
    assert.equal(issuer.fetches, 1);
  }
});

Deno.test("metadata of another issuer, or with an unsafe key set, are not used", async () => {
  const place = "/.well-known/oauth-authorization-server";
  for (
    const overrides of [
      { issuer: "https://honest.example" },
      { issuer: undefined },
      { issuer: 7 },
      { jwks_uri: undefined },
      { jwks_uri: "http://keys.example.com/jwks" },
      { jwks_uri: "file:///etc/passwd" },
      { jwks_uri: "data:application/json,{}" },
      { jwks_uri: "/jwks" },
      { jwks_uri: ["https://keys.example.com/jwks"] },
    ]
  ) {
    await using issuer = new Issuer();
    issuer.publish(place, overrides);
    const key = await makeKey("one");
    issuer.keys.push(key.jwk);
    const authenticator = start(issuer.options({ jwksUri: undefined }));
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(await issuer.sign(key))),
    );
    assert.equal(refusal.status, 503, JSON.stringify(overrides));
    assert.equal(issuer.fetches, 0);
  }
});

Deno.test("a later place is tried when an earlier one answers nonsense", async () => {
  await using issuer = new Issuer();
  issuer.routes.set(
    "/.well-known/oauth-authorization-server",
    () => new Response("<html>a login page</html>"),
  );
  issuer.publish("/.well-known/openid-configuration");
  const key = await makeKey("one");
  issuer.keys.push(key.jwk);
  const authenticator = start(issuer.options({ jwksUri: undefined }));
  assertCaller(
    await authenticator.authenticate(bearer(await issuer.sign(key))),
  );
});

Deno.test("a rotated key is found as soon as the cooldown allows", async () => {
  await using issuer = new Issuer();
  const [before, after] = [await makeKey("one"), await makeKey("two")];
  issuer.keys.push(before.jwk);
  const find = finder(issuer, { cooldown: 0 });
  await find({ alg: "ES256", kid: "one" });
  issuer.keys = [after.jwk];
  await find({ alg: "ES256", kid: "two" });
  assert.equal(issuer.fetches, 2);
  await assert.rejects(find({ alg: "ES256", kid: "one" }), {
    code: "ERR_JWKS_NO_MATCHING_KEY",
  });
});

Deno.test("the last good keys serve through an outage, and no longer than allowed", async () => {
  await using issuer = new Issuer();
  const key = await makeKey("one");
  issuer.keys.push(key.jwk);
  const lasting = finder(issuer, { cacheMaxAge: 0 });
  const strict = finder(issuer, { cacheMaxAge: 0, staleMaxAge: 0 });
  await lasting({ alg: "ES256", kid: "one" });
  await strict({ alg: "ES256", kid: "one" });
  issuer.routes.set("/jwks", () => new Response("down", { status: 500 }));
  await lasting({ alg: "ES256", kid: "one" });
  await assert.rejects(strict({ alg: "ES256", kid: "one" }), {
    name: "KeysUnavailable",
  });
});

Deno.test("keys are asked for again after an outage, at the place the metadata then name", async () => {
  await using issuer = new Issuer();
  const place = "/.well-known/oauth-authorization-server";
  issuer.publish(place);
  issuer.routes.set("/jwks", () => new Response(null, { status: 410 }));
  const key = await makeKey("one");
  const find = createKeyFinder(jose, { issuer: issuer.url, retryDelay: 0 });
  await assert.rejects(find({ alg: "ES256", kid: "one" }), {
    name: "KeysUnavailable",
  });
  issuer.publish(place, { jwks_uri: new URL("/keys", issuer.url).href });
  issuer.routes.set("/keys", () => Response.json({ keys: [key.jwk] }));
  await find({ alg: "ES256", kid: "one" });
});

Deno.test("a key set that never answers is given up", async () => {
  await using issuer = new Issuer();
  const gate = Promise.withResolvers<void>();
  issuer.routes.set("/jwks", () =>
    new Response(
      new ReadableStream({
        async pull(controller) {
          await gate.promise;
          controller.close();
        },
      }),
    ));
  const find = finder(issuer, { timeout: 50 });
  await assert.rejects(find({ alg: "ES256", kid: "one" }), {
    name: "KeysUnavailable",
  });
  gate.resolve();
});

Deno.test("a key set with unusable keys is the issuer's fault and not the token's", async () => {
  await using issuer = new Issuer();
  const { privateKey } = await makeKey("one");
  issuer.keys.push({
    ...await jose.exportJWK(privateKey),
    kid: "one",
    key_ops: ["verify"],
  });
  const find = finder(issuer, {});
  await assert.rejects(find({ alg: "ES256", kid: "one" }), {
    name: "KeysUnavailable",
  });
});
