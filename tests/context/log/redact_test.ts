import assert from "node:assert/strict";
import fc from "fast-check";
import { createRedactor } from "../../../context/log/redact.ts";
import { setSensitiveFields } from "../../../context/log/sensitive_fields.ts";
import type { JsonValue } from "../../../context/log/to_json.ts";

const MASKED = [
  "password",
  "Password",
  "PASSWORD",
  "pAsSwOrD",
  "userPassword",
  "password2",
  "password_hash",
  "dbpassword",
  "passwords",
  "passwd",
  "pwd",
  "secret",
  "clientSecret",
  "client_secret",
  "clientsecret",
  "token",
  "tokens",
  "accessToken",
  "ACCESS_TOKEN",
  "accesstoken",
  "tokenCount",
  "JWTToken",
  "oauth2Token",
  "x-csrf-token",
  "apiKey",
  "API_KEY",
  "api key",
  "api.key",
  "apikey",
  "APIKey",
  "x-api-key",
  "stripeApiKeys",
  "authorization",
  "Proxy-Authorization",
  "cookie",
  "Set-Cookie",
  "setcookie",
  "credential",
  "awsCredentials",
  "private_key",
  "privateKeyPem",
  "PrivateKey",
  "ssh-private-key",
  "ｐａｓｓｗｏｒｄ",
];

const KEPT = [
  "name",
  "key",
  "keys",
  "publicKey",
  "monkey",
  "sessionId",
  "requestId",
  "author",
  "authority",
  "secretary",
  "tokenizer",
  "compass",
  "passenger",
  "passed",
  "",
  "…",
];

Deno.test.each(MASKED)("redact() masks the field %s", (name) => {
  const redact = createRedactor();
  for (const value of ["x", 1, null, { a: 1 }, ["x"]]) {
    assert.deepEqual(redact({ [name]: value, other: 1 }), {
      [name]: "[REDACTED]",
      other: 1,
    });
  }
});

Deno.test.each(KEPT)("redact() keeps the field %s", (name) => {
  const value = { [name]: "x" };
  assert.equal(createRedactor()(value), value);
});

Deno.test("redact() masks at any depth and never changes what it is given", () => {
  const value: JsonValue = {
    list: [{ deep: { token: "t" } }, 1],
    same: { a: 1 },
  };
  const before = structuredClone(value);
  const redacted = createRedactor()(value) as typeof value;
  assert.deepEqual(redacted, {
    list: [{ deep: { token: "[REDACTED]" } }, 1],
    same: { a: 1 },
  });
  assert.deepEqual(value, before);
  assert.equal(redacted.same, value.same, "unchanged parts are not copied");
});

Deno.test("redact() lets nothing through below the depth it can walk", () => {
  let value: JsonValue = { token: "SECRET" };
  for (let depth = 0; depth < 5000; depth++) value = [value];
  const text = JSON.stringify(createRedactor()(value));
  assert.ok(!text.includes("SECRET"));
});

Deno.test("createRedactor() masks the fields it is given, in any spelling", () => {
  const redact = createRedactor(["home_address"]);
  assert.deepEqual(redact({ userHomeAddress: 1, "HOME-ADDRESS": 2, home: 3 }), {
    userHomeAddress: "[REDACTED]",
    "HOME-ADDRESS": "[REDACTED]",
    home: 3,
  });
  assert.throws(() => createRedactor(["--"]), /TypeError: .*"--".*a letter/);
});

Deno.test("setSensitiveFields() adds to every redactor of the process", () => {
  const before = createRedactor();
  const value = { ibanNumber: "x", token: "t", petName: "p" };
  assert.equal((before(value) as typeof value).ibanNumber, "x");
  setSensitiveFields(["iban"]);
  setSensitiveFields(["PetName"]);
  const masked = "[REDACTED]";
  for (const redact of [before, createRedactor()]) {
    assert.deepEqual(redact(value), {
      ibanNumber: masked,
      token: masked,
      petName: masked,
    });
  }
});

Deno.test("redact() keeps __proto__ an ordinary field", () => {
  const value = JSON.parse('{"__proto__":{"token":"t"},"a":1}');
  assert.equal(
    JSON.stringify(createRedactor()(value)),
    '{"__proto__":{"token":"[REDACTED]"},"a":1}',
  );
});

Deno.test("redact() twice is redact() once, and leaves no secret", () => {
  const redact = createRedactor();
  const name = fc.constantFrom(...MASKED, ...KEPT);
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonValue>("a", 1, null),
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(name, tie("tree"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(fc.property(tree, (value) => {
    const once = redact(value);
    assert.equal(redact(once), once);
    JSON.stringify(once, (key, item) => {
      if (MASKED.includes(key)) assert.equal(item, "[REDACTED]");
      return item;
    });
  }));
});
