import { ErrorCode } from "../errors.ts";
import { WireError } from "./json_rpc.ts";

/** A request the caller has not the scopes for. */
export class ScopeError extends WireError {
  /**
   * @param scopes Every scope the operation needs.
   * @param requestId The id of the call in the log.
   */
  constructor(
    readonly scopes: readonly string[],
    readonly requestId: string,
  ) {
    super(
      ErrorCode.Forbidden,
      `Insufficient scope: needs ${scopes.join(" ")}`,
      { reason: "insufficient_scope", requiredScopes: scopes, requestId },
      403,
    );
  }
}
