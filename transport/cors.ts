/** Request headers a page may send (2025-11-25 and 2026-07-28, transports). */
const ALLOWED_HEADERS = [
  "accept",
  "authorization",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
];

const EXPOSED_HEADERS =
  "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After, Last-Event-Id";

/** The answer to a preflight; the origin is added by {@linkcode corsHeaders}. */
export function preflight(requested?: string | null): Response {
  // Mcp-Param-* names are the tools' own, so the ones asked for are allowed.
  const params = (requested ?? "").split(",").map((name) =>
    name.trim().toLowerCase()
  ).filter((name) => /^mcp-param-[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
      "access-control-allow-headers": [...ALLOWED_HEADERS, ...params].join(
        ", ",
      ),
      "access-control-max-age": "600",
    },
  });
}

/** Lets the page of an allowed origin read a response. */
export function corsHeaders(response: Response, origin: string): Response {
  const { headers } = response;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  headers.append("vary", "Origin");
  return response;
}
