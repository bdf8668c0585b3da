import type { AuthContext } from "../../context/auth_context.ts";
import type { JWTVerifyOptions, JWTVerifyResult } from "jose";
import { callerFromClaims } from "./_caller.ts";
import { canonicalResource } from "./resource_metadata.ts";
import { errorCode, TokenRejected } from "./_failure.ts";
import { createKeyFinder, type FindKey } from "./_keys.ts";
import type { JwtAuthOptions, OAuthOptions } from "./options.ts";

/** The algorithms of `oauth` mode by default. */
export const DEFAULT_ALGORITHMS: readonly string[] = [
  "RS256",
  "PS256",
  "ES256",
  "EdDSA",
  "Ed25519",
];

/** Base64url as every encoder writes it: no padding, and no stray bits at the end. */
const PART = "(?:[\\w-]{4})*(?:[\\w-][AQgw]|[\\w-]{2}[AEIMQUYcgkosw048])?";

/** A compact JWS. Strict, so that a token has one spelling only. */
const COMPACT = new RegExp(`^${PART}\\.${PART}\\.${PART}$`);

/** What a JWT says it is, when it says so, to be taken for an access token (RFC 8725, section 3.11). */
const TOKEN_TYPES = ["jwt", "at+jwt"];

function checkType(typ: unknown): void {
  if (typ === undefined) return;
  const type = typeof typ === "string"
    ? typ.toLowerCase().replace(/^application\//, "")
    : "";
  if (TOKEN_TYPES.includes(type)) return;
  throw new TokenRejected("The token is not an access token");
}

function checkAudience(aud: unknown, accepted: ReadonlySet<string>): void {
  const given = Array.isArray(aud) ? aud : [aud];
  for (const one of given) {
    if (typeof one === "string" && accepted.has(canonicalResource(one))) return;
  }
  throw new TokenRejected("The access token is not meant for this server");
}

/** Sets without a key id, or with one twice, leave several keys to try. */
async function verifyWithAny(
  jose: typeof import("jose"),
  token: string,
  candidates: AsyncIterable<CryptoKey>,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  let failure: unknown;
  for await (const key of candidates) {
    try {
      return await jose.jwtVerify(token, key, options);
    } catch (error) {
      failure = error;
      if (errorCode(error) !== "ERR_JWS_SIGNATURE_VERIFICATION_FAILED") break;
    }
  }
  throw failure ?? new TokenRejected("No key fits the access token");
}

/**
 * The verifier of `jwt` and `oauth` mode. `jose` is loaded when the first token
 * arrives.
 */
export function createTokenVerifier(
  options: JwtAuthOptions | OAuthOptions,
): VerifyToken {
  const audience = options.audience === undefined
    ? undefined
    : new Set([options.audience].flat().map(canonicalResource));
  const { clockToleranceSeconds = 30 } = options;
  const verifyOptions: JWTVerifyOptions = {
    algorithms: options.mode === "jwt"
      ? ["HS256"]
      : [...(options.algorithms ?? DEFAULT_ALGORITHMS)],
    requiredClaims: ["exp"],
    clockTolerance: clockToleranceSeconds,
    ...(options.issuer === undefined ? {} : { issuer: options.issuer }),
  };

  async function load(): Promise<(token: string) => Promise<JWTVerifyResult>> {
    const jose = await import("jose");
    if (options.mode === "jwt") {
      const key = await crypto.subtle.importKey(
        "raw",
        new TextEncoder().encode(options.secret),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["verify"],
      );
      return (token) => jose.jwtVerify(token, key, verifyOptions);
    }
    const findKey: FindKey = createKeyFinder(jose, options);
    return async (token) => {
      try {
        return await jose.jwtVerify(token, findKey, verifyOptions);
      } catch (error) {
        if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) {
          throw error;
        }
        return await verifyWithAny(jose, token, error, verifyOptions);
      }
    };
  }

  let loaded: ReturnType<typeof load> | undefined;

  function prepare(): ReturnType<typeof load> {
    loaded ??= load().catch((error) => {
      // What could not be loaded now may be there the next time.
      loaded = undefined;
      throw error;
    });
    return loaded;
  }

  async function verifyToken(token: string): Promise<AuthContext> {
    if (!COMPACT.test(token)) {
      throw new TokenRejected("The access token is malformed");
    }
    const verify = await prepare();
    const { payload, protectedHeader } = await verify(token);
    // JSON has numbers too large to be finite, and such a token would never expire.
    if (!Number.isFinite(payload.exp)) {
      throw new TokenRejected("The access token's claim exp is not acceptable");
    }
    checkType(protectedHeader.typ);
    if (audience !== undefined) checkAudience(payload.aud, audience);
    // Bound to a key (RFC 9449, RFC 8705), which this server does not ask proof of.
    if (payload.cnf !== undefined) {
      throw new TokenRejected(
        "The access token is sender-constrained and cannot be used as a bearer token",
      );
    }
    return callerFromClaims(payload);
  }

  return rememberVerified(verifyToken, { clockToleranceSeconds });
}

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
