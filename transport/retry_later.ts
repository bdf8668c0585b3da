import { ErrorCode } from "../errors.ts";
import { WireError } from "./json_rpc.ts";

/** An error that the same request may not meet later: HTTP 429 or 503. */
export class RetryLaterError extends WireError {
  /**
   * @param code 429 or 503, which is the HTTP status as well.
   * @param message What is in the way.
   * @param afterSeconds When to try again, in seconds, for `Retry-After`.
   * @param data Details.
   */
  constructor(
    code: typeof ErrorCode.RateLimited | typeof ErrorCode.ServiceUnavailable,
    message: string,
    readonly afterSeconds: number,
    data: Readonly<Record<string, unknown>> = {},
  ) {
    super(code, message, { ...data, retryAfterSeconds: afterSeconds }, code);
  }
}

/** The error of requests that a server cannot take as it did not start. */
export function notStarted(): RetryLaterError {
  return new RetryLaterError(
    ErrorCode.ServiceUnavailable,
    "The server could not start; its log says why",
    30,
    { reason: "not_started" },
  );
}

/** The error of requests whose session cannot be looked up, or opened. */
export function storeUnavailable(): RetryLaterError {
  return new RetryLaterError(
    ErrorCode.ServiceUnavailable,
    "Sessions are not available: the server cannot reach its store; its log says why",
    30,
    { reason: "store_unavailable" },
  );
}

/** The error of requests that come while the server ends. */
export function shuttingDown(): RetryLaterError {
  return new RetryLaterError(
    ErrorCode.ServiceUnavailable,
    "The server is shutting down",
    1,
    { reason: "shutting_down" },
  );
}
