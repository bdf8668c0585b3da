import { ErrorCode } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import { WireError } from "../json_rpc.ts";

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

/**
 * Refuses a caller that lacks the scopes of a definition, where credentials
 * are checked at all.
 *
 * @param engine Says whether they are.
 * @param scopes What the definition needs; `undefined` when nothing.
 * @throws {ScopeError}
 */
export function checkScopes(
  engine: { readonly authenticates: boolean },
  exchange: Exchange,
  scopes: readonly string[] | undefined,
): void {
  if (scopes === undefined || !engine.authenticates) return;
  const granted = exchange.auth?.scopes ?? [];
  if (scopes.every((scope) => granted.includes(scope))) return;
  throw new ScopeError(scopes, exchange.requestId);
}
