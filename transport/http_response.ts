import type { LogCategory } from "../context/log/process_line.ts";
import { logProcess } from "../context/log/process_log.ts";
import { ErrorCode } from "../errors.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import {
  errorMessage,
  type RequestId,
  ScopeError,
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
  const { afterSeconds } = error;
  if (afterSeconds !== undefined) {
    response.headers.set("retry-after", String(afterSeconds));
  }
  return response;
}

/**
 * The response to a request that was refused, where it takes more than the
 * message and the status of the error: a challenge, or when to try again.
 *
 * @returns `undefined` where it does not.
 */
export function refusalResponse(
  authenticator: Authenticator | undefined,
  request: Request,
  id: RequestId,
  error: WireError,
): Response | undefined {
  if (error instanceof ScopeError) {
    const { scopes, requestId } = error;
    return authenticator?.forbidden(request, scopes, {
      id,
      data: { requestId },
    });
  }
  return error.afterSeconds === undefined
    ? undefined
    : errorResponse(id, error);
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
