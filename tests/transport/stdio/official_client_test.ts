import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { FIXTURE, serveArgs } from "./_stdio_process.ts";

/** Connects the official client to a server process. */
async function connect(
  mode: "auto" | "legacy" | { pin: string } = "auto",
  server: string = FIXTURE,
) {
  const transport = new StdioClientTransport({
    command: Deno.execPath(),
    args: serveArgs(server),
    stderr: "ignore",
  });
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const errors: unknown[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return { client, errors };
}

/** A test whose client leaves timers behind, which its close() sets. */
function clientTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, sanitizeOps: false, sanitizeResources: false });
}

/** The text of the first block of content. */
function firstText(result: unknown): unknown {
  return (result as { content: { text: string }[] }).content[0]!.text;
}

clientTest(
  "the official client finds the revision, and uses all that there is",
  async () => {
    const { client, errors } = await connect();
    assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
    assert.equal(client.getServerVersion()?.name, "fixture");
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "echo"));
    const echoed = await client.callTool({
      name: "echo",
      arguments: { text: "世界\n" },
    });
    assert.deepEqual(echoed.structuredContent, { text: "世界\n" });
    const { prompts } = await client.listPrompts();
    assert.equal(prompts[0]?.name, "greet");
    const { messages } = await client.getPrompt({
      name: "greet",
      arguments: { name: "Ada" },
    });
    assert.deepEqual(messages[0]?.content, {
      type: "text",
      text: "Hello, Ada",
    });
    const { completion } = await client.complete({
      ref: { type: "ref/prompt", name: "greet" },
      argument: { name: "name", value: "A" },
    });
    assert.deepEqual(completion.values, ["Ada", "Alan"]);
    const { resources } = await client.listResources();
    assert.equal(resources[0]?.uri, "fixture:one");
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates[0]?.uriTemplate, "fixture:item/{id}");
    const { contents } = await client.readResource({ uri: "fixture:item/7" });
    assert.deepEqual((contents[0] as { text: string }).text, "item 7");
    await assert.rejects(
      client.callTool({ name: "missing" }),
      /Unknown tool: missing/,
    );
    await client.close();
    assert.deepEqual(errors, []);
  },
);

clientTest(
  "the official client hears progress and log messages, and many calls at once",
  async () => {
    const { client, errors } = await connect();
    const logged: unknown[] = [];
    client.setNotificationHandler(
      "notifications/message",
      ({ params }) => void logged.push(params.level),
    );
    const progress: number[] = [];
    const result = await client.callTool({
      name: "chatty",
      arguments: { held: true },
      _meta: { "io.modelcontextprotocol/logLevel": "info" },
    }, {
      onprogress(update) {
        progress.push(update.progress);
        // The client drops progress that it reads together with the result.
        if (update.progress === 100) void client.callTool({ name: "release" });
      },
    });
    assert.equal(firstText(result), "chatted");
    assert.deepEqual(progress, Array.from({ length: 100 }, (_, n) => n + 1));
    assert.equal(logged.length, 100);
    const results = await Promise.all(
      Array.from(
        { length: 200 },
        (_, n) =>
          client.callTool({ name: "echo", arguments: { text: String(n) } }),
      ),
    );
    assert.deepEqual(
      results.map(({ structuredContent }) => structuredContent),
      Array.from({ length: 200 }, (_, n) => ({ text: String(n) })),
    );
    await client.close();
    assert.deepEqual(errors, []);
  },
);

clientTest("the official client cancels a call, and goes on", async () => {
  const { client, errors } = await connect();
  const stop = new AbortController();
  const call = client.callTool(
    { name: "wait", arguments: { ms: 1_000_000 } },
    { signal: stop.signal },
  );
  await client.callTool({ name: "echo", arguments: { text: "meanwhile" } });
  stop.abort("enough");
  await assert.rejects(call, /enough/);
  await client.callTool({ name: "echo", arguments: { text: "after" } });
  await client.close();
  assert.deepEqual(errors, []);
});

clientTest(
  "the official client listens, several times, and hears the server say goodbye",
  async () => {
    const { client, errors } = await connect({ pin: "2026-07-28" });
    const heard: string[] = [];
    client.setNotificationHandler(
      "notifications/tools/list_changed",
      () => void heard.push("tools"),
    );
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void heard.push(params.uri),
    );
    const filter = { resourceSubscriptions: ["fixture:one"] };
    const tools = await client.listen({ toolsListChanged: true });
    const one = await client.listen({ ...filter, promptsListChanged: true });
    assert.deepEqual(tools.honoredFilter, { toolsListChanged: true });
    assert.deepEqual(one.honoredFilter, {
      ...filter,
      promptsListChanged: true,
    });
    await client.callTool({ name: "change" });
    assert.deepEqual(heard.sort(), ["fixture:one", "tools"]);
    await tools.close();
    heard.length = 0;
    await client.callTool({ name: "change" });
    assert.deepEqual(heard, ["fixture:one"]);
    const { pid } = client.transport as StdioClientTransport;
    Deno.kill(pid!, "SIGTERM");
    assert.equal(await one.closed, "graceful");
    await client.close();
    assert.deepEqual(errors, []);
  },
);

clientTest(
  "an official client of the 2025 era is served over stdio too",
  async () => {
    const { client, errors } = await connect("legacy");
    assert.equal(client.getNegotiatedProtocolVersion(), "2025-11-25");
    const echoed = await client.callTool({
      name: "echo",
      arguments: { text: "before" },
    });
    assert.deepEqual(echoed.structuredContent, { text: "before" });
    await client.close();
    assert.deepEqual(errors, []);
  },
);

clientTest("the official client goes through a list page by page", async () => {
  const server = FIXTURE.replace("stdio_server.ts", "paged_server.ts");
  const { client, errors } = await connect("auto", server);
  const first = await client.request(
    { method: "tools/list", params: {} },
  ) as { tools: { name: string }[]; nextCursor?: string };
  assert.deepEqual(first.tools.map(({ name }) => name), ["one", "two"]);
  const { nextCursor } = first;
  assert.equal(typeof nextCursor, "string");
  const second = await client.request(
    { method: "tools/list", params: { cursor: nextCursor! } },
  ) as { tools: { name: string }[]; nextCursor?: string };
  assert.deepEqual(second.tools.map(({ name }) => name), ["three"]);
  assert.equal(second.nextCursor, undefined);
  await assert.rejects(
    client.request({ method: "tools/list", params: { cursor: "mine" } }),
    /Invalid cursor/,
  );
  await client.close();
  assert.deepEqual(errors, []);
});
