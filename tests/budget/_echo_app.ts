import { type App, createApp, memoryState, tool, z } from "../../mod.ts";
import type { StateBackend } from "../../state/mod.ts";
import type { ServeInfo } from "../../transport/mod.ts";

/** What the server tells of a connection from this machine. */
export const SERVED: ServeInfo = { remoteAddr: { hostname: "127.0.0.1" } };

/** An app whose only tool gives back what it is given. */
export function echoApp(state: StateBackend = memoryState()): App {
  const Message = z.object({ message: z.string() });
  return createApp({
    name: "budget",
    version: "1.0.0",
    tools: [
      tool("echo", {
        input: Message,
        output: Message,
        handler: ({ message }) => ({ message }),
      }),
    ],
    state,
  });
}

function post(
  headers: Record<string, string>,
  message: Record<string, unknown>,
): Request {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return new Request("http://127.0.0.1:8000/mcp", {
    method: "POST",
    headers: {
      "accept": "application/json, text/event-stream",
      "content-type": "application/json",
      "content-length": String(new TextEncoder().encode(body).length),
      "host": "127.0.0.1:8000",
      ...headers,
    },
    body,
  });
}

/** A call of a tool in the 2026-07-28 revision. */
export function modernCall(
  name: string,
  args: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Request {
  const version = "2026-07-28";
  return post({
    "mcp-protocol-version": version,
    "mcp-method": "tools/call",
    "mcp-name": name,
  }, {
    id: 1,
    method: "tools/call",
    params: {
      name,
      arguments: args,
      ...more,
      _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
      },
    },
  });
}

/** The 2026-07-28 call that {@linkcode echoApp} is made for. */
export function modernEcho(): Request {
  return modernCall("echo", { message: "hello" });
}

const LEGACY_VERSION = "2025-11-25";

/** The same call in a session of the 2025 era. */
export function legacyEcho(session: string): Request {
  return post({
    "mcp-protocol-version": LEGACY_VERSION,
    "mcp-session-id": session,
  }, {
    id: 1,
    method: "tools/call",
    params: { name: "echo", arguments: { message: "hello" } },
  });
}

/** Opens a session of the 2025 era, and gives its id. */
export async function openSession(app: App): Promise<string> {
  const opened = await app.fetch(
    post({}, {
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: LEGACY_VERSION,
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      },
    }),
    SERVED,
  );
  await opened.text();
  const id = opened.headers.get("mcp-session-id");
  if (id === null) throw new Error(`No session: status ${opened.status}`);
  const ready = await app.fetch(
    post({
      "mcp-protocol-version": LEGACY_VERSION,
      "mcp-session-id": id,
    }, { method: "notifications/initialized" }),
    SERVED,
  );
  await ready.text();
  return id;
}
