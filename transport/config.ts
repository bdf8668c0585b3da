import {
  isLogLevel,
  LOG_LEVELS,
  type LogLevel,
} from "../context/log/levels.ts";
import { checkSealerOptions } from "../seal/create_sealer.ts";
import { parseSealKeys } from "../seal/seal_keys.ts";
import {
  type DefaultState,
  defaultState,
  kvState,
  memoryState,
  parseStateTarget,
  type StateBackend,
} from "../state/mod.ts";
import { authOptionsFromEnv } from "./auth/from_env.ts";
import type { AuthOptions } from "./auth/options.ts";
import {
  checkOptions,
  type Environment,
  invalidSecret,
  invalidSetting,
} from "./settings.ts";
import { isHostPattern, isOriginPattern } from "./guard.ts";
import type { LimitOptions } from "./limits.ts";
import type { AppOptions, SessionMode } from "./options.ts";

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
  const state = options.state === undefined
    ? stateFromEnv(env)
    : { backend: options.state };
  return {
    path: options.path ?? "/mcp",
    healthPath: healthPathFrom(options),
    state: state.backend,
    stateChosen: options.state !== undefined || Boolean(env("MCP_STATE")),
    stateWarning: state.warning,
    auth: options.auth ?? authOptionsFromEnv(env),
    allowedHosts: options.allowedHosts ??
      listFrom(
        env,
        "MCP_ALLOWED_HOSTS",
        isHostPattern,
        "hosts such as example.com or example.com:8000, separated by commas",
      ),
    allowedOrigins: options.allowedOrigins ??
      listFrom(
        env,
        "MCP_ALLOWED_ORIGINS",
        isOriginPattern,
        "origins such as https://example.com, without a path, separated by commas",
      ),
    maxBodyBytes: options.maxBodyBytes ?? bytesFrom(env),
    keepAliveMs: options.keepAliveMs ?? 15_000,
    callTimeoutMs: options.callTimeoutMs || undefined,
    closeTimeoutMs: options.closeTimeoutMs ?? 10_000,
    limits: options.limits,
    logLevel: options.logLevel ?? logLevelFrom(env),
    sessionMode: sessionModeFrom(options, env),
    requireSessions: typeof options.sessionMode === "object" &&
      options.sessionMode.require === "stateful",
    exposeStatelessSessionId: options.context?.exposeStatelessSessionId ??
      false,
    resumable: flagFrom(env, "MCP_HTTP_RESUMABILITY", true),
    sealKeys: keysFrom(options, env),
  };
}

function healthPathFrom({ health, path }: AppOptions): string | undefined {
  const at = health === true ? "/healthz" : health || undefined;
  if (at !== undefined && at === (path ?? "/mcp")) {
    throw invalidSetting("health", at, "another path than the endpoint has");
  }
  return at;
}

function stateFromEnv(env: Environment): DefaultState {
  const value = env("MCP_STATE");
  if (value === undefined || value === "") return defaultState();
  const wanted = parseStateTarget(value);
  return {
    backend: wanted.kind === "memory" ? memoryState() : kvState(wanted.target),
  };
}

function listFrom(
  env: Environment,
  name: string,
  check: (item: string) => boolean,
  wanted: string,
): readonly string[] {
  const items = (env(name) ?? "").split(",").map((item) => item.trim())
    .filter((item) => item !== "");
  for (const item of items) {
    if (!check(item)) throw invalidSetting(name, item, wanted);
  }
  return items;
}

function bytesFrom(env: Environment): number {
  const name = "MCP_HTTP_MAX_BODY_BYTES";
  const value = env(name);
  if (value === undefined || value === "") return 1_048_576;
  if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value))) {
    return Number(value);
  }
  throw invalidSetting(
    name,
    value,
    "a whole number of bytes, 0 for no limit",
  );
}

function logLevelFrom(env: Environment): LogLevel {
  const name = "MCP_LOG_LEVEL";
  const value = env(name)?.toLowerCase();
  if (value === undefined || value === "") return "info";
  if (isLogLevel(value)) return value;
  throw invalidSetting(name, value, `one of ${LOG_LEVELS.join(", ")}`);
}

/** The operator's mode wins over the code's, which is no more than a default. */
function sessionModeFrom(options: AppOptions, env: Environment): SessionMode {
  const wanted = `one of ${SESSION_MODES.join(", ")}`;
  const own = codeMode(options.sessionMode, wanted);
  const name = "MCP_SESSION_MODE";
  const value = env(name)?.toLowerCase();
  if (value === undefined || value === "") return own;
  if (isSessionMode(value)) return value;
  throw invalidSetting(name, value, wanted);
}

function codeMode(
  sessionMode: AppOptions["sessionMode"],
  wanted: string,
): SessionMode {
  if (sessionMode === undefined) return "auto";
  if (isSessionMode(sessionMode)) return sessionMode;
  if (typeof sessionMode !== "object" || sessionMode === null) {
    throw invalidSetting(
      "sessionMode",
      sessionMode,
      `${wanted}, or { default, require }`,
    );
  }
  const { default: mode, require } = sessionMode;
  if (require !== undefined && require !== "stateful") {
    throw invalidSetting("sessionMode.require", require, "stateful");
  }
  if (mode === undefined) return require ?? "auto";
  if (isSessionMode(mode)) return mode;
  throw invalidSetting("sessionMode.default", mode, wanted);
}

function isSessionMode(value: unknown): value is SessionMode {
  return SESSION_MODES.includes(value as string);
}

function flagFrom(
  env: Environment,
  name: string,
  fallback: boolean,
): boolean {
  const value = env(name)?.toLowerCase();
  if (value === undefined || value === "") return fallback;
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  throw invalidSetting(name, value, "true or false");
}

function keysFrom(
  { requestState }: AppOptions,
  env: Environment,
): readonly (string | Uint8Array)[] | undefined {
  const wanted = "distinct secrets of at least 32 bytes, at least one";
  if (requestState?.keys !== undefined) {
    const { keys } = requestState;
    try {
      checkSealerOptions({ keys });
      return keys;
    } catch {
      throw invalidSecret("requestState.keys", `an array of ${wanted}`);
    }
  }
  const name = "MCP_REQUEST_STATE_KEY";
  const value = env(name);
  if (value === undefined || value === "") return undefined;
  try {
    return parseSealKeys(value);
  } catch {
    throw invalidSecret(name, `${wanted}, separated by commas`);
  }
}
