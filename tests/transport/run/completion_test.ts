import assert from "node:assert/strict";
import {
  type Completion,
  type CompletionCallback,
  createApp,
  inputRequired,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";
import { type Answer, call, type Json } from "../modern/_client.ts";

/** An app whose prompt and template are completed in the same way. */
function testApp(topic: CompletionCallback) {
  return createApp({
    name: "completion",
    version: "1.0.0",
    state: memoryState(),
    prompts: [
      prompt("brief", {
        args: z.object({ topic: z.string(), tone: z.string().optional() }),
        complete: { topic },
        handler: () => "brief",
      }),
    ],
    resources: [
      resource("doc://{topic}/{page}", {
        complete: { topic },
        handler: () => "doc",
      }),
      resource("doc://fixed", { handler: () => "fixed" }),
    ],
  });
}

const PROMPT = { type: "ref/prompt", name: "brief" };

function complete(callback: CompletionCallback, params: Json): Promise<Answer> {
  return call(testApp(callback), "completion/complete", params);
}

async function completionOf(
  returned: Completion | Promise<Completion>,
): Promise<unknown> {
  const { result, text } = await complete(() => returned, {
    ref: PROMPT,
    argument: { name: "topic", value: "" },
  });
  assert.equal(result.resultType, "complete", text);
  return result.completion;
}

Deno.test("an argument of a prompt or template is completed with what is typed and known", async () => {
  const calls: unknown[] = [];
  const callback: CompletionCallback = (value, args) => {
    calls.push([value, args]);
    return [`${value}-a`, `${value}-b`];
  };
  for (
    const ref of [
      PROMPT,
      { type: "ref/resource", uri: "doc://{topic}/{page}" },
      { type: "ref/resource", uri: "doc://x/1" },
    ]
  ) {
    const { result } = await complete(callback, {
      ref,
      argument: { name: "topic", value: "py" },
      context: { arguments: { tone: "dry" } },
    });
    assert.deepEqual(result.completion, {
      values: ["py-a", "py-b"],
      total: 2,
      hasMore: false,
    });
  }
  assert.deepEqual(calls, Array(3).fill(["py", { tone: "dry" }]));
});

Deno.test("an argument without a callback has no completions", async () => {
  for (
    const [ref, name] of [
      [PROMPT, "tone"],
      [PROMPT, "constructor"],
      [PROMPT, "__proto__"],
      [{ type: "ref/resource", uri: "doc://{topic}/{page}" }, "page"],
      [{ type: "ref/resource", uri: "doc://fixed" }, "topic"],
    ] as const
  ) {
    const { result, text } = await complete(() => ["x"], {
      ref,
      argument: { name, value: "" },
    });
    assert.deepEqual(
      result.completion,
      { values: [], total: 0, hasMore: false },
      text,
    );
  }
});

Deno.test("at most a hundred values are sent, and the rest is told of", async () => {
  const values = Array.from({ length: 250 }, (_, index) => `v${index}`);
  assert.deepEqual(await completionOf(values), {
    values: values.slice(0, 100),
    total: 250,
    hasMore: true,
  });
  assert.deepEqual(await completionOf({ values }), {
    values: values.slice(0, 100),
    hasMore: true,
  });
  assert.deepEqual(await completionOf({ values, hasMore: false }), {
    values: values.slice(0, 100),
    hasMore: true,
  });
});

Deno.test("what a callback says of the rest is passed on, and nothing is made up", async () => {
  assert.deepEqual(await completionOf({ values: ["a"], total: 7 }), {
    values: ["a"],
    total: 7,
    hasMore: true,
  });
  assert.deepEqual(await completionOf({ values: ["a"], hasMore: true }), {
    values: ["a"],
    hasMore: true,
  });
  assert.deepEqual(
    await completionOf(Promise.resolve({ values: ["a"], total: 1 })),
    { values: ["a"], total: 1, hasMore: false },
  );
  assert.deepEqual(await completionOf({ values: ["a"] }), {
    values: ["a"],
    hasMore: false,
  });
});

const MALFORMED: readonly [string, Json][] = [
  ["nothing", {}],
  ["no argument", { ref: PROMPT }],
  ["an argument without a value", { ref: PROMPT, argument: { name: "topic" } }],
  ["a value that is a number", {
    ref: PROMPT,
    argument: { name: "topic", value: 1 },
  }],
  ["no reference", { argument: { name: "topic", value: "" } }],
  ["a reference of another type", {
    ref: { type: "ref/tool", name: "brief" },
    argument: { name: "topic", value: "" },
  }],
  ["a reference to a prompt without a name", {
    ref: { type: "ref/prompt" },
    argument: { name: "topic", value: "" },
  }],
  ["a prompt whose name is no text", {
    ref: { type: "ref/prompt", name: { toString: 1 } },
    argument: { name: "topic", value: "" },
  }],
  ["a prompt whose name is a list of it", {
    ref: { type: "ref/prompt", name: ["brief"] },
    argument: { name: "topic", value: "" },
  }],
  ["a template whose URI is no text", {
    ref: { type: "ref/resource", uri: { toString: 1 } },
    argument: { name: "topic", value: "" },
  }],
  ["an unknown prompt", {
    ref: { type: "ref/prompt", name: "briefs" },
    argument: { name: "topic", value: "" },
  }],
  ["an unknown template", {
    ref: { type: "ref/resource", uri: "other://{x}" },
    argument: { name: "x", value: "" },
  }],
  ["a context that is a string", {
    ref: PROMPT,
    argument: { name: "topic", value: "" },
    context: "tone",
  }],
  ["context arguments that are a list", {
    ref: PROMPT,
    argument: { name: "topic", value: "" },
    context: { arguments: ["dry"] },
  }],
  ["a context argument that is a number", {
    ref: PROMPT,
    argument: { name: "topic", value: "" },
    context: { arguments: { tone: 1 } },
  }],
];

for (const [what, params] of MALFORMED) {
  Deno.test(`${what} cannot be completed`, async () => {
    const { error, text } = await complete(() => {
      throw new Error("must not be called");
    }, params);
    assert.equal(error.code, -32602, text);
  });
}

Deno.test("a callback that fails, asks or returns nonsense fails the completion alone", async () => {
  const callbacks: readonly CompletionCallback[] = [
    () => {
      throw new Error("no");
    },
    (_value, _args, ctx) =>
      ctx.requestInput({ inputRequests: { r: inputRequired.listRoots() } }),
    async (_value, _args, ctx) => {
      await ctx.ask("r", { roots: true });
      return [];
    },
    () => undefined as never,
    () => ({}) as never,
    () => [1, 2] as never,
    () => ({ values: "abc" }) as never,
  ];
  for (const callback of callbacks) {
    const app = testApp(callback);
    const params = { ref: PROMPT, argument: { name: "topic", value: "" } };
    const { error, text } = await call(app, "completion/complete", params, {
      capabilities: { roots: {} },
    });
    assert.equal(error.code, -32603, text);
    assert.equal((await call(app, "prompts/list")).status, 200);
  }
});

Deno.test("completion needs the scopes of what it completes", async () => {
  const guarded = createApp({
    name: "scopes",
    version: "1.0.0",
    state: memoryState(),
    auth: {
      verify: (request) => ({
        clientId: "c",
        scopes: (request.headers.get("x-scopes") ?? "").split(" "),
      }),
    },
    prompts: [
      prompt("secret", {
        auth: ["secrets"],
        args: z.object({ name: z.string() }),
        complete: { name: () => ["hunter2"] },
        handler: () => "secret",
      }),
    ],
    resources: [
      resource("secret://{name}", {
        auth: ["secrets"],
        complete: { name: () => ["hunter2"] },
        handler: () => "secret",
      }),
    ],
  });
  for (
    const ref of [
      { type: "ref/prompt", name: "secret" },
      { type: "ref/resource", uri: "secret://{name}" },
    ]
  ) {
    const ask = (scopes: string) =>
      call(
        guarded,
        "completion/complete",
        { ref, argument: { name: "name", value: "" } },
        { headers: { "x-scopes": scopes } },
      );
    const refused = await ask("other");
    assert.equal(refused.status, 403, refused.text);
    assert.doesNotMatch(refused.text, /hunter2/);
    assert.match(
      refused.headers.get("www-authenticate") ?? "",
      /insufficient_scope/,
    );
    const granted = await ask("secrets");
    assert.match(granted.text, /hunter2/);
  }
});

Deno.test("a server that completes nothing has no completion", async () => {
  const app = createApp({
    name: "none",
    version: "1.0.0",
    state: memoryState(),
    tools: [tool("t", { handler: () => "t" })],
  });
  const { status, error } = await call(app, "completion/complete", {
    ref: PROMPT,
    argument: { name: "topic", value: "" },
  });
  assert.equal(status, 404);
  assert.equal(error.code, -32601);
  const { result } = await call(app, "server/discover");
  assert.ok(!("completions" in (result.capabilities as Json)));
});
