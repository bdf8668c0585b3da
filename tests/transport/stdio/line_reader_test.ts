import assert from "node:assert/strict";
import fc from "fast-check";
import { type InputLine, LineReader } from "../../../transport/stdio/lines.ts";

const encoder = new TextEncoder();

/** All lines of some chunks. */
function read(chunks: Iterable<Uint8Array>, maxLine?: number): InputLine[] {
  const reader = new LineReader(maxLine);
  const lines: InputLine[] = [];
  for (const chunk of chunks) lines.push(...reader.push(chunk));
  return [...lines, ...reader.end()];
}

function readText(text: string, maxLine?: number): InputLine[] {
  return read([encoder.encode(text)], maxLine);
}

/** Cuts bytes at the given places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((
      a,
      b,
    ) => a - b),
    bytes.length,
  ];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

Deno.test("any cut of the bytes gives the same lines", () => {
  const piece = fc.oneof(
    fc.constantFrom("\n", "\r\n", "\r", "\ufeff", "{}", "é", "世", "🦕", " "),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((all) =>
    encoder.encode(all.join(""))
  );
  const bytes = fc.oneof(text, fc.uint8Array({ maxLength: 40 }));
  fc.assert(
    fc.property(
      bytes,
      fc.array(fc.nat(200), { maxLength: 12 }),
      fc.constantFrom(undefined, 4),
      (bytes, places, maxLine) => {
        assert.deepEqual(
          read(cut(bytes, places), maxLine),
          read([bytes], maxLine),
        );
      },
    ),
    { numRuns: 2_000 },
  );
});

Deno.test("every byte alone gives the same lines", () => {
  const bytes = encoder.encode('\ufeff{"a":"é世🦕"}\r\n\n  \n{"b":2}\nlast');
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assert.deepEqual(read(single), ['{"a":"é世🦕"}\r', '{"b":2}', "last"]);
});

Deno.test("a byte order mark counts at the very start only", () => {
  assert.deepEqual(readText("\ufeff{}\n\ufeff{}\n"), ["{}", "\ufeff{}"]);
});

Deno.test("blank lines are no lines, and an unfinished last line is one", () => {
  assert.deepEqual(readText("\n\r\n \t\n{}\n\n{"), ["{}", "{"]);
  assert.deepEqual(readText(""), []);
});

Deno.test("bytes that are no UTF-8 become replacement characters", () => {
  const bytes = Uint8Array.of(0x22, 0xff, 0xe4, 0xb8, 0x22, 0x0a, 0x31);
  assert.deepEqual(read([bytes]), ['"\ufffd\ufffd"', "1"]);
});

Deno.test("a line over the limit is told of by its length, and the next one is read", () => {
  assert.deepEqual(readText("12345\n1234\n123456", 4), [
    { tooLong: 5 },
    "1234",
    { tooLong: 6 },
  ]);
});

Deno.test("a line of many megabytes in small chunks is read whole", () => {
  const chunk = encoder.encode("x".repeat(65_536));
  const reader = new LineReader();
  for (let n = 0; n < 160; n++) assert.deepEqual(reader.push(chunk), []);
  const [line] = reader.push(encoder.encode("\n"));
  assert.equal(String(line).length, 160 * 65_536);
});
