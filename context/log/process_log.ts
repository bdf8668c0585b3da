/**
 * The way to the process log. LogTape and the masks are loaded with the first
 * line that someone hears; until they are there, lines wait, with the time at
 * which they were logged.
 *
 * @module
 */

import type { Logger, LogRecord } from "@logtape/logtape";
import { lastLine, lastMessage, lastProperties } from "./last_line.ts";
import type { LoggingOptions } from "./logging_options.ts";
import type { LogCategory, ProcessLevel, ProcessLine } from "./process_line.ts";
import { normalizeField } from "./sensitive_fields.ts";
import { levelRank, passes } from "./levels.ts";

type Writer = typeof import("./log_tape.ts");
type WaitingLine = ProcessLine | LogRecord;

/** As far as is needed of the logger that all copies of LogTape share. */
interface RootLogger {
  readonly sinks: ((record: LogRecord) => void)[];
  getChild(category: LogCategory): Logger;
}

/** The events of Node's `process`. */
interface ProcessEvents {
  on(name: "exit", listener: () => void): unknown;
  off(name: "exit", listener: () => void): unknown;
}

const ENDINGS = ["unload", "error", "unhandledrejection"] as const;

// One process, one process log.
let writer: Writer | undefined;
let loading: Promise<void> | undefined;
let wanted: LoggingOptions | undefined;
let waiting: WaitingLine[] = [];

// Whoever loaded LogTape first finds its lines written at once.
if (rootLogger() !== undefined) void loadProcessLog();

/** Whether someone hears lines of a category and level, as far as is known. */
export function isHeard(category: LogCategory, level: ProcessLevel): boolean {
  return writer === undefined
    ? wanted !== undefined || rootLogger() !== undefined
    : writer.isHeard(category, level);
}

/** Writes a line of a handler or service. */
export function writeLine(line: ProcessLine): void {
  if (writer === undefined) wait(line);
  else writer.writeLine(line);
}

/**
 * Writes a line of the server's own.
 *
 * @param template The message; `{name}` in it stands for a property.
 * @param properties What sinks are given as it is.
 */
export function logProcess(
  category: LogCategory,
  level: ProcessLevel,
  template: string,
  properties: Record<string, unknown>,
): void {
  if (writer !== undefined) {
    writer.writeTemplate(category, level, template, properties);
  } else if (isHeard(category, level)) {
    // At each odd place the name of a property.
    const message = template.split(/\{(\w+)\}/).map((piece, index) =>
      index % 2 === 0 ? piece : properties[piece]
    );
    const timestamp = Date.now();
    const rawMessage = template;
    wait({ category, level, timestamp, message, rawMessage, properties });
  }
}

/**
 * Configures LogTape once it is loaded, unless it is by then.
 *
 * @returns Whether it is going to take effect.
 */
export function configureProcessLog(options: LoggingOptions): boolean {
  if (writer !== undefined) return writer.configure(options);
  if (wanted !== undefined || isConfigured()) return false;
  wanted = options;
  // Others can log through LogTape at once, and are not to lose a line.
  rootLogger()?.sinks.push(wait);
  return true;
}

/** Loads what writes the process log, and lets it write what waits; never rejects. */
export function loadProcessLog(): Promise<void> {
  return loading ??= load();
}

/** Resolves when no line waits any more; never rejects. */
export async function processLogWritten(): Promise<void> {
  if (waiting.length > 0) await loading;
}

/** Whether the application has loaded LogTape, as it must to configure it. */
export function isLogTapeLoaded(): boolean {
  return rootLogger() !== undefined;
}

/** Takes what writes the process log, where it has been loaded already. */
export function useWriter(loaded: Writer): void {
  if (writer !== undefined) return;
  writer = loaded;
  loading ??= Promise.resolve();
  try {
    if (wanted !== undefined && !isConfigured()) loaded.configure(wanted);
  } catch (error) {
    console.error("Cannot configure the process log:", error);
  }
  for (const line of takeWaiting()) {
    try {
      loaded.writeLate(line);
    } catch {
      // A filter of the application's own failed. There is nowhere to say so.
    }
  }
}

async function load(): Promise<void> {
  try {
    useWriter(await import("./log_tape.ts"));
  } catch (error) {
    // The next line tries again.
    loading = undefined;
    writeLast();
    console.error("Cannot load the process log:", error);
  }
}

function wait(line: WaitingLine): void {
  // As a sink it may be left over.
  if (writer !== undefined) return;
  if (waiting.push(line) === 1) watchForEnd(true);
  void loadProcessLog();
}

function takeWaiting(): WaitingLine[] {
  const lines = waiting;
  waiting = [];
  if (lines.length > 0) watchForEnd(false);
  return lines;
}

/** Deno tells of the end by events of which each comes in its own case; Node by one. */
function watchForEnd(watch: boolean): void {
  for (const name of ENDINGS) {
    if (watch) globalThis.addEventListener?.(name, atEnd);
    else globalThis.removeEventListener?.(name, atEnd);
  }
  if ("Deno" in globalThis || !("process" in globalThis)) return;
  const process = globalThis.process as Partial<ProcessEvents>;
  if (watch) process.on?.("exit", writeLast);
  else process.off?.("exit", writeLast);
}

function atEnd(event: Event): void {
  // An error that someone takes does not end the process.
  if (!event.defaultPrevented) writeLast();
}

/** Writes what waits without what writes it: the process ends, or it cannot be loaded. */
function writeLast(): void {
  // The application's own configuration goes before ours.
  const root = wanted === undefined || isConfigured()
    ? rootLogger()
    : undefined;
  const lines = takeWaiting();
  for (const line of lines) {
    try {
      if (root === undefined) writeLastLine(line);
      else root.getChild(line.category as LogCategory).emit(lastRecord(line));
    } catch {
      // There is nowhere to say so.
    }
  }
}

function writeLastLine(line: WaitingLine): void {
  const { level = "info", sensitiveFields = [], write } = wanted ?? {};
  // The floor of each app has let the others pass.
  if (line.category[0] !== "parley" && !passes(line.level, level)) return;
  const text = lastLine(line, sensitiveFields.map(normalizeField));
  if (write === undefined) console.error(text);
  else write(text);
}

function lastRecord(line: WaitingLine): LogRecord {
  if (!("fields" in line)) return line;
  const { category, level, timestamp } = line;
  const message = lastMessage(line);
  const properties = lastProperties(line);
  return {
    category,
    level,
    timestamp,
    message: [message],
    rawMessage: message,
    properties,
  };
}

function rootLogger(): RootLogger | undefined {
  return Reflect.get(globalThis, Symbol.for("logtape.rootLogger"));
}

function isConfigured(): boolean {
  const state = Reflect.get(globalThis, Symbol.for("logtape.inspectionState"));
  return state?.configured === true;
}

/**
 * Sends the process log to the standard error stream, unless the application
 * configured LogTape itself. Fields are redacted, secret-looking values are
 * masked, and no value makes a line fail.
 *
 * LogTape is loaded for it; what is logged meanwhile waits. An application
 * that configures LogTape before it is there comes first all the same.
 *
 * @returns Whether it took effect; `false` if LogTape was configured before.
 * @throws {RangeError} If the level is none of the eight.
 * @throws {TypeError} If a name in `sensitiveFields` holds no letter.
 */
export function configureLogging(options: LoggingOptions = {}): boolean {
  levelRank(options.level ?? "info");
  options.sensitiveFields?.forEach(normalizeField);
  if (!configureProcessLog(options)) return false;
  void loadProcessLog();
  return true;
}
