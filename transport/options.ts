import type { Icon } from "../types.ts";
import type { CacheHint } from "../context/cache_hint.ts";
import type { LogLevel } from "../context/log/levels.ts";
import type { PromptDefinition } from "../context/prompt.ts";
import type { ResourceDefinition } from "../context/resource.ts";
import type { ToolDefinition } from "../context/tool.ts";
import type { StateBackend } from "../state/mod.ts";
import type { App } from "./app.ts";
import type { AuthOptions } from "./auth/options.ts";
import type { EventBus } from "./event_bus.ts";
import type { LimitOptions } from "./limits.ts";
import type { VerifyRequestState } from "./run/state_seal.ts";

/**
 * How 2025-era clients are served over HTTP:
 *
 * - `"stateful"`: `initialize` opens a session, and every other request has to
 *   name one. Sessions are kept in the state backend, so any process on it can
 *   serve any request of them;
 * - `"stateless"`: there are no sessions. Every request stands by itself, so
 *   handlers do not know what the client can do, and cannot ask it anything;
 * - `"auto"`: whatever serves the client best, which is a session for each
 *   client that initializes.
 */
export type SessionMode = "auto" | "stateful" | "stateless";

/** A session mode with what an operator may not override. */
export interface SessionModeOptions {
  /** The mode unless `MCP_SESSION_MODE` says otherwise. */
  readonly default?: SessionMode | undefined;
  /** The server does not start over HTTP in another mode. */
  readonly require?: "stateful" | undefined;
}

/** How request state is protected on its way through the client. */
export interface RequestStateOptions {
  /**
   * Secrets of at least 32 bytes; the first one seals, all of them open.
   * Default: `MCP_REQUEST_STATE_KEY`, else a key that is kept in the store.
   */
  readonly keys?: readonly (string | Uint8Array)[] | undefined;
  /** Whether the client must not be able to read it. Default: false. */
  readonly encrypt?: boolean | undefined;
  /** How long it is valid, in seconds. Default: 900. */
  readonly ttlSeconds?: number | undefined;
  /** `false` turns sealing off: handlers then read whatever clients send. */
  readonly seal?: boolean | undefined;
  /** Verifies state that handlers seal themselves, with a codec. */
  readonly verify?: VerifyRequestState | undefined;
}

/** The methods whose results may be cached. */
export type CacheableMethod =
  | "server/discover"
  | "tools/list"
  | "prompts/list"
  | "resources/list"
  | "resources/templates/list"
  | "resources/read";

/** What {@linkcode createApp} takes. Only `name` and `version` are needed. */
export interface AppOptions {
  /** The server's name. */
  readonly name: string;
  /** The server's version. */
  readonly version: string;
  /** A name for people. */
  readonly title?: string | undefined;
  /** What the server is, for people. */
  readonly description?: string | undefined;
  /** How to use the server, for models. */
  readonly instructions?: string | undefined;
  /** Pictures for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** The server's home page. */
  readonly websiteUrl?: string | undefined;
  /** The tools, in the order they are listed. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** The resources and templates, in the order they are listed. */
  readonly resources?: readonly ResourceDefinition[] | undefined;
  /** The prompts, in the order they are listed. */
  readonly prompts?: readonly PromptDefinition[] | undefined;
  /** Where state is kept. Default: `MCP_STATE`, else Deno KV where there is one, else memory. */
  readonly state?: StateBackend | undefined;
  /** Who may call. Default: `MCP_AUTH_MODE`, else everyone. HTTP only. */
  readonly auth?: AuthOptions | undefined;
  /** How request state is protected. */
  readonly requestState?: RequestStateOptions | undefined;
  /** How input is asked for. */
  readonly inputRequired?: {
    /** Whether questions become requests for 2025-era clients. Default: true. */
    readonly legacyShim?: boolean | undefined;
  } | undefined;
  /** How 2025-era clients are served over HTTP. Default: `MCP_SESSION_MODE`, else `"auto"`. */
  readonly sessionMode?: SessionMode | SessionModeOptions | undefined;
  /** What handlers see of a request. */
  readonly context?: {
    /** Gives stateless 2025-era requests a `sessionId` of their own. Default: false. */
    readonly exposeStatelessSessionId?: boolean | undefined;
  } | undefined;
  /** Carries events between processes. Default: over the state backend. */
  readonly eventBus?: EventBus | undefined;
  /** How long results may be cached, by method. Default: not at all. */
  readonly cacheHints?:
    | Readonly<Partial<Record<CacheableMethod, CacheHint>>>
    | undefined;
  /** Entries on a page of a list. Default: all. */
  readonly pageSize?: number | undefined;
  /** `"scopes"` shows callers only what their scopes let them use. Default: `"none"`. */
  readonly listFilter?: "none" | "scopes" | undefined;
  /** Where the endpoint is; `"*"` for every path. Default: `"/mcp"`. */
  readonly path?: string | undefined;
  /**
   * `Host` values served besides loopback ones, with a port or for every port;
   * `"*"` for all. Default: `MCP_ALLOWED_HOSTS`, else all, but only loopback
   * ones for connections from this machine.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * `Origin` values served besides the server's own, such as
   * `"https://example.com"`; `"*"` for all. Default: `MCP_ALLOWED_ORIGINS`.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** The URL clients reach the endpoint at, for authorization metadata. */
  readonly publicUrl?: string | undefined;
  /** The most bytes a body may have, 0 for no limit. Default: `MCP_HTTP_MAX_BODY_BYTES`, else 1048576. */
  readonly maxBodyBytes?: number | undefined;
  /** Milliseconds between keep-alive comments on streams, 0 for none. Default: 15000. */
  readonly keepAliveMs?: number | undefined;
  /**
   * Milliseconds a handler may run before its call fails with `timeout` (408)
   * and `ctx.signal` aborts, 0 for any time. Each round of a call that asks for
   * input counts anew, and the time a person takes to answer does not count. Default: 0.
   */
  readonly callTimeoutMs?: number | undefined;
  /** What one caller may use at a time. Default: no limits. */
  readonly limits?: LimitOptions | undefined;
  /**
   * Milliseconds that running calls have to finish when the app is closed,
   * before `ctx.signal` aborts. Default: 10000.
   */
  readonly closeTimeoutMs?: number | undefined;
  /**
   * A path that answers `GET` with 200 while requests are served and with 503
   * otherwise, to everyone; `true` for `/healthz`. Default: none.
   */
  readonly health?: boolean | string | undefined;
  /** The least severe level that is logged. Default: `MCP_LOG_LEVEL`, else `"info"`. */
  readonly logLevel?: LogLevel | undefined;
  /** Runs once, before the first request is served. */
  readonly setup?: ((app: App) => void | Promise<void>) | undefined;
}
