import assert from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../../mod.ts";

Deno.test("the official client listens over HTTP, several times, and hears the server say goodbye", async () => {
  const app = createApp({
    name: "listened",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("change", {
        handler(_, ctx) {
          ctx.notifyToolListChanged();
          ctx.notifyPromptListChanged();
          ctx.notifyResourceUpdated("a:1");
          return "changed";
        },
      }),
    ],
    prompts: [prompt("hello", { handler: () => "Hello" })],
    resources: [resource("a:1", { name: "one", handler: () => "1" })],
  });
  const client = new Client(
    { name: "official", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const heard: string[] = [];
  const waiting: (() => void)[] = [];
  function hear(what: string): void {
    heard.push(what);
    waiting.shift()?.();
  }
  /** Waits until so many notifications have been heard. */
  async function hearing(count: number): Promise<string[]> {
    while (heard.length < count) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return heard.splice(0).sort();
  }
  client.setNotificationHandler(
    "notifications/tools/list_changed",
    () => hear("tools"),
  );
  client.setNotificationHandler(
    "notifications/prompts/list_changed",
    () => hear("prompts"),
  );
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => hear(params.uri),
  );
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: (url, init) => app.fetch(new Request(url, init)),
    }),
  );
  const tools = await client.listen({ toolsListChanged: true });
  const others = await client.listen({
    promptsListChanged: true,
    resourceSubscriptions: ["a:1", "a:2"],
  });
  assert.deepEqual(tools.honoredFilter, { toolsListChanged: true });
  assert.deepEqual(others.honoredFilter, {
    promptsListChanged: true,
    resourceSubscriptions: ["a:1", "a:2"],
  });
  await client.callTool({ name: "change" });
  assert.deepEqual(await hearing(3), ["a:1", "prompts", "tools"]);
  await tools.close();
  assert.equal(await tools.closed, "local");
  await client.callTool({ name: "change" });
  assert.deepEqual(await hearing(2), ["a:1", "prompts"]);
  await app.close();
  assert.equal(await others.closed, "graceful");
  await client.close();
});
