import { configurationError } from "../../errors.ts";
import type { AuthOptions } from "./options.ts";
import { MIN_SECRET_CHARACTERS, requireSecureUrl } from "./_validate.ts";

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
