import type { AuthContext } from "../../context/auth_context.ts";

/** What {@linkcode CommonAuthOptions.tenant} takes. */
export type TenantPolicy = "optional" | "required" | {
  /** The tenant of tokens that name none. */
  readonly default: string;
};

/** Options that every authentication mode takes. */
export interface CommonAuthOptions {
  /** Scopes every request needs, besides those of the definition it calls. None by default. */
  readonly requiredScopes?: readonly string[] | undefined;
  /**
   * `scopes_supported` of the metadata document: the least a client should ask
   * for. Default: `requiredScopes`.
   */
  readonly scopesSupported?: readonly string[] | undefined;
  /**
   * Which scopes a broader one brings along, transitively:
   * `{ "files:write": ["files:read"] }`. None by default.
   */
  readonly scopeHierarchy?:
    | Readonly<Record<string, readonly string[]>>
    | undefined;
  /**
   * What to do with a caller without a tenant. `"optional"` (default): it is served,
   * and `ctx.state` refuses to work, so that callers never share state
   * unknowingly. `"required"`: 401 before any handler runs. `{ default }`: it
   * belongs to that tenant, for servers that have only one.
   */
  readonly tenant?: TenantPolicy | undefined;
  /**
   * `authorization_servers` of the metadata document, as issuer URLs. Default:
   * the `issuer` in `oauth` mode, else none.
   */
  readonly authorizationServers?: readonly string[] | undefined;
}

/** No authentication: everyone is served, and there is no `ctx.auth`. */
export interface NoAuthOptions {
  /** Turns authentication off. */
  readonly mode: "none";
}

/**
 * Options of the two modes that verify a JSON Web Token. A token found good is
 * remembered for up to a minute, and not past its `exp`.
 */
export interface TokenAuthOptions extends CommonAuthOptions {
  /**
   * How far clocks may differ when `exp` and `nbf` are checked, in seconds, 0 to
   * 300. Default 30.
   */
  readonly clockToleranceSeconds?: number | undefined;
}

/**
 * Tokens signed with a shared secret (HS256 only), for servers and clients of one
 * owner. A token needs `exp`.
 */
export interface JwtAuthOptions extends TokenAuthOptions {
  /** Verifies tokens with a shared secret. */
  readonly mode: "jwt";
  /** The shared secret, at least 32 characters. */
  readonly secret: string;
  /** What `iss` must be, exactly. Not checked by default. */
  readonly issuer?: string | undefined;
  /**
   * What `aud` must hold one of. Not checked by default: set it when the secret
   * signs tokens for more than this server.
   */
  readonly audience?: string | readonly string[] | undefined;
}

/**
 * Access tokens of an OAuth 2.1 authorization server, as JWTs that its published
 * keys verify. A token needs `exp`, `iss` and `aud`.
 */
export interface OAuthOptions extends TokenAuthOptions {
  /** Verifies tokens with the issuer's public keys. */
  readonly mode: "oauth";
  /** The authorization server: an `https` URL, equal to the tokens' `iss` to the character. */
  readonly issuer: string;
  /**
   * What `aud` must hold one of (RFC 8707): this server's public URL, or what the
   * issuer calls it. URLs are compared as URLs, so the case of the host and a
   * bare final slash do not matter.
   */
  readonly audience: string | readonly string[];
  /**
   * Where the issuer's keys are. Default: the `jwks_uri` of its metadata (RFC 8414,
   * then OpenID Connect Discovery), read when the first token arrives.
   */
  readonly jwksUri?: string | undefined;
  /**
   * The signature algorithms accepted, asymmetric ones only. Default: RS256, PS256,
   * ES256, EdDSA and Ed25519.
   */
  readonly algorithms?: readonly string[] | undefined;
}

/** What {@linkcode VerifyAuthOptions.verify} may give: who calls, or nobody. */
export type VerifyResult = AuthContext | null | undefined | false;

/** Authentication by a function of yours: API keys, opaque tokens, a proxy's headers. */
export interface VerifyAuthOptions extends CommonAuthOptions {
  /** May be left out. */
  readonly mode?: "verify" | undefined;
  /**
   * Says who sent the request. Nobody (`null`, `undefined`, `false`), an object without a
   * `clientId`, one with `authenticated: false` or `active: false`, or one whose
   * `expiresAt` has passed, is 401.
   *
   * Thrown errors: `unauthorized`, `forbidden`, `rateLimited` and `serviceUnavailable` are
   * 401, 403, 429 and 503, their messages sent; so are token errors of `jose` and of
   * the official SDK. Anything else is 500: a failure of the check is never taken for
   * a bad token.
   *
   * @param request The method, URL and headers; the body is not there, as it has not
   * been read when this is called.
   */
  readonly verify: (request: Request) => VerifyResult | Promise<VerifyResult>;
}

/** How callers are authenticated: the `auth` option of `createApp`. HTTP only; stdio ignores it. */
export type AuthOptions =
  | NoAuthOptions
  | JwtAuthOptions
  | OAuthOptions
  | VerifyAuthOptions;
