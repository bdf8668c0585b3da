import type { AuthContext } from "../../context/auth_context.ts";
import { readBearerToken } from "./_bearer.ts";
import { callerFromVerify, settleCaller } from "./_caller.ts";
import { type AuthFailure, failureOf, TokenRejected } from "./_failure.ts";
import { insufficientScope, refusal } from "./_refusal.ts";
import {
  documentResponse,
  metadataSuffix,
  type Resource,
  resourceAt,
  resourceOfRequest,
} from "./_resource.ts";
import { createTokenVerifier } from "./_token.ts";
import { requireSecureUrl, secureUrl } from "./_urls.ts";
import { checkOptions, type EnabledAuthOptions } from "./_validate.ts";
import type { AuthOptions } from "./options.ts";

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

/** Decides who sends a request, and refuses those it cannot tell. */
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
   */
  forbidden(
    request: Request,
    scopes: readonly string[],
    options?: ForbiddenOptions,
  ): Response;
  /**
   * The protected-resource metadata (RFC 9728, section 2) for a request to their URL,
   * with CORS headers, as browsers read them before they have a token.
   *
   * @param url The request's URL, parsed.
   * @returns `undefined` when the URL is not a place of metadata at all.
   */
  metadata(request: Request, url: URL): Response | undefined;
}

/** The resource identifier that is known before any request. */
function configuredResource(
  options: EnabledAuthOptions,
  publicUrl: string | undefined,
): Resource | undefined {
  if (publicUrl !== undefined) {
    requireSecureUrl("publicUrl", publicUrl);
    return resourceAt(publicUrl);
  }
  if (options.mode !== "oauth") return undefined;
  const [audience, ...others] = [options.audience].flat();
  if (others.length > 0 || audience === undefined) return undefined;
  return secureUrl(audience) === undefined ? undefined : resourceAt(audience);
}

type FindCaller = (request: Request) => Promise<AuthContext | undefined>;

function callerFinder(options: EnabledAuthOptions): FindCaller {
  if (options.mode === "jwt" || options.mode === "oauth") {
    const verify = createTokenVerifier(options);
    return async (request) => {
      const token = readBearerToken(request.headers);
      return token === undefined ? undefined : await verify(token);
    };
  }
  return async (request) => {
    const { url, method, headers } = request;
    // Methods that the platform refuses to put into a request.
    if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method)) return undefined;
    const result = await options.verify(new Request(url, { method, headers }));
    const caller = callerFromVerify(result, Date.now() / 1000);
    if (caller === undefined && headers.has("authorization")) {
      throw new TokenRejected("The credentials were not accepted");
    }
    return caller;
  };
}

/**
 * Makes the authenticator of an app.
 *
 * @param options The `auth` option.
 * @param config What it needs to know of the app.
 * @returns `undefined` when authentication is off.
 * @throws {McpError} 500 naming the setting that cannot work, and what it takes.
 */
export function createAuthenticator(
  options: AuthOptions | undefined,
  config: AuthenticatorConfig = {},
): Authenticator | undefined {
  // A wrong public URL is refused with authentication off, too: it is wrong all the same.
  if (config.publicUrl !== undefined) {
    requireSecureUrl("publicUrl", config.publicUrl);
  }
  const enabled = checkOptions(options);
  return enabled === undefined
    ? undefined
    : new BearerAuthenticator(enabled, config);
}

class BearerAuthenticator implements Authenticator {
  readonly mode: "jwt" | "oauth" | "verify";
  readonly resource: string | undefined;
  readonly #options: EnabledAuthOptions;
  readonly #path: string;
  readonly #name: string | undefined;
  readonly #log: AuthLog;
  readonly #known: Resource | undefined;
  readonly #required: readonly string[];
  readonly #findCaller: FindCaller;

  constructor(options: EnabledAuthOptions, config: AuthenticatorConfig) {
    this.mode = options.mode ?? "verify";
    this.#options = options;
    this.#path = config.path ?? "/mcp";
    this.#name = config.resourceName;
    this.#log = config.log ?? (() => {});
    this.#known = configuredResource(options, config.publicUrl);
    this.resource = this.#known?.identifier;
    this.#required = options.requiredScopes ?? [];
    this.#findCaller = callerFinder(options);
  }

  async authenticate(request: Request): Promise<AuthContext | Response> {
    try {
      const found = await this.#findCaller(request);
      if (found === undefined) {
        return this.#refuse(request, { kind: "unauthorized" });
      }
      const caller = settleCaller(found, this.#options);
      const fits = this.#required.every((one) => caller.scopes.includes(one));
      return fits ? caller : this.forbidden(request, []);
    } catch (error) {
      const failure = failureOf(error);
      if ("description" in failure) {
        this.#log("debug", "Request refused", { reason: failure.description });
      } else {
        this.#log("error", "Request could not be authenticated", { error });
      }
      return this.#refuse(request, failure);
    }
  }

  forbidden(
    request: Request,
    scopes: readonly string[],
    options: ForbiddenOptions = {},
  ): Response {
    const needed = [...new Set([...this.#required, ...scopes])];
    return insufficientScope(
      options.message ?? `This needs the scopes: ${needed.join(" ")}`,
      needed,
      this.#metadataUrl(request),
      options,
    );
  }

  metadata(request: Request, url: URL): Response | undefined {
    const suffix = metadataSuffix(url.pathname);
    if (suffix === undefined) return undefined;
    const resource = this.#resourceWithMetadataAt(url, suffix);
    return resource === undefined
      ? new Response(null, { status: 404 })
      : documentResponse(
        request,
        this.#document(resource),
        resource === this.#known,
      );
  }

  /** At the path-inserted place and, for clients that try only that, at the root. */
  #resourceWithMetadataAt(url: URL, suffix: string): Resource | undefined {
    if (this.#known !== undefined) {
      const place = new URL(this.#known.metadataUrl).pathname;
      return suffix === "" || url.pathname === place ? this.#known : undefined;
    }
    const path = this.#path === "*" ? suffix || "/" : this.#path;
    if (suffix !== "" && suffix !== path) return undefined;
    return resourceOfRequest(url, path);
  }

  #document(resource: Resource): Record<string, unknown> {
    const options = this.#options;
    const servers = options.authorizationServers ??
      (options.mode === "oauth" ? [options.issuer] : []);
    const scopes = options.scopesSupported ?? this.#required;
    return {
      resource: resource.identifier,
      ...(servers.length === 0 ? {} : { authorization_servers: servers }),
      ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
      bearer_methods_supported: ["header"],
      ...(this.#name === undefined ? {} : { resource_name: this.#name }),
    };
  }

  #metadataUrl(request: Request): string | undefined {
    const resource = this.#known ??
      resourceOfRequest(new URL(request.url), this.#path);
    return resource?.metadataUrl;
  }

  #refuse(request: Request, failure: AuthFailure): Response {
    return refusal(failure, this.#required, this.#metadataUrl(request));
  }
}
