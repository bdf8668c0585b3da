import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalJson } from "../../seal/mod.ts";

function nested(levels: number): unknown {
  return JSON.parse("[".repeat(levels) + "]".repeat(levels));
}

/** Gives the same value with the keys of each object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).reverse().map(([key, member]) => [
      key,
      reordered(member),
    ]),
  );
}

// RFC 8785 appendix B and section 3.2, as far as JavaScript can write them.
Deno.test.each([
  ["0", "0"],
  ["-0", "0"],
  ["1.0", "1"],
  ["1e0", "1"],
  ["10e-1", "1"],
  ["4.50", "4.5"],
  ["2e-3", "0.002"],
  ["1E30", "1e+30"],
  ["333333333.33333329", "333333333.3333333"],
  ["0.000000000000000000000000001", "1e-27"],
  ["9007199254740993", "9007199254740992"],
  ["5e-324", "5e-324"],
  ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ["1e999", "1e999"],
  ["-1e999", "-1e999"],
  [
    ' [ 56 , { "d" : true , "10" : null , "1" : [ ] } ] ',
    '[56,{"1":[],"10":null,"d":true}]',
  ],
  [
    String
      .raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
    '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
  ],
  [
    String.raw`"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"`,
    String.raw`"€$\u000f\nA'B\"\\\\\"/"`,
  ],
  [String.raw`"\ud800"`, String.raw`"\ud800"`],
  ['{"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1}}'],
  ['{"toJSON":1,"constructor":2}', '{"constructor":2,"toJSON":1}'],
  ['{"b":1,"a":2,"b":3}', '{"a":2,"b":3}'],
])("canonicalJson() writes %s as it should", (json, expected) => {
  assert.equal(canonicalJson(JSON.parse(json)), expected);
});

Deno.test("canonicalJson() writes JSON that says the same", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    assert.deepEqual(
      JSON.parse(canonicalJson(value)),
      JSON.parse(JSON.stringify(value)),
    );
  }));
});

Deno.test("canonicalJson() writes one text for any order of keys", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => {
    const copy = JSON.parse(JSON.stringify(value));
    assert.equal(canonicalJson(reordered(copy)), canonicalJson(value));
  }));
});

Deno.test("canonicalJson() writes texts that differ for values that differ", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    const same = equal(JSON.stringify(a), JSON.stringify(b));
    assert.equal(canonicalJson(a) === canonicalJson(b), same);
  }));
});

function equal(a: string, b: string): boolean {
  try {
    assert.deepEqual(JSON.parse(a), JSON.parse(b));
    return true;
  } catch {
    return false;
  }
}

Deno.test("canonicalJson() keeps look-alikes apart", () => {
  const texts = [
    '{"a":1}',
    '{"a":"1"}',
    '{"a":[1]}',
    '{"a":{"0":1}}',
    '{"a":null}',
    "{}",
    '{"a":true}',
    '{"a":"true"}',
    '{"A":1}',
    '{"a ":1}',
    '{"a":1,"b":2}',
    '{"a":"1,\\"b\\":2"}',
    '{"__proto__":{"a":1}}',
    '{"a":"é"}',
    '{"a":"e\\u0301"}',
    '{"a":"\\ud800"}',
    '{"a":"\\ud801"}',
    '{"a":"\\ufffd"}',
    '{"a":"\\\\ud800"}',
    '{"a":1e999}',
    '{"a":-1e999}',
    '{"a":"1e999"}',
    "[]",
    "[[]]",
    "[{}]",
    "[null]",
    '[""]',
    '""',
    "null",
    "false",
    "0",
  ];
  const written = texts.map((text) => canonicalJson(JSON.parse(text)));
  assert.equal(new Set(written).size, texts.length);
});

Deno.test("canonicalJson() treats toJSON and undefined as JSON.stringify does", () => {
  const date = new Date(0);
  for (
    const value of [
      { b: date, a: undefined },
      [undefined, date],
      { toJSON: () => ({ a: 1 }) },
      Object.assign(Object.create(null), { a: 1 }),
    ]
  ) {
    assert.equal(canonicalJson(value), JSON.stringify(value));
  }
  assert.equal(canonicalJson(Array(2)), "[null,null]");
});

Deno.test("canonicalJson() refuses what would be lost on the way", () => {
  for (
    const value of [
      undefined,
      NaN,
      1n,
      Symbol("s"),
      () => 1,
      new Map([[1, 2]]),
      new Set([1]),
      new Uint8Array(3),
      new ArrayBuffer(3),
      /x/,
      new Error("e"),
    ]
  ) {
    const type = {
      name: "TypeError",
      message: /^Cannot write canonical JSON: /,
    };
    assert.throws(() => canonicalJson(value), type);
    if (value === undefined) continue;
    assert.throws(() => canonicalJson({ a: value }), type);
    assert.throws(() => canonicalJson([value]), type);
  }
});

Deno.test("canonicalJson() goes 1,000 levels deep and says so beyond", () => {
  assert.equal(canonicalJson(nested(1000)), JSON.stringify(nested(1000)));
  const ring: unknown[] = [];
  ring.push(ring, ring);
  const spring = { toJSON: (): unknown => ({ ...spring }) };
  for (const value of [nested(1001), nested(200_000), ring, spring]) {
    assert.throws(() => canonicalJson(value), {
      name: "RangeError",
      message: /deeper than 1000 levels/,
    });
  }
});
