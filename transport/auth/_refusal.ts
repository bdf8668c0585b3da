import { ErrorCode } from "../../errors.ts";
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

/** What a `WWW-Authenticate: Bearer` header says. */
export interface Challenge {
  /** Why the request was refused (RFC 6750, section 3.1); absent when it had no credentials. */
  readonly error?: "invalid_token" | "insufficient_scope" | undefined;
  /** The reason in words. Any text: what a header cannot carry is replaced. */
  readonly description?: string | undefined;
  /** The scopes needed. */
  readonly scopes?: readonly string[] | undefined;
  /** The URL of the protected-resource metadata (RFC 9728, section 5.1). */
  readonly resourceMetadata?: string | undefined;
}

const MAX_DESCRIPTION = 200;

/**
 * Text as RFC 6750 allows it in `error_description`: printable ASCII with neither
 * quotes nor backslashes. So nothing in it can end the quoted string or the header.
 */
function headerText(text: string): string {
  return text
    .replaceAll('"', "'")
    .replaceAll("\\", "/")
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\x00-\x20\x7F]+/g, " ")
    .replaceAll(/[^\x20-\x7E]+/g, "?")
    .trim();
}

/** The value of a `WWW-Authenticate` header. */
export function challengeHeader(challenge: Challenge): string {
  const parameters: string[] = [];
  const add = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") {
      parameters.push(`${name}="${headerText(value)}"`);
    }
  };
  add("error", challenge.error);
  add("error_description", challenge.description?.slice(0, MAX_DESCRIPTION));
  if (challenge.scopes !== undefined && challenge.scopes.length > 0) {
    // Not shortened: half a list would ask for the wrong rights.
    const scope = challenge.scopes.map(headerText).join(" ");
    parameters.push(`scope="${scope}"`);
  }
  if (challenge.resourceMetadata !== undefined) {
    // A parsed URL, in which quotes and controls are percent-encoded.
    parameters.push(`resource_metadata="${challenge.resourceMetadata}"`);
  }
  // The scheme has to be followed by a parameter (RFC 6750, section 3).
  if (parameters.length === 0) parameters.push('realm="mcp"');
  return `Bearer ${parameters.join(", ")}`;
}
