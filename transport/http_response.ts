import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import { ErrorCode } from "../errors.ts";
import { RetryLaterError } from "./retry_later.ts";
import {
  errorMessage,
  type RequestId,
  WireError,
  wireErrorMessage,
} from "./json_rpc.ts";

const TRANSPORT: LogCategory = ["parley", "transport"];

const JSON_INIT: ResponseInit = {
  headers: { "content-type": "application/json" },
};

/** Makes the response of one message. */
export function jsonResponse(message: string, status = 200): Response {
  return status === 200
    ? new Response(message, JSON_INIT)
    : new Response(message, { ...JSON_INIT, status });
}

/**
 * The error to answer with when something of ours failed. What could not be
 * foreseen is for the log; clients learn that it happened.
 */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  // Nobody waits for the answer to a call that was cancelled.
  if (!(error instanceof DOMException && error.name === "AbortError")) {
    logProcess(TRANSPORT, "error", "A request could not be answered", {
      error,
    });
  }
  return new WireError(
    ErrorCode.InternalError,
    "Internal error",
    undefined,
    500,
  );
}

/** Makes the response of an error. */
export function errorResponse(
  id: RequestId | undefined,
  error: WireError,
): Response {
  const response = jsonResponse(wireErrorMessage(id, error), error.status);
  if (error instanceof RetryLaterError) {
    response.headers.set("retry-after", String(error.afterSeconds));
  }
  return response;
}

/** The answer to a method that the endpoint does not take. */
export function methodNotAllowed(
  allow = "GET, POST, DELETE, OPTIONS",
): Response {
  const message = errorMessage(
    undefined,
    ErrorCode.InvalidRequest,
    "Method not allowed",
  );
  return new Response(message, {
    status: 405,
    headers: { "content-type": "application/json", allow },
  });
}
