/**
 * `ctx.log`: one call, two sinks, neither of which can fail the handler.
 *
 * @module
 */

import { getLogger, type Logger } from "@logtape/logtape";
import type { LogFloor, LogLevel } from "./levels.ts";
import { maskJsonObject } from "./mask_json.ts";
import { maskSecrets, maskText } from "./mask_text.ts";
import type { Redactor } from "./redact.ts";
import { type JsonObject, type ToJsonOptions, toJsonValue } from "./to_json.ts";

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

/** Options of {@linkcode createContextLogger}. */
export interface ContextLoggerOptions {
  /** The request that every line is correlated with. */
  readonly context: LogContext;
  /** The floor of both sinks. */
  readonly floor: LogFloor;
  /** Masks the fields of both sinks. */
  readonly redactor: Redactor;
  /**
   * Sends one line to the client. Absent when the client asked for none. What
   * it throws, or rejects with, is dropped.
   */
  readonly send?:
    | ((level: LogLevel, payload: JsonObject) => unknown)
    | undefined;
  /** Whether the client wants a line of this level; absent, it wants all. */
  readonly sendAllows?: ((level: LogLevel) => boolean) | undefined;
  /**
   * The LogTape category.
   *
   * @default ["parley", "handler"]
   */
  readonly category?: readonly [string, ...string[]] | undefined;
}

/** Makes the logger of one request. */
export function createContextLogger(
  options: ContextLoggerOptions,
): ContextLogger {
  return new DualLogger(options);
}

type ProcessLevel = "debug" | "info" | "warning" | "error";
type OwnLevel = ProcessLevel | "notice";

const CANONICAL = [
  "requestId",
  "traceId",
  "spanId",
  "tenantId",
  "sessionId",
  "operation",
] as const;

const FOR_PROCESS: ToJsonOptions = { errors: "stack" };
const FOR_CLIENT: ToJsonOptions = { errors: "summary" };

class DualLogger implements ContextLogger {
  readonly #options: ContextLoggerOptions;
  #logger: Logger | undefined;

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
    const { floor, send, sendAllows } = this.#options;
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
    if (send === undefined) return;
    try {
      if (sendAllows !== undefined && !sendAllows(level)) return;
      const sent = send(level, this.#payload(message, error, data));
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
    const logger = this.#logger ??= getLogger(
      this.#options.category ?? ["parley", "handler"],
    );
    const processLevel = level === "notice" ? "info" : level;
    if (!logger.isEnabledFor(processLevel)) return;
    const { context, redactor } = this.#options;
    const fields: Record<string, unknown> = {
      ...fieldsOf(context.extra, FOR_PROCESS),
      ...fieldsOf(data, FOR_PROCESS),
    };
    if (error !== undefined) fields.error = toJsonValue(error, FOR_PROCESS);
    const properties = maskJsonObject(
      redactor(fields as JsonObject) as JsonObject,
      maskSecrets,
    );
    if (level === "notice") properties.level = level;
    for (const name of CANONICAL) {
      const value = context[name];
      if (value !== undefined) properties[name] = value;
    }
    logger[processLevel](templateOf(maskSecrets(textOf(message))), properties);
  }

  #payload(
    message: string,
    error: unknown,
    data: LogData | undefined,
  ): JsonObject {
    const fields = this.#options.redactor(fieldsOf(data, FOR_CLIENT));
    const payload = maskJsonObject(fields as JsonObject, maskText);
    payload.message = maskText(textOf(message));
    if (error !== undefined) payload.error = maskText(errorText(error));
    return payload;
  }
}

/** LogTape fills `{name}` in a message from the properties; this one is text. */
function templateOf(message: string): string {
  if (!message.includes("{")) return message;
  return message.replaceAll("{", "{{").replaceAll("}", "}}");
}

function fieldsOf(
  data: LogData | undefined,
  options: ToJsonOptions,
): JsonObject {
  if (data === undefined || data === null) return {};
  const fields = toJsonValue(data, options);
  return typeof fields === "object" && fields !== null && !Array.isArray(fields)
    ? fields
    : { data: fields };
}

/** The message of whatever was thrown, without its stack, cause or data. */
function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return textOf(error);
  const summary = toJsonValue(error, FOR_CLIENT);
  const message =
    typeof summary === "object" && summary !== null && !Array.isArray(summary)
      ? summary.message
      : summary;
  return typeof message === "string" ? message : JSON.stringify(summary);
}

function textOf(value: unknown): string {
  const text = toJsonValue(value);
  return typeof text === "string" ? text : JSON.stringify(text);
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
