import assert from "node:assert/strict";
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import {
  type Answer,
  assertMembers,
  callTool,
  encoded,
  type Json,
  textOf,
} from "./_client.ts";

const app = createApp({
  name: "params",
  version: "1.0.0",
  state: memoryState(),
  tools: [
    tool("place", {
      input: z.object({
        n: z.int().meta({ "x-mcp-header": "Count" }).optional(),
        s: z.string().meta({ "x-mcp-header": "Text" }).optional(),
        b: z.boolean().meta({ "x-mcp-header": "Flag" }).optional(),
        opts: z.object({
          region: z.string().meta({ "x-mcp-header": "Region" }).optional(),
        }).optional(),
      }),
      handler: (args) => JSON.stringify(args),
    }),
  ],
});

function place(args: Json, params: Json = {}): Promise<Answer> {
  const headers = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      `mcp-param-${name}`,
      String(value),
    ]),
  );
  return callTool(app, "place", args, { headers });
}

const ACCEPTED: readonly [string, Json, Json][] = [
  ["an integer", { n: 42 }, { count: "42" }],
  ["an integer written with a fraction of zero", { n: 42 }, { count: "42.0" }],
  ["a negative integer", { n: -7 }, { Count: "-7" }],
  ["the largest safe integer", { n: 9007199254740991 }, {
    count: "9007199254740991",
  }],
  ["a boolean", { b: false }, { flag: "false" }],
  ["a string", { s: "us-west1" }, { text: "us-west1" }],
  ["a string in Base64 that need not be", { s: "Hello" }, {
    text: "=?base64?SGVsbG8=?=",
  }],
  ["a string that is Base64 itself", { s: "SGVsbG8=" }, { text: "SGVsbG8=" }],
  ["a string that begins like the marker", { s: "=?base64?SGVsbG8=" }, {
    text: "=?base64?SGVsbG8=",
  }],
  ["a string that is not ASCII", { s: "Hello, 世界" }, {
    text: encoded("Hello, 世界"),
  }],
  ["a string with a line break", { s: "line1\nline2" }, {
    text: encoded("line1\nline2"),
  }],
  ["a string between blanks", { s: " padded " }, { text: encoded(" padded ") }],
  ["an empty string", { s: "" }, { text: "" }],
  ["a nested string", { opts: { region: "eu" } }, { region: "eu" }],
  ["nothing at all", {}, {}],
  ["an empty object on the way to the value", { opts: {} }, {}],
  ["a header nobody declared", {}, { unknown: "x" }],
];

for (const [what, args, params] of ACCEPTED) {
  Deno.test(`a mirrored argument is accepted: ${what}`, async () => {
    const answer = await place(args, params);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(JSON.parse(textOf(answer)), args);
  });
}

const REFUSED: readonly [string, Json, Json, string][] = [
  ["another string", { s: "eu" }, { text: "us" }, "Text"],
  [
    "another nested string",
    { opts: { region: "eu" } },
    { region: "us" },
    "Region",
  ],
  [
    "another string in Base64",
    { s: "Hello" },
    { text: encoded("Hullo") },
    "Text",
  ],
  ["a string in another case", { s: "eu" }, { text: "EU" }, "Text"],
  ["another integer", { n: 42 }, { count: "43" }, "Count"],
  ["an integer in hexadecimal", { n: 42 }, { count: "0x2a" }, "Count"],
  ["another boolean", { b: true }, { flag: "false" }, "Flag"],
  ["a boolean in another case", { b: true }, { flag: "True" }, "Flag"],
  ["a boolean as a number", { b: true }, { flag: "1" }, "Flag"],
  ["no header for an argument", { s: "eu" }, {}, "Text"],
  ["no header for zero", { n: 0 }, {}, "Count"],
  ["no header for false", { b: false }, {}, "Flag"],
  ["no header for an empty string", { s: "" }, {}, "Text"],
  ["no header for a nested argument", { opts: { region: "eu" } }, {}, "Region"],
  ["an unsafe integer without a header", { n: 9007199254740992 }, {}, "Count"],
  ["an unsafe integer with a header", { n: 9007199254740992 }, {
    count: "9007199254740992",
  }, "Count"],
  ["a header without an argument", {}, { text: "eu" }, "Text"],
  ["a header for null", { s: null }, { text: "null" }, "Text"],
  ["an empty header without an argument", {}, { text: "" }, "Text"],
  ["a header for an inherited name", {}, { text: "function" }, "Text"],
  [
    "Base64 without its padding",
    { s: "Hello" },
    { text: "=?base64?SGVsbG8?=" },
    "Text",
  ],
  ["Base64 with other characters", { s: "Hello" }, {
    text: "=?base64?SGVs!!!bG8=?=",
  }, "Text"],
  [
    "Base64 with stray bits",
    { s: "Hello" },
    { text: "=?base64?SGVsbG9=?=" },
    "Text",
  ],
  [
    "Base64 of invalid UTF-8",
    { s: "\ufffd" },
    { text: "=?base64?/w==?=" },
    "Text",
  ],
  [
    "characters no header may have",
    { s: "\u00e9" },
    { text: "\u00e9" },
    "Text",
  ],
  ["a value given twice", { s: "a" }, { text: "a, a" }, "Text"],
];

for (const [what, args, params, header] of REFUSED) {
  Deno.test(`a mirrored argument is refused: ${what}`, async () => {
    const { status, error, response, text } = await place(args, params);
    assert.equal(status, 400, text);
    assert.equal(error.code, -32020);
    assertMembers(error.data, { header: `Mcp-Param-${header}` });
    assert.equal(response.id, 1);
  });
}

const WRONG_TYPES: readonly [string, Json, Json][] = [
  ["a string for an integer", { n: "abc" }, { count: "abc" }],
  ["a fraction for an integer", { n: 1.5 }, { count: "1.5" }],
  ["a number for a string", { s: 5 }, { text: "5" }],
  ["an object for a string", { s: {} }, {}],
  ["null for a string", { s: null }, {}],
  ["a string on the way to the value", { opts: "eu" }, {}],
];

for (const [what, args, params] of WRONG_TYPES) {
  Deno.test(`what agrees with its header and not with the schema is an error of the arguments: ${what}`, async () => {
    const answer = await place(args, params);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.result.isError, true);
    assert.match(textOf(answer), /Invalid arguments for tool "place"/);
  });
}

Deno.test("the error of a mirrored argument says whether header or argument is missing", async () => {
  const messages: readonly [Json, Json, string][] = [
    [{ s: "eu" }, {}, "the required header Mcp-Param-Text is missing"],
    [
      { s: "eu" },
      { text: "us" },
      'the header Mcp-Param-Text does not match the body value "eu"',
    ],
    [
      {},
      { text: "eu" },
      "the header Mcp-Param-Text stands for a value that the body does not have",
    ],
    [
      { s: null },
      { text: "null" },
      "the header Mcp-Param-Text stands for a value that the body does not have",
    ],
  ];
  for (const [args, params, problem] of messages) {
    const { error } = await place(args, params);
    assert.equal(error.message, `Header mismatch: ${problem}`);
  }
});
