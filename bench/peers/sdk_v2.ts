/** The official SDK's v2 line: `createMcpHandler`, JSON until a handler notifies. */

import {
  acceptedContent,
  type CallToolResult,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { PROGRESS_EVENTS } from "../harness/messages.ts";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const options = serverOptions(Deno.args);
const Confirm = z.object({ confirm: z.boolean() });

/** A tool's configuration, with the schemas in it as the documentation has them. */
function describe() {
  return {
    description: TOOL_DESCRIPTION,
    inputSchema: z.object({ message: z.string() }),
    outputSchema: z.object({ message: z.string() }),
  };
}

const shared = describe();

function config() {
  return options.shared ? shared : describe();
}

const codec = createRequestStateCodec<{ message: string }>({
  key: "bench-key-0123456789-0123456789-0123456789",
  ttlSeconds: 900,
});

function complete(message: string): CallToolResult {
  const value = { message };
  return {
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  };
}

function addEcho(server: McpServer, name: string): void {
  server.registerTool(name, config(), ({ message }) => complete(message));
}

function addConfirm(server: McpServer): void {
  server.registerTool("confirm", config(), async ({ message }, ctx) => {
    const answer = acceptedContent(
      ctx.mcpReq.inputResponses,
      "confirm",
      Confirm,
    );
    if (answer === undefined) {
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: `Send ${message}?`,
            requestedSchema: Confirm,
          }),
        },
        requestState: await codec.mint({ message }),
      });
    }
    return complete(message);
  });
}

function addCount(server: McpServer): void {
  server.registerTool("count", config(), async ({ message }, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
      if (progressToken === undefined) continue;
      await ctx.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: PROGRESS_EVENTS },
      });
    }
    return complete(message);
  });
}

/** Builds one server, as the SDK wants it: afresh for every request or connection. */
export function buildServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" }, {
    capabilities: { tools: {} },
    requestState: { verify: codec.verify },
  });
  const [first, ...idle] = toolNames(options);
  if (options.kit === "confirm") addConfirm(server);
  else if (options.kit === "count") addCount(server);
  else addEcho(server, first!);
  for (const name of idle) addEcho(server, name);
  return server;
}

export default createMcpHandler(buildServer, { maxSubscriptions: 100_000 });
