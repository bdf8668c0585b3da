import assert from "node:assert/strict";
import {
  createApp,
  McpError,
  memoryState,
  notFound,
  prompt,
  type PromptDefinition,
  type PromptReturn,
  z,
} from "../../../mod.ts";
import { type Answer, call, type Json } from "../modern/_client.ts";

function getOf(
  definition: PromptDefinition,
  params: Json = {},
): Promise<Answer> {
  const app = createApp({
    name: "prompts",
    version: "1.0.0",
    state: memoryState(),
    prompts: [definition],
  });
  return call(app, "prompts/get", { name: definition.name, ...params });
}

/** What a prompt gives when its handler returns a value. */
function returned(value: unknown): Promise<Answer> {
  return getOf(
    prompt("p", {
      description: "A prompt",
      handler: () => value as PromptReturn,
    }),
  );
}

const TEXT = { role: "user", content: { type: "text", text: "hi" } };
const IMAGE = {
  role: "assistant",
  content: { type: "image", data: "AA==", mimeType: "image/png" },
};

Deno.test("a prompt is text, one message, several, or a whole result", async () => {
  const cases: readonly [unknown, Json][] = [
    ["hi", { description: "A prompt", messages: [TEXT] }],
    [TEXT, { description: "A prompt", messages: [TEXT] }],
    [[TEXT, IMAGE], { description: "A prompt", messages: [TEXT, IMAGE] }],
    [[], { description: "A prompt", messages: [] }],
    [{ messages: [IMAGE], description: "Mine" }, {
      description: "Mine",
      messages: [IMAGE],
    }],
  ];
  for (const [value, wanted] of cases) {
    const { result } = await returned(value);
    const { resultType, _meta: _, ...rest } = result;
    assert.equal(resultType, "complete");
    assert.deepEqual(rest, wanted);
  }
});

Deno.test("a result's own metadata is sent along", async () => {
  const { result } = await returned({
    messages: [TEXT],
    _meta: { "com.example/version": 2 },
  });
  assert.deepEqual(result._meta, {
    "io.modelcontextprotocol/serverInfo": { name: "prompts", version: "1.0.0" },
    "com.example/version": 2,
  });
});

Deno.test("a handler that returns no prompt fails on the server's side", async () => {
  const values = [
    undefined,
    null,
    42,
    {},
    [1],
    { messages: "hi" },
    { messages: [null] },
    { role: "system", content: TEXT.content },
    { role: "user", content: "hi" },
    { role: "user", content: { type: "unknown" } },
    { role: "user", content: { type: "image", data: 1, mimeType: "x/y" } },
  ];
  for (const value of values) {
    const { error, text } = await returned(value);
    assert.equal(error.code, -32603, text);
  }
  const { error } = await returned({ messages: [TEXT], extra: 1n });
  assert.equal(error.code, 460);
});

const brief = prompt("brief", {
  args: z.object({
    topic: z.string().describe("What it is about"),
    tone: z.enum(["dry", "warm"]).optional(),
  }),
  handler: ({ topic, tone }) => `${topic}, ${tone ?? "any"}`,
});

Deno.test("arguments are listed with what they are, and whether they are needed", async () => {
  const app = createApp({
    name: "prompts",
    version: "1.0.0",
    state: memoryState(),
    prompts: [brief],
  });
  const { result } = await call(app, "prompts/list");
  assert.deepEqual(result.prompts, [{
    name: "brief",
    arguments: [
      { name: "topic", description: "What it is about", required: true },
      { name: "tone", required: false },
    ],
  }]);
});

Deno.test("arguments are validated before the handler runs", async () => {
  const good = await getOf(brief, { arguments: { topic: "tea", tone: "dry" } });
  assert.match(good.text, /tea, dry/);
  const cases: readonly [Json, RegExp][] = [
    [{}, /topic/],
    [{ arguments: {} }, /topic/],
    [{ arguments: { topic: 5 } }, /topic/],
    [{ arguments: { topic: "tea", tone: "loud" } }, /tone/],
    [{ arguments: null }, /arguments/],
    [{ arguments: ["tea"] }, /arguments/],
    [{ arguments: "tea" }, /arguments/],
  ];
  for (const [params, message] of cases) {
    const { status, error } = await getOf(brief, params);
    assert.equal(status, 200);
    assert.equal(error.code, -32602, JSON.stringify(params));
    assert.match(String(error.message), message);
  }
});

Deno.test("an unknown prompt, or none, is refused", async () => {
  for (const name of ["other", "", "constructor", "__proto__", "toString"]) {
    const { error } = await getOf(brief, { name });
    assert.equal(error.code, -32602, name);
  }
  for (const name of [undefined, null, 5, {}]) {
    const { error } = await getOf(brief, { name });
    assert.equal(error.code, -32602, String(name));
  }
});

Deno.test("a failing handler is a protocol error that says what it may", async () => {
  const failing = (thrown: () => never) =>
    getOf(prompt("p", { handler: thrown }));
  const missing = await failing(() => {
    throw notFound("No such subject", { subject: "x" });
  });
  assert.equal(missing.error.code, 404);
  assert.equal((missing.error.data as Json).subject, "x");
  const broken = await failing(() => {
    throw new Error("at /home/someone/app: token=abcdefghijklmnop123456");
  });
  assert.equal(broken.error.code, -32603);
  assert.doesNotMatch(broken.text, /abcdefghijklmnop123456/);
  // The codes the specification keeps for itself mean what it says.
  for (
    const code of [-32000, -32002, -32020, -32022, -32042, -32099, 1.5, NaN]
  ) {
    const { error, text } = await failing(() => {
      throw new McpError(code, "reserved");
    });
    assert.ok(
      [-32602, -32603].includes(Number(error.code)),
      `${code} became ${text}`,
    );
  }
});
