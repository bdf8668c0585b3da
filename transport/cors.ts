/** Request headers a page may send (2025-11-25 and 2026-07-28, transports). */
const ALLOWED_HEADERS = [
  "accept",
  "authorization",
  "baggage",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "traceparent",
  "tracestate",
];

/** Response headers a page may read. */
const EXPOSED_HEADERS = [
  "Last-Event-Id",
  "Mcp-Method",
  "Mcp-Name",
  "MCP-Protocol-Version",
  "Mcp-Session-Id",
  "Retry-After",
  "WWW-Authenticate",
].join(", ");

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/**
 * The answer to a preflight (Fetch standard, CORS protocol); the origin is
 * added by {@linkcode corsHeaders}. Credentials are never allowed, so that no
 * page can make use of a browser's cookies.
 *
 * @param requested The headers of the preflight.
 * @param anyHeader Whether every header that is asked for is allowed, for
 * servers that authenticate by headers of their own.
 */
export function preflight(requested: Headers, anyHeader: boolean): Response {
  const asked = requested.get("access-control-request-headers") ?? "";
  // Mcp-Param-* names are the tools' own, so the ones asked for are allowed.
  const more = asked.split(",").map((name) => name.trim().toLowerCase())
    .filter((name) =>
      TOKEN.test(name) && (anyHeader || /^mcp-param-./.test(name))
    );
  const names = new Set([...ALLOWED_HEADERS, ...more]);
  const headers = new Headers({
    "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
    "access-control-allow-headers": [...names].join(", "),
    "access-control-max-age": "600",
    vary: "Access-Control-Request-Headers",
  });
  // Chromium asks before a public page may reach a private address.
  if (requested.get("access-control-request-private-network") === "true") {
    headers.set("access-control-allow-private-network", "true");
  }
  return new Response(null, { status: 204, headers });
}

/** Lets the page of an allowed origin read a response. */
export function corsHeaders(response: Response, origin: string): Response {
  const { headers } = response;
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", EXPOSED_HEADERS);
  headers.append("vary", "Origin");
  return response;
}
