/**
 * Calls one tool, which asks a question, in a session of the 2025 era, and
 * another one over a stream of lines; then exits, which sends what was measured.
 */
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import { createTestClient } from "../../../testing.ts";

const schema = z.object({ name: z.string() });
const asks = tool("asks", {
  async handler(_input, ctx) {
    const { name } = await ctx.ask("name", { message: "Name?", schema });
    return `${name} ${ctx.sessionId}`;
  },
});
const plain = tool("plain", { handler: () => "" });

const app = createApp({
  name: "traced",
  version: "1.0.0",
  state: memoryState(),
  tools: [asks, plain],
});

const client = createTestClient(app, {
  era: "legacy",
  version: "2025-06-18",
  answers: { name: { name: "Ada" } },
});
const { content: [block] } = await client.callTool("asks");
await client.close();
console.log(block?.type === "text" ? block.text : "");

const message = {
  jsonrpc: "2.0",
  id: "line-1",
  method: "tools/call",
  params: {
    name: "plain",
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};
const line = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
await app.serveStream({
  readable: ReadableStream.from([line]),
  writable: new WritableStream(),
});
await app.close();
