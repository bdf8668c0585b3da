import fc from "fast-check";

/** Right values come first, and are drawn more often than the wrong ones. */
function rightly(right: unknown[], wrong: unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

type Keywords = Record<string, fc.Arbitrary<unknown>>;

const labels: Keywords = {
  title: rightly(["T"], [1]),
  description: rightly(["D"], [null]),
  examples: fc.constantFrom([1], undefined),
  "x-n": fc.constant(1),
};
const choices = rightly(
  [
    [{ const: "a", title: "A" }],
    [{ const: "a", title: "A", $comment: "c" }],
    [],
  ],
  [[{ const: "a", title: "A", type: "string" }], [{ const: "a" }], "a"],
);
const enums: Keywords = {
  enum: rightly([["a"], []], [[1], "a"]),
  enumNames: rightly([["A"]], [[1]]),
  oneOf: choices,
};
const texts: Keywords = {
  minLength: rightly([1], ["1"]),
  maxLength: rightly([1.5], [Infinity]),
  format: rightly(["email", "uri", "date", "date-time"], ["uuid", 1]),
  pattern: rightly(["^a"], [1]),
};
const numbers: Keywords = {
  minimum: rightly([1, -0.5], [NaN]),
  maximum: rightly([9], ["9"]),
};
const lists: Keywords = {
  minItems: rightly([1], [null]),
  items: rightly(
    [
      { type: "string", enum: ["a"] },
      { type: "string", enum: ["a"], title: "T" },
      { anyOf: [{ const: "a", title: "A" }] },
      { anyOf: [{ const: "a", title: "A", "x-n": 1 }], title: "T" },
    ],
    [
      { type: "string", enum: ["a"], anyOf: [] },
      { type: "string", anyOf: [{ const: "a", title: "A" }] },
      { anyOf: [{ const: "a", title: "A", minLength: 1 }] },
      { enum: ["a"] },
      { enum: ["a"], anyOf: [{ const: "a", title: "A" }] },
      { type: "string" },
      [],
      true,
    ],
  ),
};
const alien: Keywords = {
  const: fc.constant("a"),
  uniqueItems: fc.constant(true),
};

function nodeOf(
  types: string[],
  own: Keywords,
  defaults: fc.Arbitrary<unknown>,
  requiredKeys: string[] = [],
): fc.Arbitrary<unknown> {
  const others = { ...enums, ...texts, ...numbers, ...lists, ...alien };
  const type = fc.constantFrom(...types);
  const keywords: Keywords = { type, ...labels, ...own, default: defaults };
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(keywords, {
        requiredKeys: ["type", ...requiredKeys],
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ ...others, ...keywords }, {
        requiredKeys: ["type"],
      }),
    },
  );
}

const textDefault = rightly(["a"], [1]);
const nodes = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.oneof(
      nodeOf(["string"], texts, textDefault),
      nodeOf(["string"], enums, textDefault),
      nodeOf(["string"], { enum: fc.constant(["a"]) }, textDefault, ["enum"]),
      nodeOf(["string"], { oneOf: choices }, textDefault, ["oneOf"]),
      nodeOf(["number", "integer"], numbers, rightly([1], ["1", NaN])),
      nodeOf(["boolean"], {}, rightly([true], ["true"])),
      nodeOf(["array"], lists, rightly([["a"]], [[1], "a"]), ["items"]),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(true, null, "string", [], {}, { type: "null" }),
  },
);

/**
 * What a schema library may convert an object to: mostly what a form can say,
 * each keyword now and then with a wrong value or in a wrong place.
 */
export const jsonSchemas: fc.Arbitrary<Record<string, unknown>> = fc.record({
  type: rightly(["object"], [undefined, "array"]),
  properties: fc.dictionary(fc.constantFrom("a", "b", "constructor"), nodes, {
    minKeys: 1,
    maxKeys: 2,
  }),
  required: rightly([[], ["a"]], ["a", [1]]),
  title: fc.constantFrom("T", 1),
  $schema: fc.constant("https://json-schema.org/draft/2020-12/schema"),
}, { requiredKeys: ["type", "properties"] });
