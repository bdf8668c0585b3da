/** tmcp over Streamable HTTP; one transport serves both eras. */

import { HttpTransport } from "@tmcp/transport-http";
import { buildServer } from "./tmcp_server.ts";

const transport = new HttpTransport(buildServer(), { path: "/mcp" });

async function handle(request: Request): Promise<Response> {
  return await transport.respond(request) ??
    new Response(null, { status: 404 });
}

export default { fetch: handle };
