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

/** The error of requests that come while the server ends. */
export function shuttingDown(): RetryLaterError {
  return new RetryLaterError(
    ErrorCode.ServiceUnavailable,
    "The server is shutting down",
    1,
    { reason: "shutting_down" },
  );
}
