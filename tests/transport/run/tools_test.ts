import assert from "node:assert/strict";
import {
  createApp,
  memoryState,
  tool,
  type ToolDefinition,
  z,
} from "../../../mod.ts";
import {
  type Answer,
  assertMembers,
  call,
  callTool,
  type Json,
  textOf,
} from "../modern/_client.ts";

function appOf(...tools: ToolDefinition[]) {
  return createApp({
    name: "tools",
    version: "1.0.0",
    state: memoryState(),
    tools,
  });
}

/** What a tool without an output schema gives when its handler returns a value. */
function returned(value: unknown): Promise<Answer> {
  const definition = tool("t", { handler: () => value as string });
  return callTool(appOf(definition), "t");
}

const BLOCKS: readonly Json[] = [
  { type: "text", text: "t" },
  { type: "image", data: "AA==", mimeType: "image/png" },
  { type: "audio", data: "AA==", mimeType: "audio/wav" },
  { type: "resource_link", uri: "doc://x", name: "x" },
  { type: "resource", resource: { uri: "doc://x", text: "x" } },
  { type: "resource", resource: { uri: "doc://x", blob: "AA==" } },
];

Deno.test("a tool without an output schema returns text, blocks, a result or nothing", async () => {
  const cases: readonly [unknown, unknown][] = [
    ["text", [{ type: "text", text: "text" }]],
    ["", [{ type: "text", text: "" }]],
    [undefined, []],
    [null, []],
    [[], []],
    [BLOCKS, BLOCKS],
    ...BLOCKS.map((block): [unknown, unknown] => [block, [block]]),
    [{ content: BLOCKS }, BLOCKS],
  ];
  for (const [value, content] of cases) {
    const { result } = await returned(value);
    assert.deepEqual(result.content, content);
    assert.ok(!("isError" in result), JSON.stringify(result));
  }
  const { result } = await returned({
    content: [],
    isError: true,
    structuredContent: [1],
    _meta: { "com.example/k": 1 },
    resultType: "made up",
  });
  assert.equal(result.isError, true);
  assert.deepEqual(result.structuredContent, [1]);
  assert.equal(result.resultType, "complete");
  assertMembers(result._meta, {
    "com.example/k": 1,
    "io.modelcontextprotocol/serverInfo": { name: "tools" },
  });
});

Deno.test("what is no content fails the call, and is not sent", async () => {
  const cycle: Json = {};
  cycle.self = cycle;
  const values = [
    42,
    true,
    { name: "domain value" },
    { type: "user", name: "domain value" },
    [1],
    [{ type: "text" }],
    { type: "image", data: "AA==" },
    { content: "text" },
    { content: [42] },
    { content: [{ type: "text", text: 5 }] },
  ];
  for (const value of values) {
    const { status, result, text } = await returned(value);
    assert.equal(status, 200);
    assert.equal(result.isError, true, text);
    assertMembers(result.structuredContent, { error: { code: -32603 } });
    assert.doesNotMatch(text, /domain value/);
  }
  for (
    const value of [
      { content: [], structuredContent: 1n },
      { content: [], structuredContent: cycle },
      { content: [], _meta: { k: 1n } },
    ]
  ) {
    const { result, text } = await returned(value);
    assert.equal(result.isError, true, text);
    assertMembers(result.structuredContent, { error: { code: 460 } });
  }
});

const weather = tool("weather", {
  input: z.object({
    city: z.string().min(1),
    days: z.int().default(1),
    opts: z.object({ unit: z.enum(["C", "F"]) }).optional(),
  }),
  output: z.object({ city: z.string(), days: z.int() }),
  handler: ({ city, days }) => {
    if (city === "fail") throw new Error("no weather");
    if (city === "odd") return { city, days: 1.5 };
    if (city === "big") return { city, days, extra: 1n } as never;
    return { city, days };
  },
});

Deno.test("a tool with an output schema gives its value as structure and as text", async () => {
  const answer = await callTool(appOf(weather), "weather", { city: "Rome" });
  assert.deepEqual(answer.result.structuredContent, { city: "Rome", days: 1 });
  assert.equal(textOf(answer), '{"city":"Rome","days":1}');
});

const Shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number() }),
  z.object({ kind: z.literal("square"), side: z.number() }),
]);

Deno.test("a union of objects does for the input and the output of a tool", async () => {
  const app = appOf(tool("grow", {
    input: Shape,
    output: Shape,
    handler: (shape) =>
      shape.kind === "circle"
        ? { ...shape, radius: shape.radius * 2 }
        : { ...shape, side: shape.side * 2 },
  }));
  const { result: { tools } } = await call(app, "tools/list");
  const [{ inputSchema, outputSchema } = {}] = tools as Json[];
  for (const schema of [inputSchema, outputSchema] as Json[]) {
    assert.equal(schema.type, "object");
    assert.equal((schema.oneOf as Json[]).length, 2);
  }
  const square = { kind: "square", side: 2 };
  const good = await callTool(app, "grow", square);
  assert.deepEqual(good.result.structuredContent, { ...square, side: 4 });
  const bad = await callTool(app, "grow", { kind: "line" });
  assert.equal(bad.result.isError, true);
  assert.match(textOf(bad), /kind/);
});

Deno.test("output may be any JSON value", async () => {
  for (
    const [schema, value] of [
      [z.array(z.int()), [1, 2]],
      [z.string(), "s"],
      [z.number(), 0],
      [z.boolean(), false],
      [z.null(), null],
    ] as const
  ) {
    const app = appOf(
      tool("any", { output: schema as z.ZodType, handler: () => value }),
    );
    const { result } = await callTool(app, "any");
    assert.ok("structuredContent" in result);
    assert.deepEqual(result.structuredContent, value);
    assert.deepEqual(result.content, [
      { type: "text", text: JSON.stringify(value) },
    ]);
  }
});

Deno.test("output that breaks its schema is not sent, and is the server's fault", async () => {
  const answer = await callTool(appOf(weather), "weather", { city: "odd" });
  assert.equal(answer.result.isError, true);
  assertMembers(answer.result.structuredContent, { error: { code: -32603 } });
  assert.match(textOf(answer), /does not match its schema: days/);
  assert.doesNotMatch(answer.text, /1\.5/);
});

Deno.test("a handler that throws is a failed result, with nothing of its schema", async () => {
  const { status, result } = await callTool(appOf(weather), "weather", {
    city: "fail",
  });
  assert.equal(status, 200);
  assert.equal(result.isError, true);
  assert.deepEqual(result.content, [
    { type: "text", text: "Error: no weather" },
  ]);
  const { error } = result.structuredContent as { error: Json };
  assert.equal(error.code, -32603);
  assert.equal(typeof (error.data as Json).requestId, "string");
});

Deno.test("arguments may be left out, and must be an object when they are there", async () => {
  const app = appOf(
    tool("opt", {
      input: z.object({ a: z.string().default("none") }),
      handler: ({ a }) => a,
    }),
    tool("free", { handler: (args) => JSON.stringify(args) }),
  );
  for (const [name, text] of [["opt", "none"], ["free", "{}"]] as const) {
    assert.equal(textOf(await callTool(app, name)), text);
    assert.equal(textOf(await callTool(app, name, {})), text);
    for (const args of [null, [], "x", 5, true]) {
      const { error } = await callTool(app, name, args);
      assert.equal(error.code, -32602, JSON.stringify(args));
    }
  }
});

Deno.test("arguments that fail the schema are told to the model by path and message", async () => {
  const answer = await callTool(appOf(weather), "weather", {
    city: "",
    days: "x",
    opts: { unit: "K" },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.result.isError, true);
  const text = textOf(answer);
  for (const path of ["city", "days", "opts.unit"]) {
    assert.match(text, new RegExp(`${path.replace(".", "\\.")}: \\S`));
  }
  assert.doesNotMatch(text, /\{|"code"/);
  assertMembers(answer.result.structuredContent, {
    error: { code: -32602, data: { reason: "invalid_arguments" } },
  });
});

Deno.test("an unknown tool, or none, is a protocol error", async () => {
  const app = appOf(weather);
  for (
    const name of [
      "other",
      "constructor",
      "toString",
      "__proto__",
      "hasOwnProperty",
      "",
      "Weather",
    ]
  ) {
    const { error, text } = await callTool(app, name);
    assert.equal(error.code, -32602, text);
  }
  for (const name of [undefined, null, 5, [], {}]) {
    const { error } = await call(app, "tools/call", { name });
    assert.equal(error.code, -32602, String(name));
  }
});

Deno.test("a key named __proto__ is an argument like any other", async () => {
  const app = appOf(
    tool("keys", {
      input: z.record(z.string(), z.unknown()),
      handler: (args) =>
        JSON.stringify([
          Object.keys(args).length <= 1,
          ({} as Json).polluted === undefined,
          Object.getPrototypeOf(args) === Object.prototype,
        ]),
    }),
  );
  const args = JSON.parse('{"__proto__":{"polluted":true}}');
  assert.equal(textOf(await callTool(app, "keys", args)), "[true,true,true]");
});

Deno.test("text that is no well-formed Unicode is made so, wherever it stands", async () => {
  const lone = "a\ud800b";
  const app = createApp({
    name: `name ${lone}`,
    version: "1.0.0",
    instructions: lone,
    state: memoryState(),
    tools: [
      tool("lone", {
        description: lone,
        output: z.object({ text: z.string() }),
        handler: () => ({ text: lone }),
      }),
      tool("fail", {
        handler() {
          throw new Error(lone);
        },
      }),
    ],
  });
  const answers = [
    await call(app, "server/discover", {}, { id: lone }),
    await call(app, "tools/list"),
    await callTool(app, "lone"),
    await callTool(app, "fail"),
    await callTool(app, lone, {}, { headers: { "mcp-name": "x" } }),
  ];
  for (const { text } of answers) {
    JSON.parse(text, (key, value) => {
      assert.ok(key.isWellFormed(), text);
      if (typeof value === "string") assert.ok(value.isWellFormed(), text);
      return value;
    });
  }
  const { result } = answers[2]!;
  assert.deepEqual(result.structuredContent, { text: "a\ufffdb" });
  assert.deepEqual(JSON.parse(textOf(answers[2]!)), { text: "a\ufffdb" });
  assertMembers(answers[1]!.result.tools, [{ description: "a\ufffdb" }]);
});

Deno.test("tools are listed in their order, with all that they say of themselves", async () => {
  const icons = [{ src: "https://example.com/i.png" }];
  const app = appOf(
    tool("z-last", {
      title: "Last",
      description: "Comes first",
      annotations: { readOnlyHint: true },
      icons,
      _meta: { "com.example/k": 1 },
      handler: () => "z",
    }),
    weather,
  );
  const first = await call(app, "tools/list");
  assert.deepEqual((first.result.tools as Json[])[0], {
    name: "z-last",
    title: "Last",
    description: "Comes first",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
    icons,
    _meta: { "com.example/k": 1 },
  });
  assertMembers((first.result.tools as Json[])[1], {
    name: "weather",
    inputSchema: { type: "object", required: ["city"] },
    outputSchema: { type: "object", required: ["city", "days"] },
  });
  await callTool(app, "weather", { city: "Rome" });
  const second = await call(app, "tools/list", {}, {
    capabilities: { sampling: {} },
  });
  assert.deepEqual(second.result, first.result);
});
