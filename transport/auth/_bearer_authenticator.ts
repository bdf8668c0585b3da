import type { AuthContext } from "../../context/auth_context.ts";
import type {
  AuthenticatorConfig,
  AuthLog,
  ForbiddenOptions,
} from "./authenticator.ts";
import { callerFromVerify, settleCaller } from "./_caller.ts";
import { type AuthFailure, failureOf, TokenRejected } from "./_failure.ts";
import { insufficientScope, refusal } from "./_refusal.ts";
import {
  documentResponse,
  metadataSuffix,
  type Resource,
  resourceAt,
  resourceOfRequest,
} from "./resource_metadata.ts";
import { createTokenVerifier } from "./_token.ts";
import type { EnabledAuthOptions } from "./_validate.ts";

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

/** The part of an authenticator that requests need, which says what each does. */
export class BearerAuthenticator {
  readonly #options: EnabledAuthOptions;
  readonly #path: string;
  readonly #name: string | undefined;
  readonly #log: AuthLog;
  readonly #known: Resource | undefined;
  readonly #required: readonly string[];
  readonly #findCaller: FindCaller;

  /**
   * @param options The `auth` option, checked.
   * @param config What it needs to know of the app.
   * @param resource The resource identifier, where it is known before any request.
   */
  constructor(
    options: EnabledAuthOptions,
    config: AuthenticatorConfig,
    resource: string | undefined,
  ) {
    this.#options = options;
    this.#path = config.path ?? "/mcp";
    this.#name = config.resourceName;
    this.#log = config.log ?? (() => {});
    this.#known = resource === undefined ? undefined : resourceAt(resource);
    this.#required = options.requiredScopes ?? [];
    this.#findCaller = callerFinder(options);
  }

  /** Says who sent a request, or gives the response that refuses it. */
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

  /** The 403 for a caller who lacks scopes. */
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

  /** The metadata document, for a request to a place of one. */
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

/** Longer tokens are refused before they cost anything. */
const MAX_TOKEN_CHARACTERS = 16_384;

/**
 * The bearer token of a request (RFC 6750, section 2.1), `undefined` when there are no
 * bearer credentials. Only the `Authorization` header counts: a token in the query
 * string or in a form body is not looked at.
 *
 * Two headers reach us as one value joined by a comma, which no token holds, so
 * they are refused as malformed.
 *
 * @throws {TokenRejected} when the header names the scheme and holds no single token.
 */
function readBearerToken(headers: Headers): string | undefined {
  const value = headers.get("authorization");
  if (value === null) return undefined;
  if (!/^bearer(?: |$)/i.test(value)) return undefined;
  const token = value.slice("bearer".length).replace(/^ +/, "");
  if (token.length > MAX_TOKEN_CHARACTERS) {
    throw new TokenRejected(
      `The access token is longer than ${MAX_TOKEN_CHARACTERS} characters`,
    );
  }
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) {
    throw new TokenRejected(
      "The Authorization header must be the word Bearer, a space and one token",
    );
  }
  return token;
}
