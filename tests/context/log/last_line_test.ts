import assert from "node:assert/strict";
import { lastLine } from "../../../context/log/last_line.ts";
import type { JsonObject } from "../../../context/log/to_json.ts";

function line(fields: JsonObject, message = "Hello"): string {
  return lastLine({
    category: ["app"],
    level: "info",
    timestamp: 0,
    message,
    fields,
    own: {},
  });
}

Deno.test("the last line of a process takes time in proportion to its length", () => {
  for (const piece of ["a", "a/", "//", "//a", "=", "a ", "a\t/"]) {
    const text = piece.repeat(8192 / piece.length);
    const fields = Array.from({ length: 32 }, (_, i) => [`f${i}`, text]);
    const began = performance.now();
    line(Object.fromEntries(fields), text);
    const took = performance.now() - began;
    assert.ok(took < 1_000, `${JSON.stringify(piece)} took ${took} ms`);
  }
});

Deno.test("the last line of a process hides what looks like a secret, and keeps words", () => {
  const hidden = [
    "abcdefghijklmno1",
    "sk_live-abcdefghijkl1",
    "x/abcdefghijklmno1",
    "abcdefghijklmno1/x",
    `${"ab/".repeat(14)}1`,
    `1+${"ab=".repeat(13)}`,
    "https://ann:pw@example.com",
    "postgres://ann:p/w?@example.com",
    "sk_live_abcdefghijklmnop",
    "x.hf_AbcdefghijklmnopqrS",
    `${"abc/".repeat(10)}D`,
  ];
  for (const text of hidden) {
    assert.match(line({ f: text }), /"f":"[^"]*\[REDACTED\]/, text);
  }
  const shown = [
    "abcdefghijklmn1",
    "abcdefghijklmnopqrstuvwxyz",
    "ab/".repeat(20),
    `${"ab/".repeat(12)}1`,
    "https://example.com/a",
    "ann@example.com",
    "delete_all_of_the_notes",
  ];
  for (const text of shown) assert.ok(line({ f: text }).includes(text), text);
});

Deno.test("the last line of a process holds nothing that rewrites what a terminal shows", () => {
  const text = "a\u009b2J\u202eb\u2028c\n";
  const written = line({ f: text, [text]: 1 }, text);
  // deno-lint-ignore no-control-regex -- these are what must not be in it
  assert.doesNotMatch(written, /[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
  assert.equal(JSON.parse(written).f, text);
});
