import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type ToJsonOptions,
  toJsonValue,
} from "../../../context/log/to_json.ts";
import { HOSTILE_KINDS, hostileMaker } from "./hostile_values.ts";

class Named {
  a = 1;
}

const CASES: [name: string, value: unknown, json: unknown][] = [
  ["text", "a", "a"],
  ["a number", 1.5, 1.5],
  ["null", null, null],
  ["undefined", undefined, null],
  ["NaN", NaN, "NaN"],
  ["a bigint", 12345678901234567890n, "12345678901234567890"],
  ["a huge bigint", 1n << 100_000n, "[Huge bigint]"],
  ["a symbol", Symbol("s"), "Symbol(s)"],
  ["a function", function add() {}, "[Function add]"],
  ["a function without a name", (() => () => {})(), "[Function]"],
  ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an invalid date", new Date(NaN), "Invalid Date"],
  ["a URL", new URL("https://h.example/a"), "https://h.example/a"],
  ["a regular expression", /a+/g, "/a+/g"],
  ["bytes", new Uint8Array(3), "[Uint8Array 3 bytes]"],
  ["a buffer", new ArrayBuffer(8), "[ArrayBuffer 8 bytes]"],
  ["a blob", new Blob(["ab"], { type: "a/b" }), "[Blob 2 bytes a/b]"],
  ["a map", new Map<unknown, unknown>([["a", 1], [2, "b"]]), { a: 1, 2: "b" }],
  ["a map by object", new Map([[{}, 1]]), { "[Object 0]": 1 }],
  ["a set", new Set([1, "a"]), [1, "a"]],
  ["headers", new Headers({ A: "b" }), { a: "b" }],
  ["a promise", Promise.resolve(), "[Promise]"],
  ["an abort signal", AbortSignal.abort(), "[AbortSignal]"],
  ["an instance", new Named(), { a: 1 }],
  ["an empty object", {}, {}],
  ["no prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["undefined inside", { a: undefined, b: [undefined] }, { b: [null] }],
  ["holes", [, 1], [null, 1]],
  ["a lone surrogate", "a\ud800", "a\ufffd"],
  ["toJSON()", { toJSON: () => ({ a: 1n }) }, { a: "1" }],
  ["toJSON() that throws", HOSTILE_KINDS.throwingToJson!(), "[Unreadable]"],
  ["toJSON() of itself", HOSTILE_KINDS.toJsonOfItself!(), {
    a: 1,
    toJSON: "[Function toJSON]",
  }],
  ["a throwing getter", HOSTILE_KINDS.throwingGetter!(), {
    ok: 1,
    bad: "[Unreadable]",
  }],
  ["a throwing proxy", HOSTILE_KINDS.proxyThatThrows!(), "[Unreadable]"],
  ["a revoked proxy", HOSTILE_KINDS.revokedArray!(), "[Unreadable]"],
  ["a fake map", HOSTILE_KINDS.fakeMap!(), "[Unreadable]"],
];

for (const [name, value, json] of CASES) {
  Deno.test(`toJsonValue() writes ${name}`, () => {
    assert.deepEqual(toJsonValue(value), json);
  });
}

Deno.test("toJsonValue() marks a value inside itself, and only there", () => {
  const leaf = { a: 1 };
  const value: Record<string, unknown> = { one: leaf, two: leaf };
  value.self = value;
  assert.deepEqual(toJsonValue(value), {
    one: { a: 1 },
    two: { a: 1 },
    self: "[Circular]",
  });
});

Deno.test("toJsonValue() keeps __proto__ as a field like any other", () => {
  const value = JSON.parse('{"__proto__":{"polluted":true}}');
  const json = toJsonValue(value);
  assert.equal(JSON.stringify(json), '{"__proto__":{"polluted":true}}');
  assert.equal(Object.getPrototypeOf(json), Object.prototype);
});

Deno.test("toJsonValue() keeps as much of an error as it is asked", () => {
  const cause = new TypeError("inner");
  const error = Object.assign(new Error("outer", { cause }), {
    code: "E1",
    data: { a: 1 },
    request: { secret: "kept out" },
    toJSON: () => ({ secret: "kept out" }),
  });
  const summary = { name: "Error", message: "outer" };
  const inner = { name: "TypeError", message: "inner" };
  const details = { ...summary, code: "E1", data: { a: 1 }, cause: inner };
  const levels: [ToJsonOptions["errors"], unknown][] = [
    ["summary", summary],
    ["details", details],
    [undefined, details],
  ];
  for (const [errors, wanted] of levels) {
    assert.deepEqual(toJsonValue(error, errors && { errors }), wanted);
  }
  const { stack } = toJsonValue(error, { errors: "stack" }) as {
    stack: string;
  };
  assert.equal(stack, error.stack);
});

Deno.test("toJsonValue() keeps the inner errors of an AggregateError", () => {
  const error = new AggregateError([new Error("a")], "all");
  assert.deepEqual(toJsonValue(error), {
    name: "AggregateError",
    message: "all",
    errors: [{ name: "Error", message: "a" }],
  });
});

Deno.test("toJsonValue() cuts what is too long, too wide or too deep", () => {
  assert.equal(
    toJsonValue("abcdef", { maxString: 3 }),
    "abc… [6 characters]",
  );
  assert.deepEqual(toJsonValue([1, 2, 3], { maxEntries: 2 }), [
    1,
    2,
    "[1 more]",
  ]);
  assert.deepEqual(toJsonValue({ a: 1, b: 2, c: 3 }, { maxEntries: 1 }), {
    a: 1,
    "…": "[2 more]",
  });
  assert.deepEqual(toJsonValue({ a: { b: { c: [] } } }, { maxDepth: 2 }), {
    a: { b: "[Object]" },
  });
});

Deno.test("toJsonValue() bounds its work on values that share parts", () => {
  const shared = HOSTILE_KINDS.shared!();
  const json = JSON.stringify(toJsonValue(shared, { maxDepth: 100 }));
  assert.ok(json.length < 1_000_000, `${json.length} characters`);
  const wide = Array.from({ length: 90 }, () => "x".repeat(8000));
  const text = JSON.stringify(toJsonValue(Array(90).fill(wide)));
  assert.ok(text.length < 1_000_000, `${text.length} characters`);
});

Deno.test("toJsonValue() calls each getter once and changes nothing", () => {
  let calls = 0;
  const value = Object.freeze({
    get a() {
      return ++calls;
    },
    list: Object.freeze([1]),
  });
  assert.deepEqual(toJsonValue(value), { a: 1, list: [1] });
  assert.equal(calls, 1);
});

Deno.test("toJsonValue() gives JSON for any value, and the same each time", () => {
  fc.assert(
    fc.property(hostileMaker(), (make) => {
      const json = toJsonValue(make(), { errors: "stack" });
      const text = JSON.stringify(json);
      assert.deepEqual(JSON.parse(text), json);
      assert.ok(text.isWellFormed());
      assert.ok(text.length < 4_000_000);
    }),
    { numRuns: 500 },
  );
});

Deno.test("toJsonValue() gives back plain JSON unchanged", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6, noUnicodeString: false }),
      (value) => {
        assert.equal(
          JSON.stringify(toJsonValue(value)),
          JSON.stringify(value),
        );
      },
    ),
  );
});
