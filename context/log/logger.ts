/**
 * `ctx.log`: one call, two sinks, neither of which can fail the handler; and
 * `logger`, for code that has no `ctx`: services, set-up, background work.
 *
 * @module
 */

import type { RequestContext } from "../request_context.ts";
import { createLogFloor, type LogFloor, type LogLevel } from "./levels.ts";
import { isHeard, writeLine } from "./process_log.ts";
import type { LogCategory } from "./process_line.ts";
import {
  type JsonObject,
  toJsonFields,
  type ToJsonOptions,
  toJsonText,
  toJsonValue,
} from "./to_json.ts";

/** Fields of one log line. */
export type LogData = Readonly<Record<string, unknown>>;

/**
 * The logger of one request. Each call writes to the process log and, when
 * the client asked for it, to the client: do not log what you would not put in
 * a tool result. No call throws or waits.
 */
export interface ContextLogger {
  /** Logs detail for debugging. */
  debug(message: string, data?: LogData): void;
  /** Logs what happened. */
  info(message: string, data?: LogData): void;
  /** Logs what is normal and still worth attention. */
  notice(message: string, data?: LogData): void;
  /** Logs what may be wrong. */
  warning(message: string, data?: LogData): void;
  /**
   * Logs a failure.
   *
   * @param message What failed.
   * @param error What was thrown: an `Error`, or any other value. A plain
   * object here, with no third argument, is taken as `data`.
   * @param data More fields of the line.
   */
  error(message: string, error?: unknown, data?: LogData): void;
}

/** What a logger reads from its request, each time that a line is logged. */
export interface LogContext {
  /** The request, which its errors name as `data.requestId`. */
  readonly requestId?: string | undefined;
  /** The trace of the call's span. */
  readonly traceId?: string | undefined;
  /** The call's span. */
  readonly spanId?: string | undefined;
  /** The tenant. */
  readonly tenantId?: string | undefined;
  /** The session. */
  readonly sessionId?: string | undefined;
  /** What is being done. */
  readonly operation?: string | undefined;
  /** The caller's correlation data, flattened into the process line. */
  readonly extra?: LogData | undefined;
}

/** Makes what the client is told of a line; see `clientPayload`. */
export type ClientPayload = (
  message: string,
  error: unknown,
  data: LogData | undefined,
) => JsonObject;

/** The way of the lines to the client. */
export interface LogDelivery {
  /** Whether the client wants a line of this level. */
  allows(level: LogLevel): boolean;
  /** Makes what is sent of a line. */
  readonly payloadOf: ClientPayload;
  /** Sends one line. What it throws, or rejects with, is dropped. */
  send(level: LogLevel, payload: JsonObject): unknown;
}

/** Options of {@linkcode createContextLogger}. */
export interface ContextLoggerOptions {
  /** The request that every line is correlated with. */
  readonly context: LogContext;
  /** The floor of both sinks. */
  readonly floor: LogFloor;
  /** The way to the client; absent when it asked for no lines. */
  readonly delivery?: LogDelivery | undefined;
  /**
   * The LogTape category.
   *
   * @default ["parley", "handler"]
   */
  readonly category?: LogCategory | undefined;
}

/** Makes the logger of one request. */
export function createContextLogger(
  options: ContextLoggerOptions,
): ContextLogger {
  return new DualLogger(options);
}

/**
 * Logs to the process, never to a client. A line carries the fields of the
 * context that is given with it, its `extra` among them; a field of `extra`
 * never replaces one that the context sets. No call throws or waits.
 */
export interface ServiceLogger {
  /** Logs detail for debugging. */
  debug(message: string, context?: RequestContext): void;
  /** Logs what happened. */
  info(message: string, context?: RequestContext): void;
  /** Logs what is normal and still worth attention. */
  notice(message: string, context?: RequestContext): void;
  /** Logs what may be wrong. */
  warning(message: string, context?: RequestContext): void;
  /** Logs a failure. @param error What was thrown. */
  error(message: string, error?: unknown, context?: RequestContext): void;
}

/**
 * The logger for services and background code; handlers use `ctx.log`. It
 * writes to the LogTape category `["app"]`, from the level that `setLogLevel`
 * or the LogTape configuration sets.
 *
 * ```ts
 * import { logger, type RequestContext, withExtra } from "@parley/mcp/context";
 *
 * export async function fetchUser(id: string, ctx: RequestContext) {
 *   logger.info("Fetching a user", withExtra(ctx, { id }));
 *   return await Promise.resolve({ id });
 * }
 * ```
 */
export const logger: ServiceLogger = {
  debug: (message, context) => loggerOf(context).debug(message),
  info: (message, context) => loggerOf(context).info(message),
  notice: (message, context) => loggerOf(context).notice(message),
  warning: (message, context) => loggerOf(context).warning(message),
  error: (message, error, context) =>
    loggerOf(context).error(message, error, {}),
};

const SERVICE: LogCategory = ["app"];
// Only the process-wide level is a floor here; LogTape has its own.
const SERVICE_FLOOR: LogFloor = createLogFloor("debug");

function loggerOf(context: RequestContext | undefined): ContextLogger {
  return createContextLogger({
    context: context ?? {},
    floor: SERVICE_FLOOR,
    category: SERVICE,
  });
}

type OwnLevel = "debug" | "info" | "notice" | "warning" | "error";

const HANDLER: LogCategory = ["parley", "handler"];

const CANONICAL = [
  "requestId",
  "traceId",
  "spanId",
  "tenantId",
  "sessionId",
  "operation",
] as const;

const FOR_PROCESS: ToJsonOptions = { errors: "stack" };

class DualLogger implements ContextLogger {
  readonly #options: ContextLoggerOptions;

  constructor(options: ContextLoggerOptions) {
    this.#options = options;
  }

  debug(message: string, data?: LogData): void {
    this.#log("debug", message, undefined, data);
  }

  info(message: string, data?: LogData): void {
    this.#log("info", message, undefined, data);
  }

  notice(message: string, data?: LogData): void {
    this.#log("notice", message, undefined, data);
  }

  warning(message: string, data?: LogData): void {
    this.#log("warning", message, undefined, data);
  }

  error(message: string, error?: unknown, data?: LogData): void {
    if (data === undefined && isPlainObject(error)) {
      this.#log("error", message, undefined, error);
    } else {
      this.#log("error", message, error ?? undefined, data);
    }
  }

  #log(
    level: OwnLevel,
    message: string,
    error: unknown,
    data: LogData | undefined,
  ): void {
    const { floor, delivery } = this.#options;
    if (!floor.allows(level)) return;
    // Untyped callers pass the error in the place of the data.
    if (error === undefined && isError(data)) {
      error = data;
      data = undefined;
    }
    try {
      this.#toProcess(level, message, error, data);
    } catch {
      // A sink of the application's own failed. There is nowhere to say so.
    }
    if (delivery === undefined) return;
    try {
      if (!delivery.allows(level)) return;
      const payload = delivery.payloadOf(message, error, data);
      const sent = delivery.send(level, payload);
      if (sent instanceof Promise) sent.catch(ignore);
    } catch {
      // The client may be gone; its log is not worth failing a call.
    }
  }

  #toProcess(
    level: OwnLevel,
    message: string,
    error: unknown,
    data: LogData | undefined,
  ): void {
    const { context, category = HANDLER } = this.#options;
    const processLevel = level === "notice" ? "info" : level;
    if (!isHeard(category, processLevel)) return;
    const fields = {
      ...toJsonFields(context.extra, FOR_PROCESS),
      ...toJsonFields(data, FOR_PROCESS),
    };
    if (error !== undefined) fields.error = toJsonValue(error, FOR_PROCESS);
    const own: Record<string, unknown> = {};
    if (level === "notice") own.level = level;
    for (const name of CANONICAL) {
      const value = context[name];
      if (value !== undefined) own[name] = value;
    }
    writeLine({
      category,
      level: processLevel,
      timestamp: Date.now(),
      message: toJsonText(message),
      fields,
      own,
    });
  }
}

function isPlainObject(value: unknown): value is LogData {
  if (typeof value !== "object" || value === null) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === null || prototype === Object.prototype;
  } catch {
    return false;
  }
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error;
  } catch {
    return false;
  }
}

function ignore(): void {}
