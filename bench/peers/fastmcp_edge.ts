/** fastmcp's edge class: no sessions, no output schemas, no structured content. */

import { EdgeFastMCP } from "fastmcp/edge";
import { z } from "zod";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const server = new EdgeFastMCP({ name: "bench", version: "1.0.0" });

for (const name of toolNames(serverOptions(Deno.args))) {
  server.addTool({
    name,
    description: TOOL_DESCRIPTION,
    parameters: z.object({ message: z.string() }),
    execute: ({ message }) => Promise.resolve(JSON.stringify({ message })),
  });
}

export default { fetch: (request: Request) => server.fetch(request) };
