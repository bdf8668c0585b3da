import { ErrorCode } from "../../errors.ts";
import { challengeHeader } from "./_challenge.ts";
import type { AuthFailure } from "./_failure.ts";

/** What a JSON-RPC error holds besides its code and message. */
export interface ErrorDetails {
  /** The id of the refused request, if it is known. */
  readonly id?: string | number | undefined;
  /** The error's `data`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

function errorResponse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string>,
  details: ErrorDetails = {},
): Response {
  // An id that is not known is left out: null is no id in 2026-07-28.
  const { id, data } = details;
  return Response.json(
    { jsonrpc: "2.0", id, error: { code, message, data } },
    { status, headers: { "cache-control": "no-store", ...headers } },
  );
}

/** The 403 of a caller who lacks scopes (RFC 6750, section 3.1). */
export function insufficientScope(
  message: string,
  scopes: readonly string[],
  resourceMetadata: string | undefined,
  details: ErrorDetails = {},
): Response {
  const header = challengeHeader({
    error: "insufficient_scope",
    description: message,
    scopes,
    resourceMetadata,
  });
  return errorResponse(
    403,
    ErrorCode.Forbidden,
    message,
    { "www-authenticate": header },
    {
      id: details.id,
      data: {
        reason: "insufficient_scope",
        requiredScopes: scopes,
        ...details.data,
      },
    },
  );
}

/**
 * The response to a request that was not authenticated.
 *
 * @param requiredScopes What every request needs, for a client that is about to get a token.
 */
export function refusal(
  failure: AuthFailure,
  requiredScopes: readonly string[],
  resourceMetadata: string | undefined,
): Response {
  switch (failure.kind) {
    case "unauthorized": {
      const { description } = failure;
      const header = challengeHeader({
        error: description === undefined ? undefined : "invalid_token",
        description,
        scopes: requiredScopes,
        resourceMetadata,
      });
      return errorResponse(
        401,
        ErrorCode.Unauthorized,
        description || "This server needs an access token",
        { "www-authenticate": header },
      );
    }
    case "forbidden": {
      const { description, scopes } = failure;
      if (scopes.length > 0) {
        return insufficientScope(description, scopes, resourceMetadata);
      }
      // Not about scopes, so it names no error that a new token would mend.
      return errorResponse(403, ErrorCode.Forbidden, description, {
        "www-authenticate": challengeHeader({ resourceMetadata }),
      });
    }
    case "retry":
      return errorResponse(failure.status, failure.status, failure.message, {
        "retry-after": String(failure.afterSeconds),
      });
    case "internal":
      return errorResponse(
        500,
        ErrorCode.InternalError,
        "The request could not be authenticated",
        {},
      );
  }
}
