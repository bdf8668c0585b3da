import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { ScopeError } from "../scope_error.ts";

/**
 * Refuses a caller that lacks the scopes of a definition, where credentials
 * are checked at all.
 *
 * @param scopes What it needs; `undefined` when nothing.
 * @throws {ScopeError}
 */
export function checkScopes(
  engine: Engine,
  exchange: Exchange,
  scopes: readonly string[] | undefined,
): void {
  if (scopes === undefined || !engine.authenticates) return;
  const granted = exchange.auth?.scopes ?? [];
  if (scopes.every((scope) => granted.includes(scope))) return;
  throw new ScopeError(scopes, exchange.requestId);
}
