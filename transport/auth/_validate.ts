import { configurationError } from "../../errors.ts";
import type {
  AuthOptions,
  CommonAuthOptions,
  JwtAuthOptions,
  OAuthOptions,
  TokenAuthOptions,
  VerifyAuthOptions,
} from "./options.ts";
import { isLoopbackHost } from "../guard.ts";

/** The options of a server with authentication on. */
export type EnabledAuthOptions =
  | JwtAuthOptions
  | OAuthOptions
  | VerifyAuthOptions;

/** Shorter secrets can be guessed from one token, offline. */
export const MIN_SECRET_CHARACTERS = 32;

/** The algorithms that need no shared secret. */
const ASYMMETRIC = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;

/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/**
 * Refuses lists that a challenge could not name.
 *
 * @param name What the list is, for the message: `auth.requiredScopes`, say.
 * @param scopes The list.
 * @throws {McpError} 500 naming the first string that is no scope.
 */
function assertScopes(name: string, scopes: readonly string[]): void {
  if (!Array.isArray(scopes)) {
    throw configurationError(`${name} is not an array, wanted scopes`);
  }
  for (const scope of scopes) {
    if (typeof scope === "string" && SCOPE.test(scope)) continue;
    throw configurationError(
      `${name} holds ${JSON.stringify(scope)}, wanted a scope: printable ` +
        "ASCII without spaces, quotes and backslashes",
    );
  }
}

function checkCommon(options: CommonAuthOptions): void {
  assertScopes("auth.requiredScopes", options.requiredScopes ?? []);
  assertScopes("auth.scopesSupported", options.scopesSupported ?? []);
  for (
    const [broader, implied] of Object.entries(options.scopeHierarchy ?? {})
  ) {
    assertScopes("auth.scopeHierarchy", [broader]);
    assertScopes(`auth.scopeHierarchy[${JSON.stringify(broader)}]`, implied);
  }
  for (const server of options.authorizationServers ?? []) {
    requireSecureUrl("auth.authorizationServers", server);
  }
  const { tenant } = options;
  const known = tenant === undefined || tenant === "optional" ||
    tenant === "required" ||
    (typeof tenant === "object" && tenant !== null && isText(tenant.default));
  if (!known) {
    throw configurationError(
      'auth.tenant is not known, wanted "optional", "required" or { default: "name" }',
    );
  }
}

function checkToken(options: TokenAuthOptions): void {
  const tolerance = options.clockToleranceSeconds ?? 30;
  if (typeof tolerance !== "number" || !(tolerance >= 0 && tolerance <= 300)) {
    throw configurationError(
      `auth.clockToleranceSeconds is ${tolerance}, wanted a number from 0 to 300`,
    );
  }
}

function checkAudience(audience: unknown, required: boolean): void {
  if (audience === undefined && !required) return;
  const list = Array.isArray(audience) ? audience : [audience];
  if (list.length > 0 && list.every(isText)) return;
  throw configurationError(
    `auth.audience is ${
      JSON.stringify(audience)
    }, wanted what the tokens' aud holds, such as the public URL`,
  );
}

function checkJwt(options: JwtAuthOptions): void {
  const { secret, issuer } = options;
  const length = typeof secret === "string" ? secret.length : 0;
  if (length < MIN_SECRET_CHARACTERS) {
    throw configurationError(
      `auth.secret has ${length} characters, wanted at least ${MIN_SECRET_CHARACTERS}`,
    );
  }
  if (issuer !== undefined && !isText(issuer)) {
    throw configurationError("auth.issuer is empty, wanted the tokens' iss");
  }
  checkAudience(options.audience, false);
}

function checkOAuth(options: OAuthOptions): void {
  const issuer = requireSecureUrl("auth.issuer", options.issuer);
  if (issuer.search !== "") {
    throw configurationError(
      "auth.issuer has a query, wanted an issuer identifier without one",
    );
  }
  checkAudience(options.audience, true);
  if (options.jwksUri !== undefined) {
    requireSecureUrl("auth.jwksUri", options.jwksUri);
  }
  const { algorithms } = options;
  if (algorithms === undefined) return;
  const fits = Array.isArray(algorithms) && algorithms.length > 0 &&
    algorithms.every((name) => ASYMMETRIC.test(name));
  if (!fits) {
    throw configurationError(
      `auth.algorithms is ${
        JSON.stringify(algorithms)
      }, wanted asymmetric ones: RS256 to RS512, PS256 to PS512, ES256 to ES512, EdDSA, Ed25519`,
    );
  }
}

/**
 * Checks options once, when the app is created, so that no request ever meets a
 * setting that cannot work.
 *
 * @returns The options, `undefined` when authentication is off.
 * @throws {McpError} 500 naming the option and what it takes.
 */
export function checkOptions(
  options: AuthOptions | undefined,
): EnabledAuthOptions | undefined {
  if (options === undefined || options.mode === "none") return undefined;
  checkCommon(options);
  switch (options.mode) {
    case "jwt":
      checkToken(options);
      checkJwt(options);
      return options;
    case "oauth":
      checkToken(options);
      checkOAuth(options);
      return options;
    case "verify":
    case undefined:
      if (typeof options.verify === "function") return options;
      throw configurationError(
        "auth names no mode and has no verify function, wanted one of them",
      );
    default: {
      const { mode }: { mode: unknown } = options;
      throw configurationError(
        `auth.mode is ${
          JSON.stringify(mode)
        }, wanted none, jwt, oauth or verify`,
      );
    }
  }
}

/** The URL, if it is `https`, or `http` on this machine, with no user or fragment in it. */
export function secureUrl(value: unknown): URL | undefined {
  // The parser drops line breaks and surrounding blanks; a configured value has none.
  // deno-lint-ignore no-control-regex
  if (typeof value !== "string" || /[\x00-\x20\x7F"\\]/.test(value)) {
    return undefined;
  }
  const url = URL.parse(value);
  if (url === null || url.username !== "" || url.password !== "") {
    return undefined;
  }
  if (value.includes("#")) return undefined;
  if (url.protocol === "https:") return url;
  if (url.protocol === "http:" && isLoopbackHost(url.hostname)) return url;
  return undefined;
}

/**
 * {@linkcode secureUrl} for a configured value.
 *
 * @throws {McpError} 500 naming the setting and what it takes.
 */
export function requireSecureUrl(name: string, value: unknown): URL {
  const url = secureUrl(value);
  if (url !== undefined) return url;
  // A URL may hold a password, so that is left out of the message.
  const shown = typeof value === "string"
    ? JSON.stringify(value.replace(/\/\/[^/@]*@/, "//***@").slice(0, 200))
    : typeof value;
  throw configurationError(
    `${name} is ${shown}, wanted an absolute https URL without user or ` +
      "fragment (http only on localhost), such as https://mcp.example.com/mcp",
  );
}
