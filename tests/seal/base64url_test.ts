import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeBase64Url, encodeBase64Url } from "../../seal/_base64url.ts";

// RFC 4648 section 10, without padding, and the two characters of its own.
const VECTORS: [string, string][] = [
  ["", ""],
  ["66", "Zg"],
  ["666f", "Zm8"],
  ["666f6f", "Zm9v"],
  ["666f6f62", "Zm9vYg"],
  ["666f6f6261", "Zm9vYmE"],
  ["666f6f626172", "Zm9vYmFy"],
  ["fbefbeff", "----_w"],
  ["ffffff", "____"],
];

Deno.test("base64url agrees with RFC 4648 in both directions", () => {
  for (const [hex, text] of VECTORS) {
    const bytes = Uint8Array.fromHex(hex);
    assert.equal(encodeBase64Url(bytes), text);
    assert.deepEqual(decodeBase64Url(text), bytes);
  }
});

Deno.test("base64url gives back any bytes, and writes what the platform writes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
    const text = encodeBase64Url(bytes);
    assert.equal(
      text,
      bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
    );
    assert.deepEqual(decodeBase64Url(text), new Uint8Array(bytes));
  }));
});

Deno.test("decodeBase64Url() takes no text that encodeBase64Url() does not write", () => {
  const tail = "AQgw-_+/= \n=zZ09%\0é";
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...tail), maxLength: 12 }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const bytes = decodeBase64Url(text);
      if (bytes !== undefined) assert.equal(encodeBase64Url(bytes), text);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("decodeBase64Url() takes exactly one text of each length for the same bytes", () => {
  const alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (
    const [start, canonical] of [["", 0], ["A", 4], ["AA", 16], [
      "AAA",
      64,
    ]] as const
  ) {
    const taken = [...alphabet].filter((end) => decodeBase64Url(start + end));
    assert.equal(taken.length, canonical, `after "${start}"`);
  }
});

Deno.test("base64url is the same where the platform has no coding of its own", () => {
  const { prototype } = Uint8Array;
  const encode = Object.getOwnPropertyDescriptor(prototype, "toBase64")!;
  const decode = Object.getOwnPropertyDescriptor(Uint8Array, "fromBase64")!;
  const samples = fc.sample(fc.uint8Array({ maxLength: 100 }), 200);
  const texts = samples.map(encodeBase64Url);
  Object.defineProperty(prototype, "toBase64", { ...encode, value: undefined });
  Object.defineProperty(Uint8Array, "fromBase64", {
    ...decode,
    value: undefined,
  });
  try {
    for (const [index, bytes] of samples.entries()) {
      assert.equal(encodeBase64Url(bytes), texts[index]);
      assert.deepEqual(decodeBase64Url(texts[index]!), new Uint8Array(bytes));
    }
    assert.equal(decodeBase64Url("Zh"), undefined);
    assert.equal(decodeBase64Url("Zg=="), undefined);
  } finally {
    Object.defineProperty(prototype, "toBase64", encode);
    Object.defineProperty(Uint8Array, "fromBase64", decode);
  }
});
