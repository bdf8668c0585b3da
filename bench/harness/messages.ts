/** What the benchmark sends, in both protocol eras. */

/** The modern protocol version every modern message claims. */
export const MODERN_VERSION = "2026-07-28";

/** The legacy protocol version that every measured server speaks. */
export const LEGACY_VERSION = "2025-06-18";

/** The message that every echo call carries. */
export const ECHO_MESSAGE = "hello, world";

/** How many progress events one call of the `count` tool sends. */
export const PROGRESS_EVENTS = 100;

/**
 * The work between two progress events: none, but a turn of the event loop's
 * microtasks, as there is in the servers whose progress is awaited.
 */
export function step(): Promise<void> {
  return Promise.resolve();
}

/** One HTTP POST to a server's `/mcp` endpoint. */
export interface HttpMessage {
  /** Request headers, without `Host` and `Content-Length`. */
  headers: Record<string, string>;
  /** The JSON body. */
  body: string;
}

/** Parts of a modern message that few benchmarks need. */
export interface ModernMessageOptions {
  /** The client's capabilities; none by default. */
  capabilities?: Record<string, unknown>;
  /** More members for `params._meta`. */
  meta?: Record<string, unknown>;
  /** The JSON-RPC id; 1 by default. */
  id?: number;
}

const ACCEPT = "application/json, text/event-stream";

/** The modern envelope, as `params._meta` carries it. */
export function envelope(
  options: ModernMessageOptions = {},
): Record<string, unknown> {
  return {
    "io.modelcontextprotocol/protocolVersion": MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": options.capabilities ?? {},
    ...options.meta,
  };
}

/** A modern request for any method. */
export function modernMessage(
  method: string,
  params: Record<string, unknown> = {},
  options: ModernMessageOptions = {},
): HttpMessage {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "Accept": ACCEPT,
    "MCP-Protocol-Version": MODERN_VERSION,
    "Mcp-Method": method,
  };
  if (typeof params.name === "string") headers["Mcp-Name"] = params.name;
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: options.id ?? 1,
    method,
    params: { ...params, _meta: envelope(options) },
  });
  return { headers, body };
}

/** A legacy request for any method, in a session when one is given. */
export function legacyMessage(
  method: string,
  params: Record<string, unknown> = {},
  session?: string,
): HttpMessage {
  const headers: Record<string, string> = {
    "Content-Type": "application/json",
    "Accept": ACCEPT,
    "MCP-Protocol-Version": LEGACY_VERSION,
  };
  if (session !== undefined) headers["Mcp-Session-Id"] = session;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { headers, body };
}

/** The `initialize` request that opens a legacy session. */
export function initializeMessage(): HttpMessage {
  const message = legacyMessage("initialize", {
    protocolVersion: LEGACY_VERSION,
    capabilities: {},
    clientInfo: { name: "bench", version: "1.0.0" },
  });
  delete message.headers["MCP-Protocol-Version"];
  return message;
}

/** The notification that completes a session's handshake. */
export function initializedMessage(session: string): HttpMessage {
  const message = legacyMessage("notifications/initialized", {}, session);
  message.body = JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/initialized",
  });
  return message;
}

/** A modern call of the `echo` tool. */
export function modernEcho(): HttpMessage {
  return modernMessage("tools/call", {
    name: "echo",
    arguments: { message: ECHO_MESSAGE },
  });
}

/** A legacy call of the `echo` tool. */
export function legacyEcho(session?: string): HttpMessage {
  return legacyMessage("tools/call", {
    name: "echo",
    arguments: { message: ECHO_MESSAGE },
  }, session);
}
