import assert from "node:assert/strict";
import { mock } from "node:test";
import { inputRequired, prompt, resource, tool, z } from "../../../mod.ts";
import { RawSession, SseReader } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const Name = z.object({ name: z.string() });
const CAPABLE = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
};

const ask = tool("ask", {
  input: z.object({}),
  async handler(_args, ctx) {
    const { name } = await ctx.ask("name", { message: "Who?", schema: Name });
    return `Hello, ${name}`;
  },
});

Deno.test("questions go out on the stream of the call that asks, and nowhere else", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const own = new SseReader(await session.get());
  const stream = new SseReader(await session.call("ask", {}, 7));
  const question = await stream.message();
  assert.equal(question.jsonrpc, "2.0");
  assert.equal(question.method, "elicitation/create");
  assert.deepEqual(question.params, {
    mode: "form",
    message: "Who?",
    requestedSchema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
  });
  await session.answer(question.id, {
    action: "accept",
    content: { name: "Ada" },
  });
  assert.deepEqual(await stream.message(), {
    jsonrpc: "2.0",
    id: 7,
    result: { content: [{ type: "text", text: "Hello, Ada" }] },
  });
  assert.equal(await stream.next(), undefined);
  app.notify.toolsChanged();
  assert.equal(
    (await own.message()).method,
    "notifications/tools/list_changed",
  );
  await own.leave();
  await app.close();
});

Deno.test("all questions of a round go out at once, in the form of the revision", async () => {
  const all = tool("all", {
    handler(_args, ctx) {
      const { responses } = ctx.inputs;
      if (Object.keys(responses).length > 0) return JSON.stringify(responses);
      return ctx.requestInput({
        inputRequests: {
          form: inputRequired.elicit({ message: "F", requestedSchema: Name }),
          page: inputRequired.elicitUrl({
            message: "P",
            url: "https://a.test/",
          }),
          model: inputRequired.createMessage({
            messages: [{ role: "user", content: { type: "text", text: "M" } }],
            maxTokens: 5,
          }),
          roots: inputRequired.listRoots(),
        },
      });
    },
  });
  const app = testApp({ tools: [all] });
  for (const version of ["2025-11-25", "2025-06-18", "2024-11-05"]) {
    const session = await RawSession.open(app, {
      version,
      capabilities: CAPABLE,
    });
    const stream = new SseReader(await session.call("all"));
    const questions = [];
    for (let i = 0; i < 4; i++) questions.push(await stream.message());
    const [form, page, model, roots] = questions;
    assert.equal(
      form.params.mode,
      version === "2025-11-25" ? "form" : undefined,
    );
    assert.equal(
      "$schema" in form.params.requestedSchema,
      version === "2025-11-25",
    );
    assert.equal(page.params.mode, "url");
    assert.match(page.params.elicitationId, /^[0-9a-f-]{36}$/);
    assert.equal(model.method, "sampling/createMessage");
    assert.equal(model.params.maxTokens, 5);
    assert.equal(roots.method, "roots/list");
    assert.equal(new Set(questions.map(({ id }) => id)).size, 4);
    // Answers count by their question, in whatever order they come.
    await session.answer(roots.id, { roots: [{ uri: "file:///r" }] });
    await session.answer(model.id, {
      role: "assistant",
      content: { type: "text", text: "m" },
      model: "x",
    });
    await session.answer(page.id, { action: "accept" });
    await session.answer(form.id, {
      action: "decline",
      content: { name: "x" },
    });
    const { result } = await stream.message();
    assert.deepEqual(JSON.parse(result.content[0].text), {
      form: { action: "decline" },
      page: { action: "accept" },
      model: {
        role: "assistant",
        content: { type: "text", text: "m" },
        model: "x",
      },
      roots: { roots: [{ uri: "file:///r" }] },
    });
  }
  await app.close();
});

Deno.test("each round brings only its own answers, and the handler's state unchanged", async () => {
  const seen: unknown[] = [];
  const states = ['one \u{1f600} " \\ \n', "two"];
  const walk = tool("walk", {
    handler(_args, ctx) {
      const state = ctx.inputs.state<string>();
      seen.push([state, Object.keys(ctx.inputs.responses)]);
      const step = state === undefined ? 0 : states.indexOf(state) + 1;
      if (step === states.length) return "done";
      return inputRequired({
        inputRequests: {
          [`q${step}`]: inputRequired.elicit({
            message: "?",
            requestedSchema: Name,
          }),
        },
        requestState: states[step]!,
      });
    },
  });
  for (const keys of [undefined, ["k".repeat(32)]]) {
    seen.length = 0;
    const app = testApp({
      tools: [walk],
      ...(keys && { requestState: { keys } }),
    });
    const session = await RawSession.open(app, { capabilities: CAPABLE });
    const stream = new SseReader(await session.call("walk"));
    for (let round = 0; round < 2; round++) {
      const { id } = await stream.message();
      await session.answer(id, { action: "accept", content: { name: "n" } });
    }
    const { result } = await stream.message();
    assert.equal(result.content[0].text, "done");
    assert.deepEqual(seen, [
      [undefined, []],
      [states[0], ["q0"]],
      [states[1], ["q1"]],
    ]);
    await app.close();
  }
});

Deno.test("prompts and resources ask too", async () => {
  const app = testApp({
    prompts: [prompt("p", {
      async handler(_args, ctx) {
        const { name } = await ctx.ask("name", { message: "?", schema: Name });
        return `Write to ${name}`;
      },
    })],
    resources: [resource("test://r", {
      name: "r",
      async handler(_params, ctx) {
        const { name } = await ctx.ask("name", { message: "?", schema: Name });
        return `About ${name}`;
      },
    })],
  });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  for (
    const [method, params, text] of [
      ["prompts/get", { name: "p" }, "Write to Ada"],
      ["resources/read", { uri: "test://r" }, "About Ada"],
    ] as const
  ) {
    const stream = new SseReader(await session.request(method, params));
    const { id } = await stream.message();
    await session.answer(id, { action: "accept", content: { name: "Ada" } });
    const { result } = await stream.message();
    assert.ok(JSON.stringify(result).includes(text));
  }
  await app.close();
});

Deno.test("a client that cannot answer is refused where the handler stands", async () => {
  let reached = 0;
  const gate = tool("gate", {
    async handler(_args, ctx) {
      try {
        await ctx.ask("name", {
          message: "?",
          schema: Name,
          fallbackHint: "Or call again with name supplied.",
        });
      } catch (error) {
        reached++;
        throw error;
      }
      return "asked";
    },
  });
  const page = tool("page", {
    async handler(_args, ctx) {
      await ctx.ask("page", { message: "?", url: "https://a.test/" });
      return "asked";
    },
  });
  const app = testApp({ tools: [gate, page] });
  for (
    const [capabilities, name, missing] of [
      [{}, "gate", { elicitation: { form: {} } }],
      [{ sampling: {}, roots: {} }, "gate", { elicitation: { form: {} } }],
      [{ elicitation: { url: {} } }, "gate", { elicitation: { form: {} } }],
      [{ elicitation: {} }, "page", { elicitation: { url: {} } }],
    ] as const
  ) {
    const session = await RawSession.open(app, { capabilities });
    const { result } = await (await session.call(name)).json();
    assert.equal(result.isError, true);
    const { code, data } = result.structuredContent.error;
    assert.equal(code, -32600);
    assert.equal(data.reason, "client_capability_missing");
    assert.deepEqual(data.requiredCapabilities, missing);
    assert.equal(
      data.recovery.hint.endsWith("Or call again with name supplied."),
      name === "gate",
    );
    assert.match(result.content[0].text, /\nRecovery: /);
  }
  assert.equal(reached, 3);
  await app.close();
});

Deno.test("a call that asks eight times is answered, and one that asks on fails", async () => {
  const endless = tool("endless", {
    input: z.object({ rounds: z.number() }),
    handler({ rounds }, ctx) {
      const round = Number(ctx.inputs.state() ?? 0);
      if (round === rounds) return "done";
      return inputRequired({
        inputRequests: { roots: inputRequired.listRoots() },
        requestState: String(round + 1),
      });
    },
  });
  const app = testApp({ tools: [endless] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  for (const rounds of [8, 9]) {
    const stream = new SseReader(await session.call("endless", { rounds }));
    let message = await stream.message();
    let asked = 0;
    while (message.method !== undefined) {
      asked++;
      await session.answer(message.id, { roots: [] });
      message = await stream.message();
    }
    assert.equal(asked, 8);
    assert.equal(message.result.isError, rounds === 8 ? undefined : true);
  }
  await app.close();
});

Deno.test("rounds that ask nothing go on by themselves", async () => {
  const steps = tool("steps", {
    handler(_args, ctx) {
      const step = Number(ctx.inputs.state() ?? 0);
      if (step === 2) return "two steps";
      return ctx.requestInput({ requestState: String(step + 1) });
    },
  });
  const app = testApp({ tools: [steps] });
  const session = await RawSession.open(app);
  const { result } = await (await session.call("steps")).json();
  assert.equal(result.content[0].text, "two steps");
  await app.close();
});

Deno.test("an error in place of an answer fails the call, and takes the other questions back", async () => {
  const two = tool("two", {
    async handler(_args, ctx) {
      await ctx.ask({
        a: { message: "a", schema: Name },
        b: { sampling: { messages: [], maxTokens: 1 } },
      });
      return "both";
    },
  });
  const app = testApp({ tools: [two] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("two"));
  const first = await stream.message();
  const second = await stream.message();
  const error = { code: -1, message: "User rejected sampling request" };
  await session.post({ jsonrpc: "2.0", id: second.id, error });
  const taken = await stream.message();
  assert.equal(taken.method, "notifications/cancelled");
  assert.equal(taken.params.requestId, first.id);
  const { result } = await stream.message();
  assert.equal(result.isError, true);
  assert.match(result.content[0].text, /"b": User rejected sampling request/);
  const { data } = result.structuredContent.error;
  assert.equal(data.reason, "input_failed");
  assert.equal(data.clientCode, -1);
  await app.close();
});

Deno.test("an answer that is none leads to the question again", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("ask"));
  for (
    const bad of [
      null,
      "yes",
      [],
      { action: "ACCEPT", content: { name: "x" } },
      { action: "accept", content: { name: 1 } },
      { action: "accept" },
    ]
  ) {
    const { id } = await stream.message();
    await session.answer(id, bad);
  }
  const { id } = await stream.message();
  await session.answer(id, { action: "accept", content: { name: "Ada" } });
  const { result } = await stream.message();
  assert.equal(result.content[0].text, "Hello, Ada");
  await app.close();
});

Deno.test("answers that nobody waits for are accepted and do nothing", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("ask"));
  const { id } = await stream.message();
  for (const other of ["nope", 1, 0, "", `${id}x`]) {
    await session.answer(other, { action: "accept", content: { name: "x" } });
  }
  // Of another session, even with the right id.
  const thief = await RawSession.open(app, { capabilities: CAPABLE });
  await thief.answer(id, { action: "accept", content: { name: "Eve" } });
  await session.answer(id, { action: "accept", content: { name: "Ada" } });
  // Twice.
  await session.answer(id, { action: "accept", content: { name: "Bob" } });
  const { result } = await stream.message();
  assert.equal(result.content[0].text, "Hello, Ada");
  await app.close();
});

Deno.test("the end of the session settles a call that waits for an answer", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const waits = tool("waits", {
    async handler(_args, ctx) {
      ctx.signal.addEventListener(
        "abort",
        () => aborted.resolve(ctx.signal.reason),
      );
      await ctx.ask("name", { message: "?", schema: Name });
      return "answered";
    },
  });
  const app = testApp({ tools: [waits] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("waits", {}, "w"));
  const question = await stream.message();
  assert.equal((await session.delete()).status, 204);
  assert.equal((await aborted.promise as Error).name, "AbortError");
  const taken = await stream.message();
  assert.equal(taken.method, "notifications/cancelled");
  assert.equal(taken.params.requestId, question.id);
  const { id, error } = await stream.message();
  assert.equal(id, "w");
  assert.equal(error.code, -32600);
  assert.equal(await stream.next(), undefined);
  await app.close();
});

Deno.test("a cancelled call takes its question back and is not answered", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("ask", {}, 3));
  const question = await stream.message();
  const cancel = await session.post({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 3 },
  });
  assert.equal(cancel.status, 202);
  const rest = await stream.all();
  assert.equal(rest.length, 1);
  assert.equal(rest[0]!.message.params.requestId, question.id);
  await app.close();
});

Deno.test("with the shim off a handler that asks fails loudly", async () => {
  const app = testApp({ tools: [ask], inputRequired: { legacyShim: false } });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const { error } = await (await session.call("ask")).json();
  assert.equal(error.code, -32603);
  assert.match(error.message, /legacyShim is off/);
  await app.close();
});

Deno.test("a client that takes no event stream is told so instead of asked", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const response = await session.with({ accept: "application/json" }).call(
    "ask",
  );
  const { result } = await response.json();
  assert.equal(result.isError, true);
  assert.equal(
    result.structuredContent.error.data.reason,
    "no_event_stream",
  );
  await app.close();
});

Deno.test("two clients with the same request ids never see each other's answers", async () => {
  const app = testApp({ tools: [ask] });
  const names = ["Ada", "Bob", "Eve", "Joe", "Kim"];
  const texts = await Promise.all(names.map(async (name) => {
    const session = await RawSession.open(app, { capabilities: CAPABLE });
    const stream = new SseReader(await session.call("ask", {}, 1));
    const { id } = await stream.message();
    await session.answer(id, { action: "accept", content: { name } });
    const answer = await stream.message();
    assert.equal(answer.id, 1);
    return answer.result.content[0].text;
  }));
  assert.deepEqual(texts, names.map((name) => `Hello, ${name}`));
  await app.close();
});

Deno.test("calls of one session with the same id are each answered with their own result", async () => {
  const echo = tool("echo", {
    input: z.object({ v: z.number(), delay: z.number() }),
    async handler({ v, delay }, ctx) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      ctx.log.error("about to answer", { v });
      return String(v);
    },
  });
  const app = testApp({ tools: [echo], logLevel: "error" });
  const session = await RawSession.open(app);
  await Promise.all(Array.from({ length: 12 }, async (_, v) => {
    const delay = (v * 7) % 12 * 5;
    const stream = new SseReader(await session.call("echo", { v, delay }, 1));
    const log = await stream.message();
    assert.equal(log.params.data.v, v);
    const { id, result } = await stream.message();
    assert.equal(id, 1);
    assert.equal(result.content[0].text, String(v));
  }));
  await app.close();
});

Deno.test("a question that stands for ten minutes fails the call", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const stream = new SseReader(await session.call("ask"));
    const question = await stream.message();
    mock.timers.tick(10 * 60_000 - 1);
    await (await session.request("ping")).text();
    mock.timers.tick(1);
    const taken = await stream.message();
    assert.equal(taken.params.requestId, question.id);
    const { result } = await stream.message();
    assert.equal(result.isError, true);
    const { code, data } = result.structuredContent.error;
    assert.equal(code, 408);
    assert.equal(data.reason, "input_timeout");
  } finally {
    mock.timers.reset();
  }
  await app.close();
});

Deno.test("without a way back for its client, a call that waits for an answer ends", async () => {
  const aborted = Promise.withResolvers<void>();
  const waits = tool("waits", {
    async handler(_args, ctx) {
      ctx.signal.addEventListener("abort", () => aborted.resolve());
      await ctx.ask("name", { message: "?", schema: Name });
      return "answered";
    },
  });
  Deno.env.set("MCP_HTTP_RESUMABILITY", "false");
  const app = testApp({ tools: [waits] });
  Deno.env.delete("MCP_HTTP_RESUMABILITY");
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("waits"));
  await stream.message();
  await stream.leave();
  await aborted.promise;
  assert.equal((await session.request("ping")).status, 200);
  await app.close();
});

Deno.test("closing the app settles calls that wait for an answer", async () => {
  const app = testApp({ tools: [ask] });
  const session = await RawSession.open(app, { capabilities: CAPABLE });
  const stream = new SseReader(await session.call("ask"));
  await stream.message();
  const closed = app.close();
  assert.equal((await stream.message()).method, "notifications/cancelled");
  const { result } = await stream.message();
  assert.equal(result.isError, true);
  assert.equal(await stream.next(), undefined);
  await closed;
});
