import assert from "node:assert/strict";
import {
  checkScopes,
  ErrorCode,
  inputRequired,
  InputRequiredSignal,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../mod.ts";
import {
  createMockContext,
  getContentBlocks,
  getEnrichment,
  getInputRequest,
  getLogs,
  getNotifications,
  getProgress,
} from "../../testing.ts";

const Name = z.object({ name: z.string() });
const asksName = tool("asks_name", {
  output: z.object({ greeting: z.string() }),
  async handler(_input, ctx) {
    const { name } = await ctx.ask("name", { message: "Name?", schema: Name });
    return { greeting: `Hello, ${name}` };
  },
});

Deno.test("a mock context is that of a call on stdio by default", () => {
  const ctx = createMockContext();
  assert.equal(ctx.tenantId, "default");
  assert.equal(ctx.operation, "tools/call test");
  assert.match(ctx.requestId, /^[\da-f-]{36}$/);
  assert.equal(new Date(ctx.timestamp).toISOString(), ctx.timestamp);
  assert.equal(ctx.signal.aborted, false);
  for (
    const part of [ctx.auth, ctx.sessionId, ctx.uri, ctx.traceId, ctx.spanId]
  ) {
    assert.equal(part, undefined);
  }
  assert.equal(ctx.inputs.state(), undefined);
  assert.deepEqual(ctx.inputs.view("any"), { kind: "missing" });
});

Deno.test("every option reaches the context", () => {
  const controller = new AbortController();
  const auth = { clientId: "app", scopes: ["a"], tenantId: "acme", sub: "u" };
  const ctx = createMockContext({
    auth,
    sessionId: "s-1",
    requestId: "r-1",
    uri: "note://7",
    signal: controller.signal,
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: { roots: {} },
    requestState: "job-1",
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId: "00f067aa0ba902b7",
  });
  assert.equal(ctx.tenantId, "acme");
  assert.deepEqual(ctx.auth, auth);
  assert.equal(ctx.sessionId, "s-1");
  assert.equal(ctx.requestId, "r-1");
  assert.equal(ctx.uri?.href, "note://7");
  assert.equal(ctx.operation, "resources/read note://7");
  assert.deepEqual(ctx.clientInfo, { name: "c", version: "1" });
  assert.deepEqual(ctx.clientCapabilities, { roots: {} });
  assert.equal(ctx.inputs.state(), "job-1");
  assert.equal(ctx.traceId, "0af7651916cd43dd8448eb211c80319c");
  assert.equal(ctx.spanId, "00f067aa0ba902b7");
  controller.abort();
  assert.ok(ctx.signal.aborted);
  assert.throws(() => checkScopes(ctx, ["b"]), { code: 403 });
});

Deno.test("a mock's state refuses what production refuses", async () => {
  const { state } = createMockContext();
  await assert.rejects(state.set("item:1", 1), { code: 422 });
  await assert.rejects(state.get("../x"), { code: 422 });
  await assert.rejects(state.list("a:"), { code: 422 });
  await assert.rejects(state.set("big", 1n), { code: 460 });
  const withoutTenant = createMockContext({ tenantId: undefined });
  await assert.rejects(withoutTenant.state.get("a"), {
    code: ErrorCode.InvalidRequest,
  });
});

Deno.test("a mock's state gives back JSON, and nothing of the one written", async () => {
  const { state } = createMockContext();
  const written = { at: new Date(0), map: new Map([["a", 1]]) };
  await state.set("a", written);
  const read = await state.get("a");
  assert.deepEqual(read, { at: "1970-01-01T00:00:00.000Z", map: {} });
  assert.equal(await state.take("a") !== null, true);
  assert.equal(await state.take("a"), null);
});

Deno.test("contexts share state when they are given the same one", async () => {
  const state = memoryState();
  const acme = createMockContext({ state, tenantId: "acme" });
  const again = createMockContext({ state, tenantId: "acme" });
  const other = createMockContext({ state, tenantId: "other" });
  await acme.state.set("a", 1);
  assert.equal(await again.state.get("a"), 1);
  assert.equal(await other.state.get("a"), null);
  assert.equal(await createMockContext().state.get("a"), null);
});

Deno.test("a handler that asks throws the signal, and getInputRequest() says what it asks", async () => {
  const ctx = createMockContext();
  await assert.rejects(
    async () => await asksName.handler({}, ctx),
    (thrown) => thrown instanceof InputRequiredSignal,
  );
  const asked = await getInputRequest(ctx);
  assert.equal(asked?.resultType, "input_required");
  const { name } = asked?.inputRequests ?? {};
  assert.equal(name?.method, "elicitation/create");
  assert.equal(await getInputRequest(createMockContext()), undefined);
});

Deno.test("inputResponses are the answers of the round", async () => {
  const ctx = createMockContext({
    inputResponses: { name: { action: "accept", content: { name: "Ada" } } },
  });
  assert.deepEqual(await asksName.handler({}, ctx), { greeting: "Hello, Ada" });
  const carried = createMockContext({
    carriedAnswers: { name: { action: "accept", content: { name: "Bob" } } },
  });
  assert.deepEqual(await asksName.handler({}, carried), {
    greeting: "Hello, Bob",
  });
  const declined = createMockContext({
    inputResponses: { name: { action: "decline" } },
  });
  await assert.rejects(async () => await asksName.handler({}, declined), {
    data: { reason: "input_declined", key: "name" },
  });
});

Deno.test("answers that the client did not declare are left out", () => {
  const inputResponses = {
    form: { action: "accept", content: { a: 1 } },
    roots: { roots: [] },
  };
  const ctx = createMockContext({
    inputResponses,
    clientCapabilities: { roots: {} },
  });
  assert.equal(ctx.inputs.accepted("form"), undefined);
  assert.equal(ctx.inputs.view("roots").kind, "roots");
  const unknown = createMockContext({
    inputResponses,
    clientCapabilities: undefined,
  });
  assert.equal(unknown.inputs.view("roots").kind, "missing");
});

Deno.test("a legacy client without the capability is refused where the handler stands", () => {
  const ctx = createMockContext({ era: "legacy", clientCapabilities: {} });
  const spec = { inputRequests: { roots: inputRequired.listRoots() } };
  assert.throws(
    () => ctx.requestInput(spec, { fallbackHint: "Or name a folder." }),
    (error: { code: number; data: Record<string, unknown> }) => {
      assert.equal(error.code, -32600);
      assert.equal(error.data.reason, "client_capability_missing");
      const { hint } = error.data.recovery as { hint: string };
      assert.match(hint, /roots.* Or name a folder\.$/);
      return true;
    },
  );
});

Deno.test("ctx.fail and ctx.recoveryFor know the contract that is given", () => {
  const find = tool("find", {
    errors: [{
      reason: "no_match",
      code: ErrorCode.NotFound,
      when: "Nothing matches",
      recovery: "Try a wider query.",
    }],
    handler(_input, ctx) {
      throw ctx.fail("no_match", undefined, { query: "q" });
    },
  });
  const ctx = createMockContext({ errors: find.errors });
  assert.throws(() => find.handler({}, ctx), {
    code: 404,
    message: "Nothing matches",
    data: { query: "q", reason: "no_match" },
  });
  assert.deepEqual(ctx.recoveryFor("no_match"), {
    recovery: { hint: "Try a wider query." },
  });
  // Without a contract there is nothing to resolve, which is no error.
  assert.deepEqual(createMockContext().recoveryFor("no_match"), {});
});

Deno.test("an error that ctx.fail builds keeps the cause it is given", () => {
  const cause = new Error("why");
  const errors = [{ reason: "a", code: 409, when: "A" }] as const;
  const error = createMockContext({ errors }).fail("a", "B", {}, { cause });
  assert.equal(error.cause, cause);
});

Deno.test("logs are captured with their secrets masked", () => {
  const ctx = createMockContext();
  ctx.log.debug("one");
  ctx.log.error("two", new Error("boom"), { token: "t-1", n: 1n });
  assert.deepEqual(getLogs(ctx), [
    { level: "debug", message: "one", data: {} },
    {
      level: "error",
      message: "two",
      data: { token: "[REDACTED]", n: "1", error: "boom" },
    },
  ]);
  const quiet = createMockContext({ logLevel: "warning" });
  quiet.log.info("dropped");
  assert.deepEqual(getLogs(quiet), []);
});

Deno.test("progress is captured, and never goes backwards", () => {
  const ctx = createMockContext();
  ctx.progress(1, 3, "one");
  ctx.progress(1);
  ctx.progress(0.5);
  ctx.progress(NaN);
  ctx.progress(2);
  assert.deepEqual(getProgress(ctx), [
    { progress: 1, total: 3, message: "one" },
    { progress: 2 },
  ]);
});

Deno.test("notifications are captured, and told to whoever listens", () => {
  const heard: unknown[] = [];
  const ctx = createMockContext({
    notifyToolListChanged: () => heard.push("tools"),
    notifyPromptListChanged: () => heard.push("prompts"),
    notifyResourceListChanged: () => heard.push("resources"),
    notifyResourceUpdated: (uri) => heard.push(uri),
  });
  // Handlers may take them apart.
  const { notifyToolListChanged, notifyResourceUpdated } = ctx;
  notifyToolListChanged();
  ctx.notifyPromptListChanged();
  ctx.notifyResourceListChanged();
  notifyResourceUpdated("note://7");
  assert.deepEqual(heard, ["tools", "prompts", "resources", "note://7"]);
  assert.deepEqual(getNotifications(ctx), [
    { kind: "tools_list_changed" },
    { kind: "prompts_list_changed" },
    { kind: "resources_list_changed" },
    { kind: "resource_updated", uri: "note://7" },
  ]);
});

Deno.test("enrichment and content are captured", () => {
  const ctx = createMockContext({ enrichment: { region: z.string() } });
  ctx.enrich({ region: "eu" });
  ctx.enrich.total(3);
  ctx.content.image("AA==", "image/png");
  assert.deepEqual(getEnrichment(ctx), { region: "eu", totalCount: 3 });
  assert.deepEqual(getContentBlocks(ctx), [
    { type: "image", data: "AA==", mimeType: "image/png" },
  ]);
  assert.deepEqual(getEnrichment(createMockContext()), {});
  assert.deepEqual(getContentBlocks(createMockContext()), []);
});

Deno.test("handlers of all three families take a mock context", async () => {
  const note = resource("note://{id}", {
    handler: ({ id }, ctx) => `${id} of ${ctx.tenantId}`,
  });
  const review = prompt("review", {
    args: z.object({ language: z.string() }),
    handler: ({ language }, ctx) => `${language} for ${ctx.tenantId}`,
  });
  const ctx = createMockContext({ tenantId: "acme" });
  assert.equal(await note.handler({ id: "7" }, ctx), "7 of acme");
  assert.equal(
    await review.handler(review.args.parse({ language: "C" }), ctx),
    "C for acme",
  );
});

Deno.test("the helpers refuse a context that is no mock", async () => {
  const { createApp } = await import("../../mod.ts");
  const { createTestClient } = await import("../../testing.ts");
  const real = tool("real", {
    handler(_input, ctx) {
      assert.throws(() => getLogs(ctx), TypeError);
      assert.throws(() => getEnrichment(ctx), /not made by createMockContext/);
      return "";
    },
  });
  const app = createApp({
    name: "t",
    version: "1",
    tools: [real],
    state: memoryState(),
  });
  await using client = createTestClient(app);
  assert.notEqual((await client.callTool("real")).isError, true);
  await app.close();
});

Deno.test("the requestState of one round brings its answers and its consent to the next", async () => {
  const drop = tool("drop", {
    async handler(_input, ctx) {
      const { table } = await ctx.ask("table", {
        message: "Which table?",
        schema: z.object({ table: z.string() }),
      });
      const { answer } = await ctx.consent("confirm", {
        message: `Drop ${table}?`,
        schema: z.object({ yes: z.boolean() }),
        target: table,
      });
      return `${table}: ${answer.yes}`;
    },
  });
  const state = memoryState();
  const first = createMockContext({
    state,
    inputResponses: { table: { action: "accept", content: { table: "t" } } },
  });
  await assert.rejects(
    async () => await drop.handler({}, first),
    (thrown) => String(thrown).startsWith("InputRequiredSignal: "),
  );
  const asked = await getInputRequest(first);
  const answered = {
    state,
    requestState: asked?.requestState,
    inputResponses: { confirm: { action: "accept", content: { yes: true } } },
  };
  const second = createMockContext(answered);
  assert.equal(await drop.handler({}, second), "t: true");
  assert.equal(second.inputs.state(), undefined);
  const again = createMockContext(answered);
  await assert.rejects(async () => await drop.handler({}, again));
});
