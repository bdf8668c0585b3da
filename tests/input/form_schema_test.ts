import assert from "node:assert/strict";
import {
  inputRequired as sdkInputRequired,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod/v3";
import { formSchema, inputRequired } from "../../input/mod.ts";
import { schemaGiving } from "./standard_schemas.ts";

type Outcome = { form: unknown } | { thrown: unknown };

function convertedBy(
  builder: typeof inputRequired | typeof sdkInputRequired,
  requestedSchema: StandardSchemaWithJSON,
): Outcome {
  try {
    return { form: builder.elicit({ message: "m", requestedSchema }) };
  } catch (thrown) {
    return { thrown };
  }
}

/** Both give the same request, or both throw a TypeError. */
function assertSameAsSdk(schema: StandardSchemaWithJSON): Outcome {
  const sdk = convertedBy(sdkInputRequired, schema);
  const own = convertedBy(inputRequired, schema);
  if ("thrown" in sdk) {
    assert(sdk.thrown instanceof TypeError);
    assert("thrown" in own, `gave ${JSON.stringify(own)}, the SDK throws`);
    assert(own.thrown instanceof TypeError);
  } else {
    assert.deepEqual(own, sdk);
  }
  return own;
}

function field(node: Record<string, unknown>): StandardSchemaWithJSON {
  return schemaGiving({ type: "object", properties: { f: node } });
}

const EXPRESSIBLE: Record<string, StandardSchemaWithJSON> = {
  "an empty object": z.object({}),
  "a string": z.object({ f: z.string() }),
  "a string with lengths": z.object({ f: z.string().min(2).max(9) }),
  "an exact length": z.object({ f: z.string().length(4) }),
  "an email": z.object({ f: z.email() }),
  "an email by method": z.object({ f: z.string().email() }),
  "a url": z.object({ f: z.url() }),
  "a url of one host": z.object({ f: z.url({ hostname: /example/ }) }),
  "an http url": z.object({ f: z.httpUrl() }),
  "a date": z.object({ f: z.iso.date() }),
  "a date-time": z.object({ f: z.iso.datetime() }),
  "a date-time with offset": z.object({ f: z.iso.datetime({ offset: true }) }),
  "a date-time with milliseconds": z.object({
    f: z.iso.datetime({ precision: 3 }),
  }),
  "a date-time of whole seconds with offset": z.object({
    f: z.iso.datetime({ precision: 0, offset: true }),
  }),
  "a number": z.object({ f: z.number() }),
  "a number with bounds": z.object({ f: z.number().min(-1.5).max(2.5) }),
  "an integer": z.object({ f: z.int() }),
  "an integer with bounds": z.object({ f: z.int().min(1).max(5) }),
  "a boolean": z.object({ f: z.boolean() }),
  "an enum": z.object({ f: z.enum(["a", "b"]) }),
  "an enum object": z.object({ f: z.enum({ A: "a", B: "b" }) }),
  "a literal of several strings": z.object({ f: z.literal(["a", "b"]) }),
  "a list of enums": z.object({ f: z.array(z.enum(["a", "b"])) }),
  "a list of enums with sizes": z.object({
    f: z.array(z.enum(["a", "b"])).min(1).max(2),
  }),
  "an optional field": z.object({ f: z.string().optional() }),
  "an exactly optional field": z.object({ f: z.exactOptional(z.string()) }),
  "a default": z.object({ f: z.string().default("x") }),
  "a default of each kind": z.object({
    s: z.enum(["a", "b"]).default("a"),
    n: z.number().default(1),
    b: z.boolean().default(false),
    l: z.array(z.enum(["a"])).default(["a"]),
  }),
  "a prefault": z.object({ f: z.string().prefault("x") }),
  "title and description": z.object({
    f: z.string().meta({ title: "T", description: "D" }),
  }),
  "annotations a field has no place for": z.object({
    f: z.string().meta({ examples: ["x"], deprecated: true, "x-order": 3 }),
  }),
  "annotations of the root": z.object({ f: z.string() }).meta({
    title: "T",
    description: "D",
    "x-origin": "here",
  }),
  "a refinement": z.object({ f: z.string().refine((s) => s !== "no") }),
  "a refinement of the root": z.object({ f: z.string() }).refine(() => true),
  "a transform": z.object({ f: z.string().transform(Number) }),
  "a pipe": z.object({ f: z.string().pipe(z.coerce.number()) }),
  "a brand": z.object({ f: z.string().brand("id") }),
  "a readonly field": z.object({ f: z.string().readonly() }),
  "a coerced number": z.object({ f: z.coerce.number() }),
  "names that objects inherit": z.object({
    constructor: z.string(),
    toString: z.boolean(),
    "": z.string(),
    "ключ 🔑": z.string(),
  }),
  "zod/mini": mini.object({ f: mini.optional(mini.email()) }) as never,
  "another library's own pattern for a format": field({
    type: "string",
    format: "email",
    pattern: "^.+@.+$",
  }),
  "an enum with names": field({
    type: "string",
    enum: ["a"],
    enumNames: ["A"],
  }),
  "an enum with titles": field({
    type: "string",
    oneOf: [{ const: "a", title: "A" }],
  }),
  "an enum with titles and notes on them": field({
    type: "string",
    oneOf: [{ const: "a", title: "A", description: "first", "x-n": 1 }],
    default: "a",
  }),
  "a list of enums with titles": field({
    type: "array",
    items: { anyOf: [{ const: "a", title: "A" }] },
    minItems: 1,
    default: ["a"],
  }),
  "a list with a note on its items": field({
    type: "array",
    items: { type: "string", enum: ["a"], title: "T" },
  }),
  "a root that does not say its type": schemaGiving({
    properties: { f: { type: "string" } },
  }),
};

/** What cannot be said, and what the error must name. */
const INEXPRESSIBLE: Record<string, [StandardSchemaWithJSON, RegExp]> = {
  "a pattern": [
    z.object({ f: z.string().regex(/^a/) }),
    /properties\.f.*`pattern`/,
  ],
  "an email pattern of one's own": [
    z.object({ f: z.email({ pattern: /@example\.com$/ }) }),
    /properties\.f.*`pattern`/,
  ],
  "an email with one more pattern": [
    z.object({ f: z.email().regex(/x/) }),
    /properties\.f.*`allOf`/,
  ],
  "a prefix": [z.object({ f: z.string().startsWith("a") }), /properties\.f/],
  "a uuid": [z.object({ f: z.uuid() }), /properties\.f\.format.*"uuid"/],
  "a time": [z.object({ f: z.iso.time() }), /properties\.f.*`pattern`/],
  "a lower bound left out": [
    z.object({ f: z.number().gt(0) }),
    /properties\.f.*`exclusiveMinimum`/,
  ],
  "a positive integer": [
    z.object({ f: z.int().positive() }),
    /properties\.f.*`exclusiveMinimum`/,
  ],
  "an upper bound left out": [
    z.object({ f: z.number().lt(0) }),
    /properties\.f.*`exclusiveMaximum`/,
  ],
  "a step": [
    z.object({ f: z.number().multipleOf(5) }),
    /properties\.f.*`multipleOf`/,
  ],
  "an object in the object": [
    z.object({ f: z.object({ g: z.string() }) }),
    /properties\.f.*"object"/,
  ],
  "a record": [
    z.object({ f: z.record(z.string(), z.string()) }),
    /properties\.f/,
  ],
  "a list of numbers": [
    z.object({ f: z.array(z.number()) }),
    /properties\.f\.items/,
  ],
  "a list of strings": [
    z.object({ f: z.array(z.string()) }),
    /properties\.f\.items/,
  ],
  "a tuple": [z.object({ f: z.tuple([z.enum(["a"])]) }), /properties\.f/],
  "a union of literals": [
    z.object({ f: z.union([z.literal("a"), z.literal("b")]) }),
    /properties\.f.*`anyOf`/,
  ],
  "one literal": [z.object({ f: z.literal("a") }), /properties\.f.*`const`/],
  "literal numbers": [
    z.object({ f: z.literal([1, 2]) }),
    /properties\.f.*`enum`/,
  ],
  "null or a string": [
    z.object({ f: z.string().nullable() }),
    /properties\.f.*"null"/,
  ],
  "null or an email": [z.object({ f: z.email().nullable() }), /properties\.f/],
  "anything": [z.object({ f: z.unknown() }), /properties\.f/],
  "nothing but null": [z.object({ f: z.null() }), /properties\.f.*"null"/],
  "a strict object": [
    z.strictObject({ f: z.string() }),
    /`additionalProperties`/,
  ],
  "a loose object": [
    z.looseObject({ f: z.string() }),
    /`additionalProperties`/,
  ],
  "a catchall": [
    z.object({}).catchall(z.string()),
    /`additionalProperties`/,
  ],
  "a shared definition": [
    z.object({ f: z.string().meta({ id: "form-schema-test-shared" }) }),
    /properties\.f.*`\$ref`/,
  ],
  "a root with an id": [
    z.object({ f: z.string() }).meta({ id: "form-schema-test-root" }),
    /`\$ref`/,
  ],
  "a default of the root": [
    z.object({ f: z.string() }).default({ f: "x" }),
    /`default`/,
  ],
  "a string alone": [z.string(), /"string"/],
  "a union of objects": [
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    /`anyOf`/,
  ],
  "a date object": [z.object({ f: z.date() }), /Date/],
  "a bigint": [z.object({ f: z.bigint() }), /BigInt/i],
  "a property named __proto__": [
    z.object({ ["__proto__"]: z.string() }),
    /__proto__/,
  ],
  "zod 3": [z3.object({ f: z3.string() }) as never, /jsonSchema/],
  "a format beside an enum": [
    field({ type: "string", enum: ["a"], format: "email" }),
    /properties\.f.*`format`/,
  ],
  "two kinds of enum at once": [
    field({ type: "string", enum: ["a"], oneOf: [{ const: "a", title: "A" }] }),
    /properties\.f.*`oneOf`/,
  ],
  "names of no enum": [
    field({ type: "string", enumNames: ["A"] }),
    /properties\.f.*`enumNames`/,
  ],
  "titles that are missing": [
    field({ type: "string", oneOf: [{ const: "a" }] }),
    /properties\.f\.oneOf/,
  ],
  "a choice with a constraint": [
    field({
      type: "string",
      oneOf: [{ const: "a", title: "A", minLength: 3 }],
    }),
    /properties\.f\.oneOf\[0\].*`minLength`/,
  ],
  "list items with both a type and titles": [
    field({
      type: "array",
      items: { type: "string", anyOf: [{ const: "a", title: "A" }] },
    }),
    /properties\.f\.items.*`type`/,
  ],
  "a unique list": [
    field({
      type: "array",
      items: { type: "string", enum: ["a"] },
      uniqueItems: true,
    }),
    /properties\.f.*`uniqueItems`/,
  ],
  "list items with a default": [
    field({
      type: "array",
      items: { type: "string", enum: ["a"], default: "a" },
    }),
    /properties\.f\.items.*`default`/,
  ],
  "a default of another type": [
    field({ type: "number", default: "1" }),
    /properties\.f\.default.*"1"/,
  ],
  "a length on a number": [
    field({ type: "number", minLength: 1 }),
    /properties\.f.*`minLength`/,
  ],
  "a type that objects inherit": [
    field({ type: "constructor" }),
    /properties\.f.*"constructor"/,
  ],
  "a field that is no schema": [
    schemaGiving({ type: "object", properties: { f: true } }),
    /properties\.f/,
  ],
  "a required property that is not there": [
    schemaGiving({ type: "object", properties: {}, required: ["g"] }),
    /required.*"g"/,
  ],
  "no properties": [schemaGiving({ type: "object" }), /no properties/],
  "a rule across properties": [
    schemaGiving({
      type: "object",
      properties: { f: { type: "string" } },
      dependentRequired: { f: ["g"] },
    }),
    /`dependentRequired`/,
  ],
};

for (const [name, schema] of Object.entries(EXPRESSIBLE)) {
  Deno.test(`formSchema() converts ${name} as the SDK does`, () => {
    const outcome = assertSameAsSdk(schema);
    assert("form" in outcome);
  });
}

for (const [name, [schema, wanted]] of Object.entries(INEXPRESSIBLE)) {
  Deno.test(`formSchema() refuses ${name}, as the SDK does, and says where`, () => {
    const outcome = assertSameAsSdk(schema);
    assert("thrown" in outcome && outcome.thrown instanceof TypeError);
    assert.match(outcome.thrown.message, wanted);
  });
}

Deno.test("formSchema() writes exactly the restricted grammar", () => {
  const schema = formSchema(z.object({
    text: z.string(),
    mail: z.email(),
    size: z.int().min(1).max(5),
    sure: z.boolean(),
    tier: z.enum(["a", "b"]),
    tags: z.array(z.enum(["x", "y"])),
    note: z.string().optional(),
    lang: z.string().default("en"),
  }));
  assert.deepEqual(schema, {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      text: { type: "string" },
      mail: { type: "string", format: "email" },
      size: { type: "integer", minimum: 1, maximum: 5 },
      sure: { type: "boolean" },
      tier: { type: "string", enum: ["a", "b"] },
      tags: { type: "array", items: { type: "string", enum: ["x", "y"] } },
      note: { type: "string" },
      lang: { type: "string", default: "en" },
    },
    required: ["text", "mail", "size", "sure", "tier", "tags"],
  });
});

Deno.test("formSchema() names everything that is in the way, not only the first", () => {
  assert.throws(
    () =>
      formSchema(z.strictObject({
        a: z.number().gt(1),
        b: z.string().nullable(),
      })),
    (error: Error) => {
      assert.match(error.message, /properties\.a.*`exclusiveMinimum`/);
      assert.match(error.message, /properties\.b/);
      assert.match(error.message, /`additionalProperties`/);
      return error instanceof TypeError;
    },
  );
});

Deno.test("formSchema() keeps the order of the fields, which is that of the form", () => {
  const shape = { zeta: z.string(), alpha: z.string(), mid: z.boolean() };
  assert.deepEqual(
    Object.keys(formSchema(z.object(shape)).properties),
    ["zeta", "alpha", "mid"],
  );
});

Deno.test("formSchema() hands out a form that can be changed without harm", () => {
  const schema = z.object({ f: z.enum(["a", "b"]) });
  const first = formSchema(schema);
  first.properties["f"] = { type: "boolean" };
  first.properties["g"] = { type: "string" };
  first.required?.push("g");
  const second = formSchema(schema);
  assert.deepEqual(second.properties, {
    f: { type: "string", enum: ["a", "b"] },
  });
  assert.deepEqual(second.required, ["f"]);
});

Deno.test("formSchema() converts a schema once, however often it is asked", () => {
  const schema = schemaGiving({ type: "object", properties: {} });
  const { jsonSchema } = schema["~standard"];
  let conversions = 0;
  const counting: StandardSchemaWithJSON = {
    "~standard": {
      ...schema["~standard"],
      jsonSchema: {
        ...jsonSchema,
        input(options) {
          conversions++;
          return jsonSchema.input(options);
        },
      },
    },
  };
  assert.deepEqual(formSchema(counting), formSchema(counting));
  assert.equal(conversions, 1);
});

Deno.test("formSchema() sends a form schema in JSON as it is", () => {
  const schema = {
    type: "object" as const,
    properties: { ok: { type: "boolean" as const } },
    required: ["ok"],
  };
  assert.equal(formSchema(schema), schema);
});

Deno.test("formSchema() refuses what is no schema at all", () => {
  const values: unknown[] = [
    undefined,
    null,
    "object",
    [],
    {},
    { type: "string" },
    { type: "object" },
    { name: z.string() },
  ];
  for (const value of values) {
    assert.throws(() => formSchema(value as never), TypeError);
  }
});
