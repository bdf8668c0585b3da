/**
 * mcp-ts-core, HTTP or stdio by its own environment variables, which the
 * benchmark sets.
 */

import { createApp, tool, z } from "@cyanheads/mcp-ts-core";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const tools = toolNames(serverOptions(Deno.args)).map((name) =>
  tool(name, {
    description: TOOL_DESCRIPTION,
    input: z.object({ message: z.string().describe("What to answer.") }),
    output: z.object({ message: z.string().describe("What was sent.") }),
    handler: ({ message }) => ({ message }),
  })
);

await createApp({ name: "bench", version: "1.0.0", tools });
