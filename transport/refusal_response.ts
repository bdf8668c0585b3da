import type { Authenticator } from "./auth/authenticator.ts";
import { errorResponse } from "./http_response.ts";
import type { RequestId, WireError } from "./json_rpc.ts";
import { RetryLaterError } from "./retry_later.ts";
import { ScopeError } from "./scope_error.ts";

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
  return error instanceof RetryLaterError
    ? errorResponse(id, error)
    : undefined;
}
