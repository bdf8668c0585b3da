import type { AuthContext } from "../../context/auth_context.ts";

/** What the authenticator has to tell the operator. Never a token, never a secret. */
export type AuthLog = (
  level: "debug" | "error",
  message: string,
  properties: Readonly<Record<string, unknown>>,
) => void;

/** What {@linkcode createAuthenticator} needs to know of the app. */
export interface AuthenticatorConfig {
  /**
   * The URL at which clients reach the endpoint: the resource identifier of RFC
   * 9728 and 8707. Default: an `oauth` audience that is a URL; else, for requests to a
   * loopback host only, that host.
   */
  readonly publicUrl?: string | undefined;
  /** Where the endpoint is, `*` for every path. Default `/mcp`. */
  readonly path?: string | undefined;
  /** `resource_name` of the metadata document, for people to read. */
  readonly resourceName?: string | undefined;
  /** Hears why requests were refused (`debug`) and what failed (`error`). */
  readonly log?: AuthLog | undefined;
}

/** What {@linkcode Authenticator.forbidden} puts into the JSON-RPC error. */
export interface ForbiddenOptions {
  /** The id of the refused request; left out when it is not known. */
  readonly id?: string | number | undefined;
  /** The message. Default: a list of the scopes needed. */
  readonly message?: string | undefined;
  /** More members for the error's `data`. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Decides who sends a request, and refuses those it cannot tell: by access tokens
 * verified with a shared secret or with an authorization server's keys, or by a
 * check of the user's own; with the challenges of RFC 6750 and the
 * protected-resource metadata of RFC 9728.
 */
export interface Authenticator {
  /** Which kind of authentication is on. */
  readonly mode: "jwt" | "oauth" | "verify";
  /**
   * The resource identifier, `undefined` when only requests to a loopback host can be given
   * one. A server that listens on other addresses in `oauth` mode should not start
   * without it.
   */
  readonly resource: string | undefined;
  /**
   * Says who sent the request, or gives the finished response that refuses it:
   * 401, 403, 429, 500 or 503. It reads the headers only, and never rejects.
   */
  authenticate(request: Request): Promise<AuthContext | Response>;
  /**
   * The 403 for a caller who lacks scopes, with a challenge that names all of them
   * (RFC 6750, section 3.1).
   *
   * @param request The request refused.
   * @param scopes Every scope the operation needs, not only the missing ones.
   * @returns `undefined` before any request was authenticated, when there is
   * nobody yet who could lack scopes.
   */
  forbidden(
    request: Request,
    scopes: readonly string[],
    options?: ForbiddenOptions,
  ): Response | undefined;
  /**
   * The protected-resource metadata (RFC 9728, section 2) for a request to their URL,
   * with CORS headers, as browsers read them before they have a token.
   *
   * @param url The request's URL, parsed.
   * @returns `undefined` when the URL is not a place of metadata at all.
   */
  metadata(request: Request, url: URL): Promise<Response | undefined>;
}
