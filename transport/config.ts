import {
  isLogLevel,
  LOG_LEVELS,
  type LogLevel,
} from "../context/log/levels.ts";
import { checkSealerOptions } from "../seal/create_sealer.ts";
import { parseSealKeys } from "../seal/seal_keys.ts";
import type { StateBackend } from "../state/backend.ts";
import {
  type DefaultState,
  defaultState,
  parseStateTarget,
} from "../state/default_state.ts";
import { kvState } from "../state/kv.ts";
import { memoryState } from "../state/memory.ts";
import { authOptionsFromEnv } from "./auth/create_authenticator.ts";
import type { AuthOptions } from "./auth/options.ts";
import { isHostPattern, isOriginPattern } from "./guard.ts";
import type { LimitOptions } from "./limits.ts";
import type { AppOptions, SessionMode, SessionModeOptions } from "./options.ts";
import {
  checkOptions,
  type Environment,
  invalidSecret,
  invalidSetting,
} from "./settings.ts";

/** What an app is set up with: options over environment over defaults. */
export interface AppConfig {
  /** Where the endpoint is. */
  readonly path: string;
  /** Where the health check is; `undefined` for none. */
  readonly healthPath: string | undefined;
  /** Where state is kept. */
  readonly state: StateBackend;
  /** Whether someone chose it, so that the server must not start without it. */
  readonly stateChosen: boolean;
  /** What to tell the operator of the state, if anything. */
  readonly stateWarning: string | undefined;
  /** Who may call. */
  readonly auth: AuthOptions | undefined;
  /** `Host` values served. */
  readonly allowedHosts: readonly string[];
  /** `Origin` values served. */
  readonly allowedOrigins: readonly string[];
  /** The most bytes a body may have; 0 for no limit. */
  readonly maxBodyBytes: number;
  /** Milliseconds between keep-alive comments. */
  readonly keepAliveMs: number;
  /** Milliseconds a handler may run; `undefined` for any time. */
  readonly callTimeoutMs: number | undefined;
  /** Milliseconds that running calls have to finish when the app is closed. */
  readonly closeTimeoutMs: number;
  /** What one caller may use at a time; `undefined` for no limits. */
  readonly limits: LimitOptions | undefined;
  /** The least severe level that is logged. */
  readonly logLevel: LogLevel;
  /** How 2025-era clients are served over HTTP. */
  readonly sessionMode: SessionMode;
  /** Whether the server must not start over HTTP without sessions. */
  readonly requireSessions: boolean;
  /** Whether stateless 2025-era requests get a session id of their own. */
  readonly exposeStatelessSessionId: boolean;
  /** Whether 2025-era streams can be resumed. */
  readonly resumable: boolean;
  /** Keys that seal request state; none when they come from the store. */
  readonly sealKeys: readonly (string | Uint8Array)[] | undefined;
}

const SESSION_MODES: readonly string[] = ["auto", "stateful", "stateless"];
const MODES_WANTED = `one of ${SESSION_MODES.join(", ")}`;

/**
 * Settles the configuration of an app.
 *
 * @throws {McpError} `configurationError` naming what is invalid and what it takes.
 */
export function resolveConfig(
  options: AppOptions,
  env: Environment,
): AppConfig {
  checkOptions(options);
  const chosen = options.state ?? setting(env, "MCP_STATE", namedState);
  const state: DefaultState = chosen === undefined
    ? defaultState()
    : { backend: chosen };
  return {
    path: options.path ?? "/mcp",
    healthPath: healthPathFrom(options),
    state: state.backend,
    stateChosen: chosen !== undefined,
    stateWarning: state.warning,
    auth: options.auth ??
      setting(env, "MCP_AUTH_MODE", () => authOptionsFromEnv(env)),
    allowedHosts: options.allowedHosts ??
      setting(env, "MCP_ALLOWED_HOSTS", hosts) ?? [],
    allowedOrigins: options.allowedOrigins ??
      setting(env, "MCP_ALLOWED_ORIGINS", origins) ?? [],
    maxBodyBytes: options.maxBodyBytes ??
      setting(env, "MCP_HTTP_MAX_BODY_BYTES", byteCount) ?? 1_048_576,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    callTimeoutMs: options.callTimeoutMs || undefined,
    closeTimeoutMs: options.closeTimeoutMs ?? 10_000,
    limits: options.limits,
    logLevel: options.logLevel ??
      setting(env, "MCP_LOG_LEVEL", logLevel) ?? "info",
    sessionMode: sessionModeFrom(options, env),
    requireSessions: typeof options.sessionMode === "object" &&
      options.sessionMode.require === "stateful",
    exposeStatelessSessionId: options.context?.exposeStatelessSessionId ??
      false,
    resumable: setting(env, "MCP_HTTP_RESUMABILITY", flag) ?? true,
    sealKeys: keysFrom(options, env),
  };
}

/**
 * What a variable says; `undefined` where it is not set, or empty. Most are
 * not, and no more is run for those.
 */
function setting<T>(
  env: Environment,
  name: string,
  read: (value: string, name: string) => T,
): T | undefined {
  const value = env(name);
  return value === undefined || value === "" ? undefined : read(value, name);
}

function healthPathFrom({ health, path }: AppOptions): string | undefined {
  const at = health === true ? "/healthz" : health || undefined;
  if (at !== undefined && at === (path ?? "/mcp")) {
    throw invalidSetting("health", at, "another path than the endpoint has");
  }
  return at;
}

function namedState(value: string): StateBackend {
  const wanted = parseStateTarget(value);
  return wanted.kind === "memory" ? memoryState() : kvState(wanted.target);
}

function hosts(value: string, name: string): readonly string[] {
  const wanted =
    "hosts such as example.com or example.com:8000, separated by commas";
  return list(value, name, isHostPattern, wanted);
}

function origins(value: string, name: string): readonly string[] {
  const wanted =
    "origins such as https://example.com, without a path, separated by commas";
  return list(value, name, isOriginPattern, wanted);
}

function list(
  value: string,
  name: string,
  check: (item: string) => boolean,
  wanted: string,
): readonly string[] {
  const items = value.split(",").map((item) => item.trim())
    .filter((item) => item !== "");
  for (const item of items) {
    if (!check(item)) throw invalidSetting(name, item, wanted);
  }
  return items;
}

function byteCount(value: string, name: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(count)) return count;
  throw invalidSetting(
    name,
    value,
    "a whole number of bytes, 0 for no limit",
  );
}

function logLevel(value: string, name: string): LogLevel {
  const level = value.toLowerCase();
  if (isLogLevel(level)) return level;
  throw invalidSetting(name, value, `one of ${LOG_LEVELS.join(", ")}`);
}

/** The operator's mode wins over the code's, which is no more than a default. */
function sessionModeFrom(
  { sessionMode }: AppOptions,
  env: Environment,
): SessionMode {
  const own = sessionMode === undefined ? "auto" : codeMode(sessionMode);
  return setting(env, "MCP_SESSION_MODE", operatorMode) ?? own;
}

function operatorMode(value: string, name: string): SessionMode {
  const mode = value.toLowerCase();
  if (isSessionMode(mode)) return mode;
  throw invalidSetting(name, value, MODES_WANTED);
}

function codeMode(sessionMode: unknown): SessionMode {
  if (isSessionMode(sessionMode)) return sessionMode;
  if (typeof sessionMode !== "object" || sessionMode === null) {
    throw invalidSetting(
      "sessionMode",
      sessionMode,
      `${MODES_WANTED}, or { default, require }`,
    );
  }
  const { default: mode, require }: SessionModeOptions = sessionMode;
  if (require !== undefined && require !== "stateful") {
    throw invalidSetting("sessionMode.require", require, "stateful");
  }
  if (mode === undefined) return require ?? "auto";
  if (isSessionMode(mode)) return mode;
  throw invalidSetting("sessionMode.default", mode, MODES_WANTED);
}

function isSessionMode(value: unknown): value is SessionMode {
  return SESSION_MODES.includes(value as string);
}

function flag(value: string, name: string): boolean {
  switch (value.toLowerCase()) {
    case "true":
    case "1":
      return true;
    case "false":
    case "0":
      return false;
  }
  throw invalidSetting(name, value, "true or false");
}

const KEYS_WANTED = "distinct secrets of at least 32 bytes, at least one";

function keysFrom(
  { requestState }: AppOptions,
  env: Environment,
): readonly (string | Uint8Array)[] | undefined {
  const keys = requestState?.keys;
  if (keys === undefined) {
    return setting(env, "MCP_REQUEST_STATE_KEY", operatorKeys);
  }
  try {
    checkSealerOptions({ keys });
    return keys;
  } catch {
    throw invalidSecret("requestState.keys", `an array of ${KEYS_WANTED}`);
  }
}

function operatorKeys(value: string, name: string): readonly string[] {
  try {
    return parseSealKeys(value);
  } catch {
    throw invalidSecret(name, `${KEYS_WANTED}, separated by commas`);
  }
}
