import assert from "node:assert/strict";
import {
  type AppOptions,
  type ClientCapabilities,
  createEventBus,
  inputRequired,
  type ServerEvent,
  tool,
  z,
} from "../../mod.ts";
import { createTestClient, type TestClientOptions } from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "./_support.ts";

/** What a handler sees of who calls it. */
interface Seen {
  readonly tenantId: string | undefined;
  readonly sessionId: string | undefined;
  readonly auth: unknown;
  readonly clientCapabilities: ClientCapabilities | undefined;
  readonly clientInfo: unknown;
}

async function seenBy(
  client: TestClientOptions,
  options: Partial<AppOptions> = {},
  calls = 1,
): Promise<Seen[]> {
  const seen: Seen[] = [];
  const look = tool("look", {
    handler(_input, ctx) {
      const { tenantId, sessionId, auth, clientCapabilities, clientInfo } = ctx;
      seen.push({ tenantId, sessionId, auth, clientCapabilities, clientInfo });
      return "";
    },
  });
  await using app = openApp({ tools: [look], ...options });
  await using caller = createTestClient(app, client);
  for (let call = 0; call < calls; call++) await caller.callTool("look");
  return seen;
}

for (const era of ERAS) {
  Deno.test(`ctx.auth is what the credentials say, and the tenant follows from it, in the ${era} era`, async () => {
    const auth = {
      clientId: "app",
      scopes: ["files:read"],
      sub: "alice",
      tenantId: "acme",
    };
    const [seen] = await seenBy({ era }, { auth: { verify: () => auth } });
    assert.deepEqual(seen?.auth, auth);
    assert.equal(seen?.tenantId, "acme");
  });

  Deno.test(`a caller without a tenant gets no state, in the ${era} era`, async () => {
    const auth = { clientId: "app", scopes: [] };
    const reads = tool("reads", {
      handler: async (_input, ctx) => {
        assert.equal(ctx.tenantId, undefined);
        await ctx.state.set("a", 1);
        return "";
      },
    });
    await using app = openApp({
      tools: [reads],
      logLevel: "emergency",
      auth: { verify: () => auth },
    });
    await using client = createTestClient(app, { era });
    const { isError, structuredContent } = await client.callTool("reads");
    assert.equal(isError, true);
    const { error } = structuredContent as { error: { code: number } };
    assert.equal(error.code, -32600);
  });

  Deno.test(`ctx.clientInfo is what the client says of itself, in the ${era} era`, async () => {
    const clientInfo = { name: "inspector", version: "2.1" };
    const [seen] = await seenBy({ era, clientInfo });
    assert.deepEqual(seen?.clientInfo, clientInfo);
    assert.equal(seen?.auth, undefined);
    assert.equal(seen?.tenantId, "default");
  });

  Deno.test(`ctx.clientCapabilities is what the client declared for the request, in the ${era} era`, async () => {
    const capabilities = {
      roots: {},
      extensions: { "io.modelcontextprotocol/ui": {} },
    };
    const [some] = await seenBy({ era, capabilities });
    assert.deepEqual(some?.clientCapabilities, capabilities);
    const [none] = await seenBy({ era, capabilities: {} });
    assert.deepEqual(none?.clientCapabilities, {});
  });

  Deno.test(`events of a handler reach whoever listens to the app, in the ${era} era`, async () => {
    const events: ServerEvent[] = [];
    const eventBus = createEventBus();
    eventBus.subscribe((event) => events.push(event));
    const changes = tool("changes", {
      handler(_input, ctx) {
        ctx.notifyToolListChanged();
        ctx.notifyPromptListChanged();
        ctx.notifyResourceListChanged();
        ctx.notifyResourceUpdated("note://7");
        return "";
      },
    });
    await using app = openApp({ tools: [changes], eventBus });
    await using client = createTestClient(app, { era });
    await client.callTool("changes");
    app.notify.resourceUpdated("note://8");
    assert.deepEqual(events, [
      { kind: "tools_list_changed" },
      { kind: "prompts_list_changed" },
      { kind: "resources_list_changed" },
      { kind: "resource_updated", uri: "note://7" },
      { kind: "resource_updated", uri: "note://8" },
    ]);
  });

  Deno.test(`a round that ends in a question is no failure, and is not logged as one, in the ${era} era`, async () => {
    using log = captureProcessLog();
    const rounds: string[] = [];
    const ask = tool("ask", {
      handler(_input, ctx) {
        rounds.push(ctx.requestId);
        const view = ctx.inputs.view("roots");
        if (view.kind === "roots") return "done";
        try {
          return ctx.requestInput({
            inputRequests: { roots: inputRequired.listRoots() },
          });
        } finally {
          rounds.push("left");
        }
      },
    });
    await using app = openApp({ tools: [ask] });
    await using client = createTestClient(app, {
      era,
      answers: { roots: { roots: [] } },
    });
    const { content, isError } = await client.callTool("ask");
    assert.deepEqual([content, isError], [
      [{ type: "text", text: "done" }],
      undefined,
    ]);
    assert.deepEqual(rounds.map((round) => round === "left"), [
      false,
      true,
      false,
    ]);
    assert.deepEqual(log.lines, []);
  });
}

Deno.test("a bare elicitation reads as it was sent on 2026-07-28, and with its mode in the 2025 era", async () => {
  const capabilities = { elicitation: {} };
  const [modern] = await seenBy({ era: "modern", capabilities });
  assert.deepEqual(modern?.clientCapabilities, { elicitation: {} });
  const [legacy] = await seenBy({ era: "legacy", capabilities });
  assert.deepEqual(legacy?.clientCapabilities, { elicitation: { form: {} } });
});

Deno.test("ctx.sessionId is that of the session, and no other era has one", async () => {
  const modern = await seenBy({ era: "modern" }, {}, 2);
  assert.deepEqual(modern.map(({ sessionId }) => sessionId), [
    undefined,
    undefined,
  ]);
  const [first, second] = await seenBy({ era: "legacy" }, {}, 2);
  assert.match(first?.sessionId ?? "", /^[\x21-\x7e]{16,}$/);
  assert.equal(first?.sessionId, second?.sessionId);
  const [other] = await seenBy({ era: "legacy" });
  assert.notEqual(other?.sessionId, first?.sessionId);
});

Deno.test("without sessions ctx.sessionId is undefined, unless the app wants one per request", async () => {
  const hidden = await seenBy(
    { era: "legacy" },
    { sessionMode: "stateless" },
    2,
  );
  assert.deepEqual(hidden.map(({ sessionId }) => sessionId), [
    undefined,
    undefined,
  ]);
  // Nobody knows what such a client can do.
  assert.equal(hidden[0]?.clientCapabilities, undefined);
  const exposed = await seenBy({ era: "legacy" }, {
    sessionMode: "stateless",
    context: { exposeStatelessSessionId: true },
  }, 2);
  const ids = exposed.map(({ sessionId }) => sessionId);
  assert.equal(new Set(ids).size, 2);
  assert.ok(ids.every((id) => typeof id === "string" && id.length > 0));
});

Deno.test("ctx.log goes to clients that the server tells it logs", async () => {
  await using app = openApp({
    tools: [tool("t", { input: z.object({}), handler: () => "" })],
  });
  await using client = createTestClient(app);
  const { capabilities } = await client.request("server/discover");
  assert.deepEqual((capabilities as { logging: unknown }).logging, {});
});
