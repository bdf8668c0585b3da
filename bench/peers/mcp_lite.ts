/** mcp-lite over Streamable HTTP, with its in-memory sessions or without sessions. */

import {
  InMemorySessionAdapter,
  McpServer,
  StreamableHttpTransport,
} from "mcp-lite";
import { z } from "zod";
import { PROGRESS_EVENTS } from "../harness/messages.ts";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const options = serverOptions(Deno.args);
const Message = z.object({ message: z.string() });
const config = {
  description: TOOL_DESCRIPTION,
  inputSchema: Message,
  outputSchema: Message,
};
const server = new McpServer({
  name: "bench",
  version: "1.0.0",
  schemaAdapter: (schema) => z.toJSONSchema(schema as z.ZodType),
});

function complete(message: string) {
  const value = { message };
  return {
    content: [{ type: "text" as const, text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

if (options.kit === "count") {
  server.tool("count", {
    ...config,
    async handler({ message }, ctx) {
      for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
        await ctx.progress?.({ progress, total: PROGRESS_EVENTS });
      }
      return complete(message);
    },
  });
} else {
  for (const name of toolNames(options)) {
    server.tool(name, {
      ...config,
      handler: ({ message }) => complete(message),
    });
  }
}

const transport = new StreamableHttpTransport(
  options.mode === "session"
    ? {
      sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1024 }),
    }
    : {},
);

export default { fetch: transport.bind(server) };
