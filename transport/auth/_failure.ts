import { ErrorCode, McpError } from "../../errors.ts";

/** The access token was not accepted, for a reason its sender may know. */
export class TokenRejected extends Error {
  override readonly name = "TokenRejected";
}

/** The issuer's keys could not be had, which says nothing about the token. */
export class KeysUnavailable extends Error {
  override readonly name = "KeysUnavailable";
}

/** How a request that was not authenticated is answered. */
export type AuthFailure =
  /** 401. Without `description` there were no credentials to be wrong. */
  | { readonly kind: "unauthorized"; readonly description?: string }
  /** 403. `scopes` are those the caller needs, if that is what it lacks. */
  | {
    readonly kind: "forbidden";
    readonly description: string;
    readonly scopes: readonly string[];
  }
  /** 429 or 503, worth a retry. */
  | {
    readonly kind: "retry";
    readonly status: 429 | 503;
    readonly message: string;
    readonly afterSeconds: number;
  }
  /** 500, the server's own trouble. */
  | { readonly kind: "internal" };

/** Failures of `jose` that concern the keys and not the token. */
const KEY_CODES = [
  "ERR_JOSE_GENERIC",
  "ERR_JWKS_INVALID",
  "ERR_JWKS_TIMEOUT",
];

const RETRY_AFTER_SECONDS = 5;

function property(error: unknown, name: string): unknown {
  if (typeof error !== "object" || error === null) return undefined;
  return Reflect.get(error, name);
}

/** The machine-readable code an error of `jose`, or of the official SDK, carries. */
export function errorCode(error: unknown): string | undefined {
  for (const name of ["code", "errorCode"]) {
    const code = property(error, name);
    if (typeof code === "string") return code;
  }
  return undefined;
}

/** What is wrong with the token, from an error of `jose`; never its message, which may quote claims. */
function describeJose(code: string, error: unknown): string {
  const claim = property(error, "claim");
  switch (code) {
    case "ERR_JWT_EXPIRED":
      return "The access token has expired";
    case "ERR_JWT_CLAIM_VALIDATION_FAILED":
      return property(error, "reason") === "missing"
        ? `The access token lacks the claim ${claim}`
        : `The access token's claim ${claim} is not acceptable`;
    case "ERR_JWS_SIGNATURE_VERIFICATION_FAILED":
      return "The access token's signature is wrong";
    case "ERR_JWKS_NO_MATCHING_KEY":
      return "The access token is signed with an unknown key";
    case "ERR_JOSE_ALG_NOT_ALLOWED":
      return "The access token's algorithm is not accepted";
    case "ERR_JOSE_NOT_SUPPORTED":
      return "The access token uses an algorithm or extension that is not supported";
    default:
      return "The access token is malformed";
  }
}

function fromMcpError(error: McpError): AuthFailure {
  const data = error.data ?? {};
  const seconds = data.retryAfterSeconds ?? data.retryAfter;
  const afterSeconds = typeof seconds === "number" && seconds >= 0 &&
      Number.isFinite(seconds)
    ? Math.ceil(seconds)
    : RETRY_AFTER_SECONDS;
  switch (error.code) {
    case ErrorCode.Unauthorized:
      return { kind: "unauthorized", description: error.message };
    case ErrorCode.Forbidden: {
      const scopes = data.requiredScopes;
      return {
        kind: "forbidden",
        description: error.message,
        scopes: Array.isArray(scopes)
          ? scopes.filter((scope) => typeof scope === "string")
          : [],
      };
    }
    case ErrorCode.RateLimited:
      return {
        kind: "retry",
        status: 429,
        message: error.message,
        afterSeconds,
      };
    case ErrorCode.ServiceUnavailable:
      return {
        kind: "retry",
        status: 503,
        message: error.message,
        afterSeconds,
      };
    default:
      return { kind: "internal" };
  }
}

/**
 * Tells a bad token from a check that could not be made. Only what is known to
 * concern the token becomes 401: calling an outage that would make every client
 * throw its good token away.
 */
export function failureOf(error: unknown): AuthFailure {
  if (error instanceof TokenRejected) {
    return { kind: "unauthorized", description: error.message };
  }
  if (error instanceof McpError) return fromMcpError(error);
  const code = errorCode(error);
  if (
    error instanceof KeysUnavailable ||
    (code !== undefined && KEY_CODES.includes(code))
  ) {
    return {
      kind: "retry",
      status: 503,
      message: "The keys that verify access tokens are not available now",
      afterSeconds: RETRY_AFTER_SECONDS,
    };
  }
  if (code === "invalid_token") {
    return {
      kind: "unauthorized",
      description: error instanceof Error ? error.message : "",
    };
  }
  if (code === "insufficient_scope") {
    return {
      kind: "forbidden",
      description: error instanceof Error ? error.message : "",
      scopes: [],
    };
  }
  if (code !== undefined && /^ERR_J(?:OSE|W[A-Z]+)_/.test(code)) {
    return { kind: "unauthorized", description: describeJose(code, error) };
  }
  return { kind: "internal" };
}
