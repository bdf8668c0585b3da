import type { AuthContext } from "../../context/auth_context.ts";
import type { BearerAuthenticator } from "./_bearer_authenticator.ts";
import {
  checkOptions,
  type EnabledAuthOptions,
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
