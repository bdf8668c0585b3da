/**
 * Authentication of HTTP requests: access tokens verified with a shared secret
 * or with an authorization server's keys, or a check of your own; refusals with the
 * challenges of RFC 6750; and the protected-resource metadata of RFC 9728.
 *
 * @module
 */

export {
  type Authenticator,
  type AuthenticatorConfig,
  type AuthLog,
  createAuthenticator,
  type ForbiddenOptions,
} from "./authenticator.ts";
export { authOptionsFromEnv } from "./from_env.ts";
export type {
  AuthOptions,
  CommonAuthOptions,
  JwtAuthOptions,
  NoAuthOptions,
  OAuthOptions,
  TenantPolicy,
  TokenAuthOptions,
  VerifyAuthOptions,
  VerifyResult,
} from "./options.ts";
export { principalOf } from "./principal.ts";
export { resourceMetadataResponse } from "./metadata.ts";
export { assertScopes } from "./scopes.ts";
export type { AuthContext } from "../../context/auth_context.ts";
