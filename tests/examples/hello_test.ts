import assert from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { startServer } from "../transport/modern/_server_process.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

const ERAS = [["auto", "2026-07-28"], ["legacy", "2025-11-25"]] as const;

function clientOf(mode: "auto" | "legacy"): Client {
  return new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
}

async function assertGreets(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ["greet"]);
  const result = await client.callTool({
    name: "greet",
    arguments: { name: "Ann" },
  });
  assert.deepEqual(result.structuredContent, { greeting: "Hello, Ann" });
  await client.close();
}

for (const [mode, version] of ERAS) {
  Deno.test(`the hello example greets over HTTP with deno serve (${version})`, async () => {
    const example = `${ROOT}examples/hello.ts`;
    const args = ["serve", "-A", "--host=127.0.0.1", "--port=0", example];
    await using server = await startServer(args);
    const client = clientOf(mode);
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", server.url)),
    );
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    await assertGreets(client);
  });
}

for (const [mode, version] of ERAS) {
  Deno.test({
    name: `the hello example greets over stdio (${version})`,
    // The client's transport leaves a timer of two seconds behind, for which
    // it takes both.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const client = clientOf(mode);
      await client.connect(
        new StdioClientTransport({
          command: Deno.execPath(),
          args: ["run", "-A", "stdio.ts", "examples/hello.ts"],
          cwd: ROOT,
          stderr: "ignore",
        }),
      );
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      await assertGreets(client);
    },
  });
}
