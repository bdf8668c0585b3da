import assert from "node:assert/strict";
import {
  createApp,
  memoryState,
  type StandardSchemaV1,
  tool,
  z,
} from "../../../mod.ts";
import { findParamHeaders } from "../../../transport/catalog/param_headers.ts";

const HEADER = { "x-mcp-header": "Region" };

function start(input: StandardSchemaV1): void {
  createApp({
    name: "annotations",
    version: "1.0.0",
    state: memoryState(),
    tools: [tool("place", { input, handler: () => "placed" })],
  });
}

Deno.test("strings, integers and booleans can be mirrored, nested ones too", () => {
  start(z.object({
    s: z.string().meta({ "x-mcp-header": "S" }),
    n: z.int().meta({ "x-mcp-header": "N" }).optional(),
    b: z.boolean().meta({ "x-mcp-header": "B" }).default(true),
    choice: z.enum(["a", "b"]).meta({ "x-mcp-header": "Choice" }),
    opts: z.object({
      deep: z.object({ s: z.string().meta({ "x-mcp-header": "Deep" }) }),
    }),
  }));
});

const REFUSED_ZOD: readonly [string, StandardSchemaV1][] = [
  ["a number", z.object({ n: z.number().meta(HEADER) })],
  ["an object", z.object({ o: z.object({}).meta(HEADER) })],
  ["an array", z.object({ a: z.array(z.string()).meta(HEADER) })],
  ["the items of an array", z.object({ a: z.array(z.string().meta(HEADER)) })],
  [
    "one of several types",
    z.object({
      u: z.union([z.string().meta(HEADER), z.int()]),
    }),
  ],
  [
    "a value that may be null",
    z.object({ s: z.string().nullable().meta(HEADER) }),
  ],
  [
    "the values of a record",
    z.object({
      r: z.record(z.string(), z.string().meta(HEADER)),
    }),
  ],
  ["the whole object", z.object({ s: z.string() }).meta(HEADER)],
  [
    "two in different case",
    z.object({
      a: z.string().meta({ "x-mcp-header": "Region" }),
      b: z.string().meta({ "x-mcp-header": "REGION" }),
    }),
  ],
  [
    "two at different depths",
    z.object({
      a: z.string().meta(HEADER),
      o: z.object({ b: z.string().meta(HEADER) }),
    }),
  ],
  ["an empty name", z.object({ s: z.string().meta({ "x-mcp-header": "" }) })],
  [
    "a name with a blank",
    z.object({ s: z.string().meta({ "x-mcp-header": "My Region" }) }),
  ],
  [
    "a name with a colon",
    z.object({ s: z.string().meta({ "x-mcp-header": "a:b" }) }),
  ],
  [
    "a name with a line break",
    z.object({ s: z.string().meta({ "x-mcp-header": "a\r\nb" }) }),
  ],
  [
    "a name that is not ASCII",
    z.object({ s: z.string().meta({ "x-mcp-header": "Größe" }) }),
  ],
  [
    "a name that is a number",
    z.object({ s: z.string().meta({ "x-mcp-header": 5 }) }),
  ],
  [
    "a name that is true",
    z.object({ s: z.string().meta({ "x-mcp-header": true }) }),
  ],
];

for (const [what, schema] of REFUSED_ZOD) {
  Deno.test(`x-mcp-header on ${what} is refused at the start`, () => {
    assert.throws(() => start(schema), (error) => {
      assert.ok(error instanceof TypeError, String(error));
      assert.match(error.message, /x-mcp-header/);
      assert.match(error.message, /tool "place"/);
      return true;
    });
  });
}

const string = { type: "string", ...HEADER };
const at = (keyword: string, value: unknown) => ({
  type: "object",
  properties: { a: { type: "object", [keyword]: value } },
});

const REFUSED_JSON: readonly [string, Record<string, unknown>][] = [
  ["items", at("items", string)],
  ["prefixItems", at("prefixItems", [string])],
  ["contains", at("contains", string)],
  ["additionalProperties", at("additionalProperties", string)],
  ["patternProperties", at("patternProperties", { "^a": string })],
  ["oneOf", at("oneOf", [string])],
  ["anyOf", at("anyOf", [{ properties: { b: string } }])],
  ["allOf", at("allOf", [{ properties: { b: string } }])],
  ["not", at("not", { properties: { b: string } })],
  ["if", at("if", { properties: { b: string } })],
  ["then", at("then", { properties: { b: string } })],
  ["else", at("else", { properties: { b: string } })],
  [
    "dependentSchemas",
    at("dependentSchemas", { c: { properties: { b: string } } }),
  ],
  ["the root's allOf", {
    type: "object",
    allOf: [{ properties: { b: string } }],
  }],
  ["a $ref's target", {
    type: "object",
    properties: { a: { $ref: "#/$defs/a" } },
    $defs: { a: string },
  }],
  ["definitions", {
    type: "object",
    properties: { a: { $ref: "#/definitions/a" } },
    definitions: { a: string },
  }],
  [
    "items, and is no string",
    at("items", { type: "string", "x-mcp-header": 5 }),
  ],
  ["a property that is named like a keyword", {
    type: "object",
    properties: { const: { type: "array", items: string } },
  }],
];

for (const [what, schema] of REFUSED_JSON) {
  Deno.test(`x-mcp-header below ${what} is refused`, () => {
    assert.throws(
      () => findParamHeaders(schema, "place"),
      (error) => error instanceof TypeError && /"place"/.test(error.message),
    );
  });
}

Deno.test("x-mcp-header is found under properties of any name, and left alone in data", () => {
  const found = findParamHeaders({
    type: "object",
    properties: {
      items: { type: "string", "x-mcp-header": "Items" },
      default: { type: "integer", "x-mcp-header": "Default" },
      "x-mcp-header": { type: "boolean", "x-mcp-header": "Self" },
      data: {
        type: "object",
        default: { "x-mcp-header": "not a schema" },
        examples: [{ "x-mcp-header": "not a schema" }],
        enum: [{ "x-mcp-header": "not a schema" }],
        const: { "x-mcp-header": "not a schema" },
      },
    },
  }, "place");
  assert.deepEqual(found, [
    {
      header: "mcp-param-items",
      label: "Items",
      path: ["items"],
      type: "string",
    },
    {
      header: "mcp-param-default",
      label: "Default",
      path: ["default"],
      type: "integer",
    },
    {
      header: "mcp-param-self",
      label: "Self",
      path: ["x-mcp-header"],
      type: "boolean",
    },
  ]);
});
