import assert from "node:assert/strict";
import {
  createApp,
  inputRequired,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../mod.ts";
import { post, read } from "../transport/modern/_client.ts";
import { CLIENTS, connect } from "./_clients.ts";
import {
  accept,
  ALL,
  assertAsks,
  DECLINED,
  reply,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Ok = z.object({ ok: z.boolean() });
const form = inputRequired.elicit({ message: "form", requestedSchema: Ok });
const page = inputRequired.elicitUrl({
  message: "page",
  url: "https://example.com/",
});
const MESSAGES = [
  { role: "user" as const, content: { type: "text" as const, text: "Hi" } },
];
const model = inputRequired.createMessage({
  messages: MESSAGES,
  maxTokens: 5,
});
const tools = inputRequired.createMessage({
  messages: MESSAGES,
  maxTokens: 5,
  toolChoice: { mode: "none" },
});
const roots = inputRequired.listRoots();

const QUESTIONS = { form, page, model, tools, roots };
type Kind = keyof typeof QUESTIONS;

/** A tool for each kind of question, and one that asks them all. */
const definitions = {
  tools: [
    ...Object.entries(QUESTIONS).map(([kind, request]) =>
      tool(kind, {
        handler: (_args, ctx) =>
          ctx.requestInput(
            { inputRequests: { it: request } },
            { fallbackHint: `Or call again with ${kind} supplied.` },
          ),
      })
    ),
    tool("all", {
      handler: (_args, ctx) => ctx.requestInput({ inputRequests: QUESTIONS }),
    }),
    tool("ask_all", {
      async handler(_args, ctx) {
        await ctx.ask({
          form: { message: "form", schema: Ok, fallbackHint: "Say ok." },
          page: { message: "page", url: "https://example.com/" },
          model: { sampling: { messages: MESSAGES, maxTokens: 5 } },
          roots: { roots: true, fallbackHint: "Say where." },
        });
      },
    }),
    tool("returned", {
      handler: () => inputRequired({ inputRequests: { it: form } }),
    }),
    tool("state_only", {
      handler: (_args, ctx) =>
        ctx.inputs.state() ?? ctx.requestInput({ requestState: "s" }),
    }),
    tool("fall_through", {
      handler(_args, ctx) {
        const view = ctx.inputs.view("it");
        if (view.kind === "roots") return String(view.roots.length);
        if (ctx.clientCapabilities?.roots) {
          return ctx.requestInput({ inputRequests: { it: roots } });
        }
        return "from elsewhere";
      },
    }),
    tool("seen", {
      handler: (_args, { inputs: { responses, dropped } }) =>
        JSON.stringify([Object.keys(responses), dropped]),
    }),
  ],
  resources: [
    resource("form://a", {
      name: "form",
      handler: (_params, ctx) =>
        ctx.requestInput(
          { inputRequests: { it: form } },
          { fallbackHint: "Or read form://b." },
        ),
    }),
  ],
  prompts: [
    prompt("form", {
      handler: (_args, ctx) =>
        ctx.requestInput({ inputRequests: { it: form } }),
    }),
  ],
};

// Which questions may be put to a client that declares what.
const DECLARATIONS: readonly (readonly [object, readonly Kind[]])[] = [
  [{}, []],
  [{ elicitation: {} }, ["form"]],
  [{ elicitation: { form: {} } }, ["form"]],
  [{ elicitation: { url: {} } }, ["page"]],
  [{ elicitation: { form: {}, url: {} } }, ["form", "page"]],
  [{ sampling: {} }, ["model"]],
  [{ sampling: { tools: {} } }, ["model", "tools"]],
  [{ roots: {} }, ["roots"]],
  [ALL, ["form", "page", "model", "tools", "roots"]],
];

const REQUIRED: Readonly<Record<Kind, object>> = {
  form: { elicitation: { form: {} } },
  page: { elicitation: { url: {} } },
  model: { sampling: {} },
  tools: { sampling: { tools: {} } },
  roots: { roots: {} },
};

for (const [capabilities, allowed] of DECLARATIONS) {
  Deno.test(`2026-07-28: ${JSON.stringify(capabilities)} is asked for ${allowed.join(", ") || "nothing"}`, async () => {
    const app = sealingApp(definitions);
    for (const kind of Object.keys(QUESTIONS) as Kind[]) {
      const round = await sendRound(app, toolCall(kind), {}, { capabilities });
      if (allowed.includes(kind)) {
        assertAsks(round, "it");
        continue;
      }
      const { status, error } = round.answer;
      assert.equal(status, 400, kind);
      assert.equal(error.code, -32021, kind);
      const { requiredCapabilities } = error.data as Record<string, unknown>;
      assert.deepEqual(requiredCapabilities, REQUIRED[kind]);
      // What a caller of the 2025 era is told has no place here.
      assert.doesNotMatch(round.answer.text, /call again/);
    }
  });
}

Deno.test("2026-07-28: -32021 lists everything that is missing", async () => {
  const app = sealingApp(definitions);
  for (const name of ["all", "ask_all"]) {
    const none = await sendRound(app, toolCall(name), {}, { capabilities: {} });
    assert.equal(none.answer.status, 400);
    assert.deepEqual(
      (none.answer.error.data as Record<string, unknown>).requiredCapabilities,
      {
        elicitation: { form: {}, url: {} },
        sampling: name === "all" ? { tools: {} } : {},
        roots: {},
      },
    );
    const some = await sendRound(app, toolCall(name), {}, {
      capabilities: { elicitation: { form: {} }, sampling: { tools: {} } },
    });
    assert.deepEqual(
      (some.answer.error.data as Record<string, unknown>).requiredCapabilities,
      { elicitation: { url: {} }, roots: {} },
    );
  }
});

Deno.test("2026-07-28: reads and prompts are refused with -32021, too", async () => {
  const app = sealingApp(definitions);
  for (
    const call of [
      { method: "resources/read", params: { uri: "form://a" } },
      { method: "prompts/get", params: { name: "form" } },
    ]
  ) {
    const round = await sendRound(app, call, {}, {
      capabilities: { elicitation: { url: {} } },
    });
    assert.equal(round.answer.status, 400);
    assert.equal(round.answer.error.code, -32021);
    assert.partialDeepStrictEqual(round.answer.error.data, {
      requiredCapabilities: { elicitation: { form: {} } },
    });
  }
});

Deno.test("2026-07-28: each round goes by what it declares itself", async () => {
  const app = sealingApp({
    tools: [tool("two", {
      async handler(_args, ctx) {
        const one = await ctx.ask("one", { message: "one", schema: Ok });
        const two = await ctx.ask("two", { message: "two", schema: Ok });
        return `${one.ok} ${two.ok}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("two"));
  const second = await reply(app, first, { one: accept({ ok: true }) });
  assertAsks(second, "two");
  const retry = {
    inputResponses: { two: accept({ ok: false }) },
    requestState: second.state,
  };
  const poorer = await sendRound(app, toolCall("two"), retry, {
    capabilities: { roots: {} },
  });
  assert.equal(poorer.answer.error.code, -32021);
  const richer = await sendRound(app, toolCall("two"), retry);
  assert.equal(textOf(richer), "true false");
});

Deno.test("a state without questions is never gated", async () => {
  const app = sealingApp(definitions);
  const first = await sendRound(app, toolCall("state_only"), {}, {
    capabilities: {},
  });
  assertAsks(first);
  assert.equal(textOf(await reply(app, first, {})), "s");
});

// What a client sends, and which kinds of clients' answers reach a handler.
const RESPONSES = {
  form: accept({ ok: true }),
  page: { action: "accept" },
  declined: DECLINED,
  cancelled: { action: "cancel", content: null },
  model: { role: "assistant", model: "m", content: { type: "text", text: "" } },
  tools: {
    role: "assistant",
    model: "m",
    content: [{ type: "tool_use", id: "1", name: "t", input: {} }],
  },
  roots: { roots: [] },
  wrapped: { method: "elicitation/create", result: accept({ ok: true }) },
  unknown: { answer: 42 },
  shouted: { action: "ACCEPT", content: { ok: true } },
  text: "yes",
  nothing: null,
};

const SEEN: readonly (readonly [object, readonly string[]])[] = [
  [{}, []],
  [{ elicitation: {} }, ["form", "page", "declined", "cancelled"]],
  [{ elicitation: { url: {} } }, ["page", "declined", "cancelled"]],
  [{ sampling: {} }, ["model"]],
  [{ sampling: { tools: {} } }, ["model", "tools"]],
  [{ roots: {} }, ["roots"]],
  [ALL, ["form", "page", "declined", "cancelled", "model", "tools", "roots"]],
];

for (const [capabilities, seen] of SEEN) {
  Deno.test(`a client that declares ${JSON.stringify(capabilities)} is believed ${seen.join(", ") || "nothing"} unasked`, async () => {
    const app = sealingApp(definitions);
    const round = await sendRound(
      app,
      toolCall("seen"),
      { inputResponses: RESPONSES },
      { capabilities },
    );
    const [responses, dropped] = JSON.parse(textOf(round));
    assert.deepEqual(responses, seen);
    assert.deepEqual(
      dropped,
      Object.keys(RESPONSES).filter((key) => !seen.includes(key)),
    );
  });
}

Deno.test("inputResponses that are no object hold no answers", async () => {
  const app = sealingApp(definitions);
  for (const inputResponses of [[], [accept({ ok: true })], "yes", 7, null]) {
    const round = await sendRound(app, toolCall("seen"), { inputResponses });
    assert.equal(textOf(round), "[[],[]]");
  }
  const odd = await sendRound(app, toolCall("seen"), {
    inputResponses: JSON.parse(
      '{"__proto__":{"action":"accept","content":{}},"constructor":{"action":"decline"}}',
    ),
  });
  assert.deepEqual(JSON.parse(textOf(odd))[1], []);
});

for (const kind of CLIENTS.filter((kind) => kind.endsWith("legacy"))) {
  Deno.test(`2025 era: a client without the capability is refused at once, with an envelope (${kind})`, async () => {
    const app = sealingApp(definitions);
    const person = await connect(kind, app, () => accept({ ok: true }), {
      capabilities: { sampling: {} },
    });
    for (const name of ["form", "page", "tools", "roots"]) {
      const result = await person.request("tools/call", {
        name,
        arguments: {},
      });
      assert.equal(result.isError, true);
      const named = {
        form: "elicitation.form",
        page: "elicitation.url",
        tools: "sampling.tools",
        roots: "roots",
      }[name];
      const { error } = result.structuredContent as {
        error: Record<string, unknown>;
      };
      assert.equal(error.code, -32600);
      assert.partialDeepStrictEqual(error.data, {
        reason: "client_capability_missing",
        requiredCapabilities: REQUIRED[name as Kind],
        recovery: {
          hint:
            `Reconnect with a client that declares the \`${named}\` capability. Or call again with ${name} supplied.`,
        },
      });
    }
    const returned = await person.request("tools/call", {
      name: "returned",
      arguments: {},
    });
    assert.partialDeepStrictEqual(returned, {
      isError: true,
      structuredContent: {
        error: { code: -32600, data: { reason: "client_capability_missing" } },
      },
    });
    const all = await person.request("tools/call", {
      name: "ask_all",
      arguments: {},
    });
    assert.partialDeepStrictEqual(all.structuredContent, {
      error: {
        data: {
          requiredCapabilities: {
            elicitation: { form: {}, url: {} },
            roots: {},
          },
          recovery: {
            hint:
              "Reconnect with a client that declares the `elicitation.form`, `elicitation.url` and `roots` capabilities. Say ok. Say where.",
          },
        },
      },
    });
    await assert.rejects(
      person.request("resources/read", { uri: "form://a" }),
      (error: { code: number; data: Record<string, unknown> }) => {
        assert.equal(error.code, -32600);
        assert.partialDeepStrictEqual(error.data, {
          reason: "client_capability_missing",
          recovery: {
            hint:
              "Reconnect with a client that declares the `elicitation.form` capability. Or read form://b.",
          },
        });
        return true;
      },
    );
    await assert.rejects(
      person.request("prompts/get", { name: "form" }),
      { code: -32600 },
    );
    const through = await person.request("tools/call", {
      name: "fall_through",
      arguments: {},
    });
    assert.partialDeepStrictEqual(through.content, [
      { text: "from elsewhere" },
    ]);
    assert.deepEqual(person.asked, []);
    await person.close();
    await app.close();
  });
}

Deno.test("2025 era: a later round is gated again", async () => {
  const app = sealingApp({
    tools: [tool("two", {
      async handler(_args, ctx) {
        await ctx.ask("one", { message: "one", schema: Ok });
        await ctx.ask("two", { roots: true });
      },
    })],
  });
  const person = await connect(
    "v2 legacy",
    app,
    () => accept({ ok: true }),
    { capabilities: { elicitation: {} } },
  );
  const result = await person.request("tools/call", {
    name: "two",
    arguments: {},
  });
  assert.equal(person.asked.length, 1);
  assert.partialDeepStrictEqual(result.structuredContent, {
    error: { code: -32600, data: { requiredCapabilities: { roots: {} } } },
  });
  await person.close();
  await app.close();
});

Deno.test("2025 era: without a session there is no view, no answers and no questions", async () => {
  const app = createApp({
    name: "stateless",
    version: "1.0.0",
    state: memoryState(),
    sessionMode: "stateless",
    logLevel: "emergency",
    ...definitions,
  });
  const send = async (name: string, params: object = {}) => {
    const body = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: {}, ...params },
    };
    return await read(
      await app.fetch(post(body, { "mcp-protocol-version": "2025-11-25" })),
    );
  };
  const { result } = await send("form", {
    inputResponses: { it: accept({ ok: true }) },
  });
  assert.equal(result.isError, true);
  assert.partialDeepStrictEqual(result.structuredContent, {
    error: {
      code: -32600,
      data: {
        reason: "client_capability_missing",
        recovery: {
          hint:
            "Reconnect over a stateful session with a client that declares the `elicitation.form` capability. Or call again with form supplied.",
        },
      },
    },
  });
  const seen = await send("seen", { inputResponses: RESPONSES });
  const [block] = seen.result.content as { text: string }[];
  assert.deepEqual(JSON.parse(block!.text), [[], Object.keys(RESPONSES)]);
  await app.close();
});
