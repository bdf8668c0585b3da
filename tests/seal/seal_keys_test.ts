import assert from "node:assert/strict";
import {
  createSealer,
  generateSealKey,
  parseSealKeys,
} from "../../seal/mod.ts";

const A = "a key for tests that is 32 bytes";
const B = "another key for tests: 32 bytes.";
const SHORT = "S3CRET and short";

Deno.test("generateSealKey() gives 32 random bytes as base64url, never the same", () => {
  const keys = Array.from({ length: 100 }, () => generateSealKey());
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) {
    assert.equal(
      Uint8Array.fromBase64(key, { alphabet: "base64url" }).length,
      32,
    );
    assert.match(key, /^[\w-]{43}$/);
  }
});

Deno.test("generateSealKey() makes keys that configuration and sealer take", () => {
  const keys = [generateSealKey(), generateSealKey()];
  assert.deepEqual(parseSealKeys(keys.join(",")), keys);
  createSealer({ keys });
});

Deno.test("parseSealKeys() reads keys in order and trims them", () => {
  assert.deepEqual(parseSealKeys(A), [A]);
  assert.deepEqual(parseSealKeys(`${B},${A}`), [B, A]);
  assert.deepEqual(parseSealKeys(`\n ${B}\t,  ${A} \r\n`), [B, A]);
  assert.deepEqual(parseSealKeys("ü".repeat(16)), ["ü".repeat(16)]);
});

Deno.test.each<[string, RegExp]>([
  ["", /key 1 of 1 is empty/],
  ["  ", /key 1 of 1 is empty/],
  [",", /key 1 of 2 is empty/],
  [`${A},`, /key 2 of 2 is empty/],
  [`${A},,${B}`, /key 2 of 3 is empty/],
  [SHORT, /key 1 of 1 is 16 bytes long/],
  [`${A}, ${SHORT}`, /key 2 of 2 is 16 bytes long/],
  [`${" ".repeat(32)}${SHORT}`, /key 1 of 1 is 16 bytes long/],
  [`${A},${B}, ${A}`, /key 3 of 3 is the same as key 1/],
  ["\ud800".repeat(32), /key 1 of 1 is not well-formed Unicode/],
])(
  "parseSealKeys() refuses %j, says what it takes, and shows no key",
  (value, message) => {
    assert.throws(() => parseSealKeys(value), (error) => {
      assert(error instanceof RangeError);
      assert.match(error.message, message);
      assert.match(error.message, /at least 32 bytes, separated by commas$/);
      for (const key of [A, B, SHORT]) assert.ok(!error.message.includes(key));
      return true;
    });
  },
);

Deno.test("parseSealKeys() refuses what is not a string", () => {
  for (const value of [undefined, null, 1, [A]]) {
    assert.throws(
      () => Reflect.apply(parseSealKeys, null, [value]),
      { name: "TypeError", message: /want a string/ },
    );
  }
});
