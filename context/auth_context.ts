import { forbidden } from "../errors.ts";

/**
 * Who is calling, as the verified access token says: `ctx.auth`. It is there for
 * every HTTP request of a server with authentication on, and `undefined` over
 * stdio and with authentication off. It never holds the token itself, which a
 * server must not pass on (specification, Authorization, "Token Handling").
 */
export interface AuthContext {
  /** The client (application), from `cid`, `client_id` or `azp`; else the subject. */
  readonly clientId: string;
  /** What the token grants, each scope once. */
  readonly scopes: readonly string[];
  /** The subject, usually the user, from `sub`. */
  readonly sub?: string;
  /** The tenant whose state the call may touch, from `tid`. */
  readonly tenantId?: string;
  /** Who issued the token, from `iss`. */
  readonly issuer?: string;
  /** When the token expires, in seconds since the Unix epoch. */
  readonly expiresAt?: number;
  /** All claims of the token, as they were signed. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Refuses the call unless the caller's token grants every scope in `required`.
 * For scopes known only at run time, such as one that depends on an argument;
 * others belong in the definition's `auth` list. Passes when authentication is
 * off, where there is no `ctx.auth`.
 *
 * ```ts
 * import { checkScopes } from "@parley/mcp/context";
 * import assert from "node:assert/strict";
 *
 * const ctx = { auth: { clientId: "app", scopes: ["files:read"] } };
 * checkScopes(ctx, ["files:read"]);
 * assert.throws(() => checkScopes(ctx, ["files:write"]), { code: 403 });
 * ```
 *
 * @param ctx The handler's context, or anything with its `auth`.
 * @param required The scopes this call needs.
 * @throws {McpError} 403 with `data.reason: "insufficient_scope"`,
 * `data.requiredScopes` and `data.missingScopes` when one is not granted.
 */
export function checkScopes(
  ctx: { readonly auth?: AuthContext | undefined },
  required: readonly string[],
): void {
  const { auth } = ctx;
  if (auth === undefined) return;
  const missing = required.filter((scope) => !auth.scopes.includes(scope));
  if (missing.length === 0) return;
  throw forbidden(`Missing scope: ${missing.join(" ")}`, {
    reason: "insufficient_scope",
    requiredScopes: [...required],
    missingScopes: missing,
  });
}

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
