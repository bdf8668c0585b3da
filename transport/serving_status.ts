import { ErrorCode } from "../errors.ts";
import type { WireError } from "./json_rpc.ts";
import { retryLater } from "./retry_later.ts";

/** Why an app serves no requests. */
export type Refusal = "not_started" | "shutting_down";

/** Whether an app can serve requests now. */
export interface ServingStatus {
  /** Why it cannot; `undefined` while it can. */
  readonly refusal: Refusal | undefined;
}

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

/** The error of requests that a server does not take, as it did not start or is ending. */
export function notServing(refusal: Refusal): WireError {
  return refusal === "not_started"
    ? retryLater(
      ErrorCode.ServiceUnavailable,
      "The server could not start; its log says why",
      30,
      { reason: refusal },
    )
    : retryLater(
      ErrorCode.ServiceUnavailable,
      "The server is shutting down",
      1,
      { reason: refusal },
    );
}
