import { ErrorCode } from "../errors.ts";
import { WireError } from "./json_rpc.ts";

/**
 * An error that the same request may not meet later.
 *
 * @param code 429 or 503, which is the HTTP status as well.
 * @param message What is in the way.
 * @param afterSeconds When to try again, in seconds, for `Retry-After`.
 * @param data Details.
 */
export function retryLater(
  code: typeof ErrorCode.RateLimited | typeof ErrorCode.ServiceUnavailable,
  message: string,
  afterSeconds: number,
  data: Readonly<Record<string, unknown>> = {},
): WireError {
  const details = { ...data, retryAfterSeconds: afterSeconds };
  return new WireError(code, message, details, code, afterSeconds);
}

/** The error of requests whose session cannot be looked up, or opened. */
export function storeUnavailable(): WireError {
  return retryLater(
    ErrorCode.ServiceUnavailable,
    "Sessions are not available: the server cannot reach its store; its log says why",
    30,
    { reason: "store_unavailable" },
  );
}
