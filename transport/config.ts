import {
  isLogLevel,
  LOG_LEVELS,
  type LogLevel,
} from "../context/log/levels.ts";
import { configurationError, type McpError } from "../errors.ts";
import { parseSealKeys } from "../seal/mod.ts";
import {
  type DefaultState,
  defaultState,
  kvState,
  memoryState,
  parseStateTarget,
  type StateBackend,
} from "../state/mod.ts";
import { type AuthOptions, authOptionsFromEnv } from "./auth/mod.ts";
import type { Environment } from "./environment.ts";
import type { AppOptions, SessionMode } from "./options.ts";

/** What an app is set up with: options over environment over defaults. */
export interface AppConfig {
  /** Where the endpoint is. */
  readonly path: string;
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
  /** The least severe level that is logged. */
  readonly logLevel: LogLevel;
  /** How 2025-era clients are served over HTTP. */
  readonly sessionMode: SessionMode;
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
  const state = options.state === undefined
    ? stateFromEnv(env)
    : { backend: options.state };
  return {
    path: checkPath(options.path ?? "/mcp"),
    state: state.backend,
    stateChosen: options.state !== undefined || Boolean(env("MCP_STATE")),
    stateWarning: state.warning,
    auth: options.auth ?? authOptionsFromEnv(env),
    allowedHosts: options.allowedHosts ?? listFrom(env, "MCP_ALLOWED_HOSTS"),
    allowedOrigins: options.allowedOrigins ??
      listFrom(env, "MCP_ALLOWED_ORIGINS"),
    maxBodyBytes: bytesFrom(options, env),
    keepAliveMs: checkInterval(options.keepAliveMs ?? 15_000),
    logLevel: options.logLevel ?? logLevelFrom(env),
    sessionMode: sessionModeFrom(options, env),
    resumable: flagFrom(env, "MCP_HTTP_RESUMABILITY", true),
    sealKeys: options.requestState?.keys ?? keysFrom(env),
  };
}

function checkPath(path: string): string {
  if (path === "*" || path.startsWith("/")) return path;
  throw configurationError(
    `Cannot serve the path "${path}": it must begin with "/", or be "*"`,
  );
}

function checkInterval(ms: number): number {
  if (Number.isFinite(ms) && ms >= 0) return ms;
  throw configurationError(
    `Cannot use keepAliveMs ${ms}: it must be a number of 0 or more`,
  );
}

function stateFromEnv(env: Environment): DefaultState {
  const value = env("MCP_STATE");
  if (value === undefined || value === "") return defaultState();
  const wanted = parseStateTarget(value);
  return {
    backend: wanted.kind === "memory" ? memoryState() : kvState(wanted.target),
  };
}

function listFrom(env: Environment, name: string): readonly string[] {
  return (env(name) ?? "").split(",").map((item) => item.trim()).filter(
    (item) => item !== "",
  );
}

function bytesFrom(options: AppOptions, env: Environment): number {
  const wanted = "a whole number of bytes, 0 for no limit";
  if (options.maxBodyBytes !== undefined) {
    if (isCount(options.maxBodyBytes)) return options.maxBodyBytes;
    throw configurationError(
      `Cannot use maxBodyBytes ${options.maxBodyBytes}: it takes ${wanted}`,
    );
  }
  const name = "MCP_HTTP_MAX_BODY_BYTES";
  const value = env(name);
  if (value === undefined || value === "") return 1_048_576;
  if (/^\d+$/.test(value) && isCount(Number(value))) return Number(value);
  throw invalid(name, wanted);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function logLevelFrom(env: Environment): LogLevel {
  const value = env("MCP_LOG_LEVEL")?.toLowerCase();
  if (value === undefined || value === "") return "info";
  if (isLogLevel(value)) return value;
  throw invalid("MCP_LOG_LEVEL", `one of ${LOG_LEVELS.join(", ")}`);
}

function sessionModeFrom(options: AppOptions, env: Environment): SessionMode {
  const wanted = `one of ${SESSION_MODES.join(", ")}`;
  const value = env("MCP_SESSION_MODE")?.toLowerCase();
  if (value !== undefined && value !== "") {
    if (SESSION_MODES.includes(value)) return value as SessionMode;
    throw invalid("MCP_SESSION_MODE", wanted);
  }
  const { sessionMode = "auto" } = options;
  const mode = typeof sessionMode === "string"
    ? sessionMode
    : sessionMode.default ?? sessionMode.require ?? "auto";
  if (SESSION_MODES.includes(mode)) return mode;
  throw configurationError(
    `Cannot use the session mode "${mode}": it takes ${wanted}`,
  );
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
  throw invalid(name, "true or false");
}

function keysFrom(env: Environment): readonly string[] | undefined {
  const name = "MCP_REQUEST_STATE_KEY";
  const value = env(name);
  if (value === undefined || value === "") return undefined;
  try {
    return parseSealKeys(value);
  } catch {
    throw invalid(
      name,
      "one or more secrets of at least 32 bytes, separated by commas",
    );
  }
}

/** Never shows the value: it may be a secret. */
function invalid(name: string, wanted: string): McpError {
  return configurationError(`Cannot use ${name}: it takes ${wanted}`);
}
