/** The official SDK's v1 server with the measured tools, for every transport that takes one. */

import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { PROGRESS_EVENTS } from "../harness/messages.ts";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const options = serverOptions(Deno.args);
const config = {
  description: TOOL_DESCRIPTION,
  inputSchema: { message: z.string() },
  outputSchema: { message: z.string() },
};

interface Arguments {
  message: string;
}

/** The part of a v1 handler's second argument that these tools use. */
interface Extra {
  _meta?: { progressToken?: string | number };
  sendNotification(notification: {
    method: string;
    params: Record<string, unknown>;
  }): Promise<void>;
}

function complete(message: string): CallToolResult {
  const value = { message };
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

function addCount(server: McpServer): void {
  server.registerTool("count", config, async (
    { message }: Arguments,
    extra: Extra,
  ) => {
    const progressToken = extra._meta?.progressToken;
    for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
      if (progressToken === undefined) continue;
      await extra.sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress, total: PROGRESS_EVENTS },
      });
    }
    return complete(message);
  });
}

/** Builds one server: one a session, or one a request where there are no sessions. */
export function buildServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  if (options.kit === "count") {
    addCount(server);
    return server;
  }
  for (const name of toolNames(options)) {
    server.registerTool(
      name,
      config,
      ({ message }: Arguments) => complete(message),
    );
  }
  return server;
}
