/**
 * The official SDK's v1 line over Streamable HTTP, with sessions or without.
 * Answers JSON, which is its faster form, except where progress needs a stream.
 */

import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { serverOptions } from "../harness/server_options.ts";
import { buildServer } from "./sdk_v1_server.ts";

const options = serverOptions(Deno.args);
const enableJsonResponse = options.kit !== "count";
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

async function openSession(): Promise<
  WebStandardStreamableHTTPServerTransport
> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id: string) => void sessions.set(id, transport),
    enableJsonResponse,
  });
  await buildServer().connect(transport);
  return transport;
}

async function inSession(request: Request): Promise<Response> {
  const id = request.headers.get("mcp-session-id");
  const transport = id === null ? await openSession() : sessions.get(id);
  if (transport === undefined) return new Response(null, { status: 404 });
  return await transport.handleRequest(request);
}

async function alone(request: Request): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse,
  });
  await buildServer().connect(transport);
  return await transport.handleRequest(request);
}

export default { fetch: options.mode === "session" ? inSession : alone };
