/** tmcp's server with the measured tools, for both of its transports. */

import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { McpServer } from "tmcp";
import { z } from "zod";
import { PROGRESS_EVENTS, step } from "../harness/messages.ts";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const Message = z.object({ message: z.string() });

function complete(message: string) {
  const value = { message };
  return {
    content: [{ type: "text" as const, text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

/** Builds the one server that serves every request. */
export function buildServer() {
  const options = serverOptions(Deno.args);
  const server = new McpServer({
    name: "bench",
    version: "1.0.0",
    description: "The measured tools.",
  }, {
    adapter: new ZodJsonSchemaAdapter(),
    capabilities: { tools: { listChanged: true } },
  });
  for (const name of toolNames(options)) {
    server.tool({
      name,
      description: TOOL_DESCRIPTION,
      schema: Message,
      outputSchema: Message,
    }, async ({ message }) => {
      if (name === "count") {
        for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
          server.progress(progress, PROGRESS_EVENTS);
          await step();
        }
      }
      return complete(message);
    });
  }
  return server;
}
