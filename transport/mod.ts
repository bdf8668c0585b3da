/**
 * Serving an app: {@linkcode createApp}, and what its options are made of.
 *
 * @module
 */
export type { App, ServedAddress } from "./app.ts";
export { createApp } from "./create_app.ts";
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
} from "./auth/options.ts";
export {
  createEventBus,
  createSharedBus,
  type EventBus,
  type Notifier,
  type SharedBusOptions,
} from "./event_bus.ts";
export type { ServerEvent } from "../context/call.ts";
export type { FetchHandler, ServeInfo } from "./http_request.ts";
export type { LimitOptions } from "./limits.ts";
export type { Listener, ListenOptions } from "./listen_http.ts";
export type {
  AppOptions,
  CacheableMethod,
  RequestStateOptions,
  SessionMode,
  SessionModeOptions,
} from "./options.ts";
export type { VerifyRequestState } from "./run/state_seal.ts";
export type { ByteStreams } from "./stdio/serve_stream.ts";
