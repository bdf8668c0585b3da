import type { AuthContext } from "../../context/auth_context.ts";
import { TokenRejected } from "./_failure.ts";
import type { CommonAuthOptions } from "./options.ts";

/** The claims that may name the client, the first that does wins. */
const CLIENT_CLAIMS = ["cid", "client_id", "azp"];

/** The claims whose scopes add up. */
const SCOPE_CLAIMS = ["scope", "scp", "mcp_tool_scopes"];

/**
 * A claim that tells callers apart. One that is there and is not usable text is
 * refused: leaving it out would make two callers one. Ill-formed Unicode counts as
 * unusable, since stores fold it together.
 */
function identifier(
  claims: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const value = claims[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value !== "" && value.isWellFormed()) {
    return value;
  }
  throw new TokenRejected(
    `The access token's claim ${name} must be a non-empty string`,
  );
}

/** Unlike {@linkcode identifier}: issuers use these names for other things, too. */
function clientOf(
  claims: Readonly<Record<string, unknown>>,
): string | undefined {
  for (const name of CLIENT_CLAIMS) {
    const value = claims[name];
    if (typeof value === "string" && value !== "" && value.isWellFormed()) {
      return value;
    }
  }
  return undefined;
}

/** Claims are shared by the calls of one token, so no handler may change them. */
function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** A space-separated string, or an array of strings; an array with anything else grants nothing. */
function scopesOf(value: unknown): string[] {
  if (typeof value === "string") {
    return value.split(" ").filter((scope) => scope !== "");
  }
  if (!Array.isArray(value)) return [];
  if (!value.every((scope) => typeof scope === "string")) return [];
  return value.filter((scope) => scope !== "");
}

/**
 * The caller that verified claims describe.
 *
 * @throws {TokenRejected} when they name nobody, or name somebody unusably.
 */
export function callerFromClaims(
  claims: Readonly<Record<string, unknown>>,
): AuthContext {
  const issuer = identifier(claims, "iss");
  const sub = identifier(claims, "sub");
  const tenantId = identifier(claims, "tid");
  const clientId = clientOf(claims) ?? sub;
  if (clientId === undefined) {
    throw new TokenRejected(
      "The access token names no caller: it needs a claim cid, client_id, azp or sub",
    );
  }
  return {
    clientId,
    scopes: SCOPE_CLAIMS.flatMap((name) => scopesOf(claims[name])),
    ...(sub === undefined ? {} : { sub }),
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(typeof claims.exp === "number" ? { expiresAt: claims.exp } : {}),
    claims: deepFreeze(claims),
  };
}

/** `value[name]`, if it is a non-empty string or absent. */
function optionalText(
  value: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  const text = value[name];
  if (text === undefined || text === null) return undefined;
  if (typeof text === "string" && text !== "" && text.isWellFormed()) {
    return text;
  }
  throw new TypeError(
    `verify() gave a ${name} that is no text, wanted a non-empty string`,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The caller that a user's `verify` gave, `undefined` for nobody.
 *
 * @param now Seconds since the Unix epoch.
 * @throws {TokenRejected} when it says that the credentials have expired.
 * @throws {TypeError} when it names a caller and gets the rest wrong.
 */
export function callerFromVerify(
  result: unknown,
  now: number,
): AuthContext | undefined {
  if (!isRecord(result)) return undefined;
  if (result.authenticated === false || result.active === false) {
    return undefined;
  }
  const clientId = result.clientId === ""
    ? undefined
    : optionalText(result, "clientId");
  if (clientId === undefined) return undefined;
  const scopes = result.scopes ?? [];
  if (
    !Array.isArray(scopes) || !scopes.every((item) => typeof item === "string")
  ) {
    throw new TypeError("verify() gave scopes that are no array of strings");
  }
  const expiresAt = result.expiresAt ?? undefined;
  if (expiresAt !== undefined) {
    if (typeof expiresAt !== "number" || !Number.isFinite(expiresAt)) {
      throw new TypeError(
        "verify() gave an expiresAt that is no number, wanted seconds since the Unix epoch",
      );
    }
    if (expiresAt <= now) {
      throw new TokenRejected("The access token has expired");
    }
  }
  const sub = optionalText(result, "sub");
  const tenantId = optionalText(result, "tenantId");
  const issuer = optionalText(result, "issuer");
  const claims = result.claims ?? undefined;
  return {
    clientId,
    scopes,
    ...(sub === undefined ? {} : { sub }),
    ...(tenantId === undefined ? {} : { tenantId }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(isRecord(claims) ? { claims: Object.freeze({ ...claims }) } : {}),
  };
}

/**
 * The caller as handlers see it: with implied scopes, and with the tenant that
 * the policy gives it.
 *
 * @throws {TokenRejected} when the policy wants a tenant and there is none.
 */
export function settleCaller(
  caller: AuthContext,
  options: CommonAuthOptions,
): AuthContext {
  const { tenant = "optional" } = options;
  let { tenantId } = caller;
  if (tenantId === undefined) {
    if (tenant === "required") {
      throw new TokenRejected("The access token names no tenant");
    }
    if (typeof tenant === "object") tenantId = tenant.default;
  }
  return Object.freeze({
    ...caller,
    scopes: expandScopes(caller.scopes, options.scopeHierarchy),
    ...(tenantId === undefined ? {} : { tenantId }),
  });
}

/**
 * The scopes, each once, with those that they bring along.
 *
 * @param scopes What was granted.
 * @param hierarchy Which scopes a broader one implies.
 */
function expandScopes(
  scopes: readonly string[],
  hierarchy: Readonly<Record<string, readonly string[]>> | undefined,
): readonly string[] {
  const all = new Set(scopes);
  if (hierarchy !== undefined) {
    // A set being walked also yields what is added meanwhile.
    for (const scope of all) {
      if (!Object.hasOwn(hierarchy, scope)) continue;
      for (const implied of hierarchy[scope] ?? []) all.add(implied);
    }
  }
  return Object.freeze([...all]);
}
