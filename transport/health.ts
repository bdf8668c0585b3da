import type { ServingStatus } from "./serving_status.ts";

/**
 * Answers a health check: 200 while requests are served, 503 when the server
 * could not start or is shutting down. It asks for no credentials and looks at
 * neither `Host` nor `Origin`, as probes address machines by number; it says
 * nothing else, and no page can read it.
 */
export function healthResponse(
  request: Request,
  { refusal }: ServingStatus,
): Response {
  const { method } = request;
  if (method !== "GET" && method !== "HEAD") {
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
  }
  const status = refusal === undefined ? "ok" : "unavailable";
  return new Response(method === "HEAD" ? null : JSON.stringify({ status }), {
    status: refusal === undefined ? 200 : 503,
    headers: {
      "content-type": "application/json",
      "cache-control": "no-store",
    },
  });
}
