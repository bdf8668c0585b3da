import assert from "node:assert/strict";
import {
  createApp,
  inputRequired,
  memoryState,
  prompt,
  tool,
  z,
} from "../../../mod.ts";
import {
  type Answer,
  assertMembers,
  call,
  type CallOptions,
  callTool,
  type Json,
  textOf,
} from "./_client.ts";

const Confirm = z.object({ confirm: z.boolean(), n: z.int().min(1).max(5) });

function testApp() {
  return createApp({
    name: "input",
    version: "1.0.0",
    state: memoryState(),
    requestState: { keys: ["a secret of at least thirty-two bytes!"] },
    tools: [
      tool("form", {
        async handler(_args, ctx) {
          const answer = await ctx.ask("form", {
            message: "Really?",
            schema: Confirm,
            onDecline: "return",
          });
          return "action" in answer ? answer.action : JSON.stringify(answer);
        },
      }),
      tool("page", {
        async handler(_args, ctx) {
          await ctx.ask("page", {
            message: "Sign in",
            url: "https://example.com/auth",
          });
          return "signed in";
        },
      }),
      tool("all", {
        handler: (_args, ctx) =>
          ctx.requestInput({
            inputRequests: {
              form: inputRequired.elicit({
                message: "Name?",
                requestedSchema: z.object({ name: z.string() }),
              }),
              page: inputRequired.elicitUrl({
                message: "Sign in",
                url: "https://example.com/auth",
              }),
              model: inputRequired.createMessage({
                messages: [{
                  role: "user",
                  content: { type: "text", text: "Hi" },
                }],
                maxTokens: 10,
              }),
              roots: inputRequired.listRoots(),
            },
          }),
      }),
      tool("state_only", {
        handler(_args, ctx) {
          const state = ctx.inputs.state();
          return state === undefined
            ? ctx.requestInput({ requestState: "come back" })
            : `state: ${state}`;
        },
      }),
    ],
    prompts: [
      prompt("form", {
        async handler(_args, ctx) {
          const { n } = await ctx.ask("form", {
            message: "How many?",
            schema: Confirm,
          });
          return `${n}`;
        },
      }),
    ],
  });
}

const FORM: CallOptions = { capabilities: { elicitation: {} } };

function retry(inputResponses: unknown, options = FORM): Promise<Answer> {
  return call(
    testApp(),
    "tools/call",
    { name: "form", inputResponses },
    options,
  );
}

const ASKABLE: readonly [Json, readonly string[]][] = [
  [{}, []],
  [{ elicitation: {} }, ["form"]],
  [{ elicitation: { form: {} } }, ["form"]],
  [{ elicitation: { url: {} } }, ["page"]],
  [{ elicitation: { form: {}, url: {} } }, ["form", "page"]],
  [{ sampling: {}, roots: {} }, []],
];

for (const [capabilities, askable] of ASKABLE) {
  Deno.test(`a client that declares ${JSON.stringify(capabilities)} is asked nothing else`, async () => {
    const app = testApp();
    for (const name of ["form", "page"]) {
      const answer = await callTool(app, name, {}, { capabilities, id: "c" });
      if (askable.includes(name)) {
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.result.resultType, "input_required");
        continue;
      }
      assert.equal(answer.status, 400, answer.text);
      assert.equal(answer.headers.get("content-type"), "application/json");
      assert.equal(answer.error.code, -32021);
      assert.equal(answer.response.id, "c");
      const mode = name === "form" ? "form" : "url";
      assertMembers(answer.error.data, {
        requiredCapabilities: { elicitation: { [mode]: {} } },
      });
    }
  });
}

Deno.test("questions of all four kinds go out in one result, and nothing else does", async () => {
  const { status, result, messages } = await callTool(testApp(), "all", {}, {
    capabilities: {
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    },
  });
  assert.equal(status, 200);
  assert.equal(messages.length, 1);
  assert.deepEqual(Object.keys(result).sort(), [
    "_meta",
    "inputRequests",
    "resultType",
  ]);
  assert.deepEqual(result.inputRequests, {
    form: {
      method: "elicitation/create",
      params: {
        mode: "form",
        message: "Name?",
        requestedSchema: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { name: { type: "string" } },
          required: ["name"],
        },
      },
    },
    page: {
      method: "elicitation/create",
      params: {
        mode: "url",
        message: "Sign in",
        url: "https://example.com/auth",
      },
    },
    model: {
      method: "sampling/createMessage",
      params: {
        messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
        maxTokens: 10,
      },
    },
    roots: { method: "roots/list" },
  });
});

Deno.test("-32021 lists everything that is missing", async () => {
  const { error } = await callTool(testApp(), "all", {}, {
    capabilities: { sampling: {} },
  });
  assert.deepEqual(error.data, {
    requiredCapabilities: {
      elicitation: { form: {}, url: {} },
      roots: {},
    },
  });
});

const ACCEPTED = { action: "accept", content: { confirm: true, n: 3 } };

const NO_ANSWERS: readonly [string, unknown][] = [
  ["content that breaks the schema", {
    form: { action: "accept", content: { confirm: true, n: "3" } },
  }],
  ["content out of bounds", {
    form: { action: "accept", content: { confirm: true, n: 9 } },
  }],
  ["no content", { form: { action: "accept" } }],
  ["content that is a list", {
    form: { action: "accept", content: [ACCEPTED] },
  }],
  ["another key", { other: ACCEPTED }],
  ["no keys", {}],
  ["a list", [ACCEPTED]],
  ["null", null],
  ["a string", "accept"],
  ["an entry that is a number", { form: 12345 }],
  ["an entry that is null", { form: null }],
  ["an action in capitals", { form: { ...ACCEPTED, action: "ACCEPT" } }],
  ["no action", { form: { content: ACCEPTED.content } }],
  ["an answer of another kind", { form: { roots: [] } }],
  ["an answer wrapped in a message", {
    form: { method: "elicitation/create", result: ACCEPTED },
  }],
  [
    "a prototype",
    JSON.parse(`{"__proto__":{"form":${JSON.stringify(ACCEPTED)}}}`),
  ],
];

for (const [what, responses] of NO_ANSWERS) {
  Deno.test(`no answer is asked for again: ${what}`, async () => {
    const { status, result, error, text } = await retry(responses);
    if ("code" in error) {
      assert.equal(error.code, -32602, text);
      return;
    }
    assert.equal(status, 200);
    assert.equal(result.resultType, "input_required", text);
    assert.deepEqual(Object.keys(result.inputRequests as Json), ["form"]);
  });
}

Deno.test("an answer that fits is taken, whatever stands beside it", async () => {
  for (
    const responses of [
      { form: ACCEPTED },
      { form: ACCEPTED, extra: { anything: true }, other: ACCEPTED },
      { form: { ...ACCEPTED, _meta: {} } },
    ]
  ) {
    assert.deepEqual(
      JSON.parse(textOf(await retry(responses))),
      ACCEPTED.content,
    );
  }
});

Deno.test("a refusal is one, and its content is nobody's", async () => {
  for (const action of ["decline", "cancel"]) {
    for (const content of [undefined, null, ACCEPTED.content]) {
      const answer = await retry({ form: { action, content } });
      assert.equal(textOf(answer), action);
    }
  }
});

Deno.test("an answer of a kind the client did not declare is none", async () => {
  const { status, error } = await retry({ form: ACCEPTED }, {
    capabilities: { roots: {} },
  });
  assert.equal(status, 400);
  assert.equal(error.code, -32021);
});

Deno.test("prompts ask, and are answered, like tools", async () => {
  const app = testApp();
  const asked = await call(app, "prompts/get", { name: "form" }, FORM);
  assert.equal(asked.result.resultType, "input_required");
  assert.ok(!("messages" in asked.result));
  const answered = await call(app, "prompts/get", {
    name: "form",
    inputResponses: { form: ACCEPTED },
  }, FORM);
  assertMembers(answered.result.messages, [
    { role: "user", content: { type: "text", text: "3" } },
  ]);
});

Deno.test("a handler can send nothing but its state, and needs no capability for it", async () => {
  const app = testApp();
  const first = await callTool(app, "state_only");
  assert.equal(first.status, 200);
  assert.ok(!("inputRequests" in first.result), first.text);
  const { requestState } = first.result;
  assert.equal(typeof requestState, "string");
  const second = await call(app, "tools/call", {
    name: "state_only",
    requestState,
  });
  assert.equal(textOf(second), "state: come back");
});

Deno.test("a state that was not sealed for this very call is refused, and nothing runs", async () => {
  const app = testApp();
  const { result } = await callTool(app, "state_only");
  const state = String(result.requestState);
  const flipped = state.slice(0, -1) + (state.endsWith("A") ? "B" : "A");
  const bad: readonly [string, Json][] = [
    ["a suffix", { requestState: `${state}-TAMPERED` }],
    ["a flipped character", { requestState: flipped }],
    ["half of it", { requestState: state.slice(0, state.length / 2) }],
    ["nothing", { requestState: "" }],
    ["padding", { requestState: `${state}=` }],
    ["a number", { requestState: 5 }],
    ["null", { requestState: null }],
    ["other arguments", { requestState: state, arguments: { x: 1 } }],
    ["another tool", { requestState: state, name: "form" }],
  ];
  for (const [what, params] of bad) {
    const answer = await call(
      app,
      "tools/call",
      { name: "state_only", ...params },
      FORM,
    );
    assert.equal(answer.error.code, -32602, `${what}: ${answer.text}`);
    assertMembers(answer.error.data, { reason: "invalid_request_state" });
  }
  const other = await call(app, "prompts/get", {
    name: "form",
    requestState: state,
  }, FORM);
  assert.equal(other.error.code, -32602);
});

Deno.test("lists, discovery and completion are never answered with a question", async () => {
  const app = testApp();
  for (
    const method of ["server/discover", "tools/list", "prompts/list"]
  ) {
    const { result } = await call(app, method, {
      inputResponses: { form: ACCEPTED },
      requestState: "x",
    }, FORM);
    assert.equal(result.resultType, "complete", method);
  }
});
