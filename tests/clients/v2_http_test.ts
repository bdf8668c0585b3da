import assert from "node:assert/strict";
import {
  Client,
  type ClientOptions,
  ProtocolError,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  type AppOptions,
  createApp,
  memoryState,
  notFound,
  prompt,
  resource,
  tool,
  z,
} from "../../mod.ts";

const REVISION = "2026-07-28";

const cancelled = new Map<string, PromiseWithResolvers<void>>();

const tools = [
  tool("forecast", {
    title: "Forecast",
    description: "Tells the weather.",
    input: z.object({ city: z.string(), days: z.int().min(1).default(1) }),
    output: z.object({ city: z.string(), days: z.array(z.string()) }),
    annotations: { readOnlyHint: true },
    handler: ({ city, days }) => ({
      city,
      days: Array.from({ length: days }, (_, day) => `day ${day + 1}: sun`),
    }),
  }),
  tool("broken", {
    output: z.object({ value: z.number() }),
    handler(): { value: number } {
      throw notFound("No such thing", { thing: 7 });
    },
  }),
  tool("media", {
    handler(_args, ctx) {
      ctx.content.image("AA==", "image/png");
      ctx.content({ type: "resource_link", uri: "doc://readme", name: "r" });
      return "text";
    },
  }),
  tool("mirrored", {
    input: z.object({
      region: z.string().meta({ "x-mcp-header": "Region" }),
      opts: z.object({
        zone: z.int().meta({ "x-mcp-header": "Zone" }).optional(),
      }).optional(),
    }),
    handler: (args) => JSON.stringify(args),
  }),
  tool("busy", {
    input: z.object({ steps: z.int() }),
    async handler({ steps }, ctx) {
      for (let step = 1; step <= steps; step++) {
        ctx.progress(step, steps, `step ${step}`);
        ctx.log.info("stepped", { step });
        // The client drops progress that it reads together with the result.
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return "done";
    },
  }),
  tool("endless", {
    input: z.object({ id: z.string() }),
    async handler({ id }, ctx) {
      ctx.progress(1);
      await new Promise<void>((resolve) =>
        ctx.signal.addEventListener("abort", () => resolve())
      );
      cancelled.get(id)?.resolve();
      return "never read";
    },
  }),
  tool("interview", {
    async handler(_args, ctx) {
      const { name } = await ctx.ask("name", {
        message: "Your name?",
        schema: z.object({ name: z.string() }),
      });
      const { joke, roots, page } = await ctx.ask({
        joke: {
          sampling: {
            messages: [{
              role: "user",
              content: { type: "text", text: `A joke for ${name}` },
            }],
            maxTokens: 20,
          },
        },
        roots: { roots: true },
        page: { message: "Sign in", url: "https://example.com/auth" },
      });
      return JSON.stringify([name, joke.content, roots, page.action]);
    },
  }),
  tool("refused", {
    async handler(_args, ctx) {
      await ctx.ask("ok", {
        message: "Refuse, please",
        schema: z.object({ ok: z.boolean() }),
      });
      return "not refused";
    },
  }),
];

const resources = [
  resource("doc://readme", {
    name: "readme",
    title: "Read me",
    mimeType: "text/markdown",
    handler: () => "# Hello",
  }),
  resource("doc://logo", {
    mimeType: "image/png",
    cacheHint: { ttlMs: 60_000, scope: "public" },
    handler: () => new Uint8Array([1, 2, 3]),
  }),
  resource("note://{id}{?lang}", {
    name: "note",
    list: () => [
      { uri: "note://1", name: "one" },
      { uri: "note://2", name: "two" },
    ],
    complete: {
      id: (typed) => ["1", "2"].filter((id) => id.startsWith(typed)),
    },
    async handler({ id, lang }, ctx) {
      if (id === "secret") {
        const { pin } = await ctx.ask("pin", {
          message: "PIN?",
          schema: z.object({ pin: z.string() }),
        });
        return `opened with ${pin}`;
      }
      if (id === "none") throw notFound("No such note");
      return { id, lang: lang ?? "en" };
    },
  }),
];

const prompts = [
  prompt("brief", {
    description: "Writes a brief.",
    args: z.object({ topic: z.string(), tone: z.string().optional() }),
    complete: {
      topic: () => Array.from({ length: 120 }, (_, index) => `topic ${index}`),
      tone: (typed, { topic }) => [`${topic}: ${typed}!`],
    },
    handler: ({ topic, tone }) => `About ${topic}, ${tone ?? "plainly"}.`,
  }),
  prompt("asking", {
    async handler(_args, ctx) {
      const { name } = await ctx.ask("name", {
        message: "For whom?",
        schema: z.object({ name: z.string() }),
      });
      return `For ${name}.`;
    },
  }),
];

interface Visit extends AsyncDisposable {
  readonly client: Client;
  /** Every request the client sent. */
  readonly sent: { method: string; headers: Headers }[];
  /** What went wrong on the client's side. */
  readonly errors: unknown[];
}

/** Starts a server, and has the official client find it over a socket. */
async function visit(
  options: Partial<AppOptions> = {},
  clientOptions: ClientOptions = {},
): Promise<Visit> {
  const app = createApp({
    name: "official",
    version: "3.2.1",
    instructions: "Be kind.",
    state: memoryState(),
    requestState: { keys: ["a secret of at least thirty-two bytes!"] },
    tools,
    resources,
    prompts,
    ...options,
  });
  const listener = await app.listen({ port: 0, onListen() {} });
  const client = new Client({ name: "v2", version: "1.0.0" }, {
    versionNegotiation: { mode: { pin: REVISION } },
    capabilities: {
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    },
    ...clientOptions,
  });
  const sent: Visit["sent"] = [];
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(listener.url), {
      fetch(url, init) {
        const headers = new Headers(init?.headers);
        sent.push({ method: headers.get("mcp-method") ?? "", headers });
        return fetch(url, init);
      },
    }),
  );
  return {
    client,
    sent,
    errors,
    async [Symbol.asyncDispose]() {
      await client.close();
      await app.close();
    },
  };
}

/** A test whose client leaves timers behind, which its close() sets. */
function clientTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

function firstText(result: unknown): string {
  return String((result as { content: { text: string }[] }).content[0]?.text);
}

clientTest("the official client finds the server, and what it is", async () => {
  await using visited = await visit();
  const { client, errors } = visited;
  assert.equal(client.getNegotiatedProtocolVersion(), REVISION);
  assert.equal(client.getProtocolEra(), "modern");
  assert.deepEqual(client.getServerVersion(), {
    name: "official",
    version: "3.2.1",
  });
  assert.equal(client.getInstructions(), "Be kind.");
  assert.deepEqual(Object.keys(client.getServerCapabilities() ?? {}).sort(), [
    "completions",
    "logging",
    "prompts",
    "resources",
    "tools",
  ]);
  assert.deepEqual((await client.discover()).supportedVersions, [REVISION]);
  assert.deepEqual(errors, []);
});

clientTest("the official client finds the revision by itself", async () => {
  await using visited = await visit({}, {
    versionNegotiation: { mode: "auto" },
  });
  assert.equal(visited.client.getNegotiatedProtocolVersion(), REVISION);
});

clientTest(
  "the official client lists and calls tools, and validates what they give",
  async () => {
    await using visited = await visit();
    const { client, errors } = visited;
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    const forecast = await client.callTool({
      name: "forecast",
      arguments: { city: "Rome", days: 2 },
    });
    assert.deepEqual(forecast.structuredContent, {
      city: "Rome",
      days: ["day 1: sun", "day 2: sun"],
    });
    const broken = await client.callTool({ name: "broken" });
    assert.equal(broken.isError, true);
    assert.equal(firstText(broken), "Error: No such thing");
    const invalid = await client.callTool({
      name: "forecast",
      arguments: { city: 5 },
    });
    assert.equal(invalid.isError, true);
    assert.match(firstText(invalid), /city: /);
    const media = await client.callTool({ name: "media" });
    assert.deepEqual(media.content.map(({ type }) => type), [
      "image",
      "resource_link",
      "text",
    ]);
    await assert.rejects(
      client.callTool({ name: "missing" }),
      (error) => error instanceof ProtocolError && error.code === -32602,
    );
    assert.deepEqual(errors, []);
  },
);

clientTest(
  "the official client mirrors the arguments that ask for it",
  async () => {
    await using visited = await visit();
    const { client, sent, errors } = visited;
    await client.listTools();
    const args = { region: "Köln ", opts: { zone: 7 } };
    const result = await client.callTool({ name: "mirrored", arguments: args });
    assert.deepEqual(JSON.parse(firstText(result)), args);
    const { headers } = sent.at(-1)!;
    assert.match(headers.get("mcp-param-region") ?? "", /^=\?base64\?/);
    assert.equal(headers.get("mcp-param-zone"), "7");
    assert.deepEqual(errors, []);
  },
);

clientTest("the official client reads resources and templates", async () => {
  await using visited = await visit();
  const { client, sent, errors } = visited;
  const { resources } = await client.listResources();
  assert.deepEqual(resources.map(({ uri }) => uri), [
    "doc://readme",
    "doc://logo",
    "note://1",
    "note://2",
  ]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates[0]?.uriTemplate, "note://{id}{?lang}");
  const readme = await client.readResource({ uri: "doc://readme" });
  assert.deepEqual(readme.contents, [
    { uri: "doc://readme", mimeType: "text/markdown", text: "# Hello" },
  ]);
  const note = await client.readResource({ uri: "note://世界?lang=de" });
  assert.deepEqual(note.contents, [{
    uri: "note://世界?lang=de",
    mimeType: "application/json",
    text: '{"id":"世界","lang":"de"}',
  }]);
  // A fresh copy is served by the client's own cache.
  const before = sent.length;
  for (let time = 0; time < 3; time++) {
    const { contents } = await client.readResource({ uri: "doc://logo" });
    assert.equal((contents[0] as { blob: string }).blob, "AQID");
  }
  assert.equal(sent.length, before + 1);
  for (const uri of ["note://none", "other://x"]) {
    await assert.rejects(
      client.readResource({ uri }),
      (error) =>
        error instanceof ProtocolError && error.code === -32602 &&
        (error.data as { uri: string }).uri === uri,
    );
  }
  assert.deepEqual(errors, []);
});

clientTest(
  "the official client gets prompts, and completes what goes into them",
  async () => {
    await using visited = await visit();
    const { client, errors } = visited;
    const { prompts } = await client.listPrompts();
    assert.deepEqual(prompts.map(({ name }) => name), ["brief", "asking"]);
    const { messages } = await client.getPrompt({
      name: "brief",
      arguments: { topic: "tea" },
    });
    assert.deepEqual(messages, [{
      role: "user",
      content: { type: "text", text: "About tea, plainly." },
    }]);
    await assert.rejects(client.getPrompt({ name: "brief" }), /topic/);
    const ref = { type: "ref/prompt" as const, name: "brief" };
    const topics = await client.complete({
      ref,
      argument: { name: "topic", value: "" },
    });
    assert.equal(topics.completion.values.length, 100);
    assert.equal(topics.completion.total, 120);
    assert.equal(topics.completion.hasMore, true);
    const tones = await client.complete({
      ref,
      argument: { name: "tone", value: "dry" },
      context: { arguments: { topic: "tea" } },
    });
    assert.deepEqual(tones.completion.values, ["tea: dry!"]);
    const ids = await client.complete({
      ref: { type: "ref/resource", uri: "note://{id}{?lang}" },
      argument: { name: "id", value: "2" },
    });
    assert.deepEqual(ids.completion.values, ["2"]);
    assert.deepEqual(errors, []);
  },
);

clientTest(
  "the official client hears progress and log messages of its own calls",
  async () => {
    await using visited = await visit();
    const { client, errors } = visited;
    const logged: unknown[] = [];
    client.setNotificationHandler(
      "notifications/message",
      ({ params }) => void logged.push([params.level, params.data]),
    );
    const progress: unknown[] = [];
    const result = await client.callTool({
      name: "busy",
      arguments: { steps: 3 },
      _meta: { "io.modelcontextprotocol/logLevel": "info" },
    }, { onprogress: (update) => void progress.push(update) });
    assert.equal(firstText(result), "done");
    assert.deepEqual(progress, [
      { progress: 1, total: 3, message: "step 1" },
      { progress: 2, total: 3, message: "step 2" },
      { progress: 3, total: 3, message: "step 3" },
    ]);
    assert.deepEqual(logged, [
      ["info", { message: "stepped", step: 1 }],
      ["info", { message: "stepped", step: 2 }],
      ["info", { message: "stepped", step: 3 }],
    ]);
    logged.length = 0;
    await client.callTool({ name: "busy", arguments: { steps: 1 } });
    assert.deepEqual(logged, []);
    assert.deepEqual(errors, []);
  },
);

clientTest(
  "the official client cancels a call by leaving it, and goes on",
  async () => {
    await using visited = await visit();
    const { client } = visited;
    const stopped = Promise.withResolvers<void>();
    cancelled.set("leave", stopped);
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const call = client.callTool(
      { name: "endless", arguments: { id: "leave" } },
      { signal: controller.signal, onprogress: () => started.resolve() },
    );
    await started.promise;
    controller.abort("enough");
    await assert.rejects(call, /enough/);
    await stopped.promise;
    const after = await client.callTool({
      name: "forecast",
      arguments: { city: "Rome" },
    });
    assert.equal(after.isError, undefined);
  },
);

clientTest("the official client walks all pages of every list", async () => {
  await using visited = await visit({ pageSize: 1 });
  const { client, sent, errors } = visited;
  const before = sent.length;
  assert.equal((await client.listTools()).tools.length, tools.length);
  assert.equal(sent.length, before + tools.length);
  assert.equal((await client.listPrompts()).prompts.length, 2);
  assert.equal((await client.listResources()).resources.length, 4);
  await assert.rejects(
    client.listTools({ cursor: "made up" }),
    (error) => error instanceof ProtocolError && error.code === -32602,
  );
  assert.deepEqual(errors, []);
});

clientTest(
  "the official client answers questions of all four kinds, in two rounds",
  async () => {
    await using visited = await visit();
    const { client, sent, errors } = visited;
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(`${params.mode ?? "form"}: ${params.message}`);
      return params.mode === "url"
        ? { action: "accept" }
        : { action: "accept", content: { name: "Ada", pin: "1234" } };
    });
    client.setRequestHandler("sampling/createMessage", ({ params }) => {
      const { content } = params.messages[0]!;
      asked.push(`model: ${(content as { text: string }).text}`);
      return {
        role: "assistant",
        model: "m",
        content: { type: "text", text: "Knock knock" },
      };
    });
    client.setRequestHandler("roots/list", () => {
      asked.push("roots");
      return { roots: [{ uri: "file:///home/ada" }] };
    });
    const before = sent.length;
    const result = await client.callTool({ name: "interview" });
    assert.deepEqual(JSON.parse(firstText(result)), [
      "Ada",
      { type: "text", text: "Knock knock" },
      [{ uri: "file:///home/ada" }],
      "accept",
    ]);
    assert.deepEqual(asked.sort(), [
      "form: Your name?",
      "model: A joke for Ada",
      "roots",
      "url: Sign in",
    ]);
    assert.equal(sent.length, before + 3);
    const secret = await client.readResource({ uri: "note://secret" });
    assert.equal(
      (secret.contents[0] as { text: string }).text,
      "opened with 1234",
    );
    const { messages } = await client.getPrompt({ name: "asking" });
    assert.deepEqual(messages[0]?.content, { type: "text", text: "For Ada." });
    assert.deepEqual(errors, []);
  },
);

clientTest("the official client declines, and the call says so", async () => {
  await using visited = await visit();
  const { client } = visited;
  for (const action of ["decline", "cancel"] as const) {
    client.setRequestHandler("elicitation/create", () => ({ action }));
    const result = await client.callTool({ name: "refused" });
    assert.equal(result.isError, true);
    assert.match(firstText(result), /declined|cancelled/);
  }
});

clientTest(
  "the official client without capabilities is told what it lacks",
  async () => {
    await using visited = await visit({}, { capabilities: {} });
    await assert.rejects(
      visited.client.callTool({ name: "refused" }),
      (error) => error instanceof ProtocolError && error.code === -32021,
    );
  },
);

clientTest(
  "the official client listens, and hears what it asked for until the server ends",
  async () => {
    const app = createApp({
      name: "events",
      version: "1.0.0",
      state: memoryState(),
      tools,
      resources,
    });
    const listener = await app.listen({ port: 0, onListen() {} });
    const client = new Client({ name: "v2", version: "1.0.0" }, {
      versionNegotiation: { mode: { pin: REVISION } },
    });
    const heard: string[] = [];
    const done = Promise.withResolvers<void>();
    client.setNotificationHandler(
      "notifications/tools/list_changed",
      () => void heard.push("tools"),
    );
    client.setNotificationHandler(
      "notifications/resources/updated",
      (event) => {
        heard.push(event.params.uri);
        if (event.params.uri === "doc://logo") done.resolve();
      },
    );
    await client.connect(
      new StreamableHTTPClientTransport(new URL(listener.url)),
    );
    const subscription = await client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ["doc://readme", "doc://logo"],
    });
    assert.deepEqual(subscription.honoredFilter, {
      toolsListChanged: true,
      resourceSubscriptions: ["doc://readme", "doc://logo"],
    });
    app.notify.toolsChanged();
    app.notify.promptsChanged();
    app.notify.resourcesChanged();
    app.notify.resourceUpdated("doc://other");
    app.notify.resourceUpdated("doc://readme");
    app.notify.resourceUpdated("doc://logo");
    await done.promise;
    assert.deepEqual(heard, ["tools", "doc://readme", "doc://logo"]);
    await app.close();
    assert.equal(await subscription.closed, "graceful");
    await client.close();
  },
);
