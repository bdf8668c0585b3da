import type { AuthContext } from "../../context/auth_context.ts";
import { configurationError } from "../../errors.ts";
import type { BearerAuthenticator } from "./_bearer_authenticator.ts";
import {
  checkOptions,
  type EnabledAuthOptions,
  MIN_SECRET_CHARACTERS,
  requireSecureUrl,
  secureUrl,
} from "./_validate.ts";
import type {
  Authenticator,
  AuthenticatorConfig,
  ForbiddenOptions,
} from "./authenticator.ts";
import type { AuthOptions } from "./options.ts";

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
    : new LazyAuthenticator(enabled, config);
}

/** The resource identifier that is known before any request. */
function configuredResource(
  options: EnabledAuthOptions,
  publicUrl: string | undefined,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl;
  if (options.mode !== "oauth") return undefined;
  const [audience, ...others] = [options.audience].flat();
  if (others.length > 0 || audience === undefined) return undefined;
  return secureUrl(audience) === undefined ? undefined : audience;
}

/**
 * Knows what the start has to know. What requests need is loaded with the first
 * of them: most servers authenticate nobody.
 */
class LazyAuthenticator implements Authenticator {
  readonly mode: "jwt" | "oauth" | "verify";
  readonly resource: string | undefined;
  readonly #options: EnabledAuthOptions;
  readonly #config: AuthenticatorConfig;
  #loading: Promise<BearerAuthenticator> | undefined;
  #loaded: BearerAuthenticator | undefined;

  constructor(options: EnabledAuthOptions, config: AuthenticatorConfig) {
    this.mode = options.mode ?? "verify";
    this.resource = configuredResource(options, config.publicUrl);
    this.#options = options;
    this.#config = config;
  }

  authenticate(request: Request): Promise<AuthContext | Response> {
    return this.#loaded?.authenticate(request) ??
      this.#ready().then((loaded) => loaded.authenticate(request));
  }

  forbidden(
    request: Request,
    scopes: readonly string[],
    options?: ForbiddenOptions,
  ): Response | undefined {
    return this.#loaded?.forbidden(request, scopes, options);
  }

  async metadata(request: Request, url: URL): Promise<Response | undefined> {
    return (this.#loaded ?? await this.#ready()).metadata(request, url);
  }

  /** All who wait get the same one, which remembers tokens and keys. */
  #ready(): Promise<BearerAuthenticator> {
    return this.#loading ??= this.#load();
  }

  async #load(): Promise<BearerAuthenticator> {
    try {
      const { BearerAuthenticator } = await import(
        "./_bearer_authenticator.ts"
      );
      return this.#loaded = new BearerAuthenticator(
        this.#options,
        this.#config,
        this.resource,
      );
    } catch (error) {
      // What could not be loaded now may be there the next time.
      this.#loading = undefined;
      throw error;
    }
  }
}

/**
 * Reads the authentication settings of the environment: `MCP_AUTH_MODE`, and the
 * variables of that mode. An empty variable counts as absent.
 *
 * @param get Reads one variable.
 * @returns `undefined` when `MCP_AUTH_MODE` is absent.
 * @throws {McpError} 500 naming the variable that is wrong or missing, and what it
 * takes. A secret is never part of the message.
 */
export function authOptionsFromEnv(
  get: (name: string) => string | undefined,
): AuthOptions | undefined {
  const read = (name: string) => get(name) || undefined;
  const mode = read("MCP_AUTH_MODE");
  switch (mode) {
    case undefined:
      return undefined;
    case "none":
      return { mode };
    case "jwt": {
      const secret = read("MCP_AUTH_SECRET_KEY");
      if (secret === undefined) {
        throw configurationError(
          `MCP_AUTH_SECRET_KEY is not set, wanted at least ${MIN_SECRET_CHARACTERS} characters, as MCP_AUTH_MODE is jwt`,
        );
      }
      if (secret.length < MIN_SECRET_CHARACTERS) {
        throw configurationError(
          `MCP_AUTH_SECRET_KEY has ${secret.length} characters, wanted at least ${MIN_SECRET_CHARACTERS}`,
        );
      }
      return { mode, secret };
    }
    case "oauth": {
      const issuer = read("OAUTH_ISSUER_URL");
      if (issuer === undefined) {
        throw configurationError(
          "OAUTH_ISSUER_URL is not set, wanted the authorization server's issuer URL, as MCP_AUTH_MODE is oauth",
        );
      }
      requireSecureUrl("OAUTH_ISSUER_URL", issuer);
      const audience = read("OAUTH_AUDIENCE");
      if (audience === undefined) {
        throw configurationError(
          "OAUTH_AUDIENCE is not set, wanted what the tokens' aud holds, such as the server's public URL, as MCP_AUTH_MODE is oauth",
        );
      }
      const jwksUri = read("OAUTH_JWKS_URI");
      if (jwksUri !== undefined) requireSecureUrl("OAUTH_JWKS_URI", jwksUri);
      return { mode, issuer, audience, jwksUri };
    }
    default:
      throw configurationError(
        `MCP_AUTH_MODE is ${JSON.stringify(mode)}, wanted none, jwt or oauth`,
      );
  }
}
