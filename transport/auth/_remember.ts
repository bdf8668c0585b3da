import type { AuthContext } from "../../context/auth_context.ts";

/** Verifies a token and says who sent it. Rejects with what `failureOf` understands. */
export type VerifyToken = (token: string) => Promise<AuthContext>;

/** Bounds of {@linkcode rememberVerified}. */
export interface RememberOptions {
  /** How long past its `exp` a token is still good, in seconds. */
  readonly clockToleranceSeconds: number;
  /** How long a token is remembered, in milliseconds. Default one minute. */
  readonly maxAge?: number;
  /** How many tokens are remembered. Default 1,000. */
  readonly maxTokens?: number;
  /** Milliseconds since the Unix epoch. Default `Date.now`. */
  readonly now?: () => number;
}

/**
 * Spares the signature check, the costly part, for a token that was good a moment
 * ago. It is looked up by the whole token, never used past its `exp`, and never
 * for long, so that a key the issuer withdraws stops working as soon as the key set
 * is read again, give or take a minute. Refusals are not remembered.
 */
export function rememberVerified(
  verify: VerifyToken,
  options: RememberOptions,
): VerifyToken {
  const { maxAge = 60_000, maxTokens = 1_000, now = Date.now } = options;
  const known = new Map<string, { caller: AuthContext; until: number }>();

  return async (token) => {
    const hit = known.get(token);
    if (hit !== undefined) {
      if (now() < hit.until) return hit.caller;
      known.delete(token);
    }
    const caller = await verify(token);
    const expires = ((caller.expiresAt ?? 0) + options.clockToleranceSeconds) *
      1000;
    // In a map, the first entry is the oldest.
    for (const oldest of known.keys()) {
      if (known.size < maxTokens) break;
      known.delete(oldest);
    }
    known.set(token, { caller, until: Math.min(now() + maxAge, expires) });
    return caller;
  };
}
