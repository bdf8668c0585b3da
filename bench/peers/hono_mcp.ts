/** @hono/mcp: the v1 SDK's server behind Hono, with a transport per session or per request. */

import { StreamableHTTPTransport } from "@hono/mcp";
import { type Context, Hono } from "hono";
import { serverOptions } from "../harness/server_options.ts";
import { buildServer } from "./sdk_v1_server.ts";

const options = serverOptions(Deno.args);
const sessions = new Map<string, StreamableHTTPTransport>();
const app = new Hono();

async function openSession(): Promise<StreamableHTTPTransport> {
  const transport = new StreamableHTTPTransport({
    sessionIdGenerator: () => crypto.randomUUID(),
    onsessioninitialized: (id: string) => void sessions.set(id, transport),
    enableJsonResponse: true,
  });
  await buildServer().connect(transport);
  return transport;
}

async function inSession(c: Context): Promise<Response> {
  const id = c.req.header("mcp-session-id");
  const transport = id === undefined ? await openSession() : sessions.get(id);
  if (transport === undefined) return c.notFound();
  return await transport.handleRequest(c) ?? c.body(null, 202);
}

async function alone(c: Context): Promise<Response> {
  const transport = new StreamableHTTPTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  await buildServer().connect(transport);
  return await transport.handleRequest(c) ?? c.body(null, 202);
}

app.all("/mcp", options.mode === "session" ? inSession : alone);

export default { fetch: (request: Request) => app.fetch(request) };
