import type { AuthContext } from "../../context/auth_context.ts";

/**
 * A string that is the same for two requests exactly when they come from the same
 * issuer, client, subject and tenant. Sessions and sealed state are bound to it.
 * It depends neither on the token's bytes nor on its scopes, so a refreshed token
 * keeps what its predecessor opened. Without authentication it is empty.
 *
 * @param auth The caller, `undefined` with authentication off.
 */
export function principalOf(auth: AuthContext | undefined): string {
  if (auth === undefined) return "";
  // A JSON array keeps the parts apart, whatever characters they hold.
  return JSON.stringify([
    auth.issuer ?? null,
    auth.clientId,
    auth.sub ?? null,
    auth.tenantId ?? null,
  ]);
}
