import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type ConsentRecord,
  consentRecord,
  hashContent,
  recordsEqual,
} from "../../input/consent.ts";

const record: ConsentRecord = consentRecord({
  operation: "delete_path",
  clientId: "client",
  subject: "ann",
  target: "/a",
  contentHash: "bytes:00",
});

Deno.test("consentRecord() is of the empty caller without authentication", () => {
  assert.deepEqual(
    consentRecord({
      operation: "delete_path",
      subject: undefined,
      target: "/a",
      contentHash: "",
    }),
    {
      operation: "delete_path",
      clientId: "",
      subject: "",
      target: "/a",
      contentHash: "",
    },
  );
});

Deno.test("recordsEqual() holds for what came back from a store", () => {
  assert.equal(recordsEqual(JSON.parse(JSON.stringify(record)), record), true);
  assert.equal(recordsEqual(structuredClone(record), record), true);
});

Deno.test("recordsEqual() fails when any one field differs or is missing", () => {
  for (const field of Object.keys(record) as (keyof ConsentRecord)[]) {
    assert.equal(recordsEqual({ ...record, [field]: "other" }, record), false);
    assert.equal(recordsEqual({ ...record, [field]: "" }, record), false);
    assert.equal(recordsEqual({ ...record, [field]: null }, record), false);
    const { [field]: _, ...rest } = record;
    assert.equal(recordsEqual(rest, record), false);
    assert.equal(
      recordsEqual({ ...rest, other: record[field] }, record),
      false,
    );
  }
});

Deno.test("recordsEqual() fails for what is no record", () => {
  const values: unknown[] = [
    null,
    undefined,
    "delete_path",
    [],
    {},
    [record],
    { ...record, more: "x" },
    Object.create(record),
    { ...record, target: ["/a"] },
  ];
  for (const value of values) {
    assert.equal(recordsEqual(value, record), false);
  }
});

Deno.test("recordsEqual() keeps fields apart that read the same when joined", () => {
  const one = { ...record, clientId: "ab", subject: "c" };
  const two = { ...record, clientId: "a", subject: "bc" };
  assert.equal(recordsEqual(one, two), false);
});

Deno.test("hashContent() is the SHA-256 of the bytes", async () => {
  const abc = new TextEncoder().encode("abc");
  const wanted =
    "bytes:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assert.equal(await hashContent(abc), wanted);
  assert.equal(await hashContent(abc.buffer), wanted);
  assert.equal(await hashContent(new DataView(abc.buffer)), wanted);
  const part = new TextEncoder().encode("-abc-").subarray(1, 4);
  assert.equal(await hashContent(part), wanted);
});

Deno.test("hashContent() of a JSON value does not depend on the order of keys", async () => {
  const one = await hashContent({ path: "/a", opts: { x: 1, y: [1, 2] } });
  const two = await hashContent({ opts: { y: [1.0, 2], x: 1 }, path: "/a" });
  assert.equal(one, two);
  assert.match(one, /^json:[0-9a-f]{64}$/);
});

Deno.test("hashContent() tells apart what is not the same content", async () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const contents: unknown[] = [
    undefined,
    null,
    "",
    "null",
    0,
    "0",
    false,
    [],
    {},
    { a: null },
    [null],
    { a: [1, 2] },
    { a: [2, 1] },
    "\ud800",
    "\ud801",
    "\ufffd",
    "é",
    "e\u0301",
    bytes(""),
    bytes("null"),
    bytes("{}"),
    bytes('""'),
  ];
  const hashes = await Promise.all(contents.map(hashContent));
  assert.equal(new Set(hashes).size, contents.length);
});

Deno.test("hashContent() is the same before and after JSON, for any JSON value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ stringUnit: "binary" }), async (value) => {
      const text = JSON.stringify(value);
      assert.equal(
        await hashContent(value),
        await hashContent(JSON.parse(text)),
      );
    }),
  );
});

Deno.test("hashContent() refuses what is neither JSON nor bytes", async () => {
  const contents: unknown[] = [() => 1, 1n, Symbol("s"), new Map(), NaN];
  for (const content of contents) {
    await assert.rejects(hashContent(content), TypeError);
  }
});
