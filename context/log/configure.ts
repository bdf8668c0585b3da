/**
 * A ready LogTape configuration, for applications that bring none.
 *
 * @module
 */

import {
  configureSync,
  getConfig,
  type LogLevel as LogTapeLevel,
  type LogRecord,
} from "@logtape/logtape";
import { getLogLevel, levelRank, type LogLevel } from "./levels.ts";
import { maskJson } from "./mask_json.ts";
import { maskSecrets } from "./mask_text.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { type JsonObject, toJsonValue } from "./to_json.ts";

/** Options of {@linkcode configureLogging}. */
export interface LoggingOptions {
  /**
   * `"development"` writes lines to read, `"production"` one JSON object a
   * line.
   *
   * @default "production"
   */
  mode?: "development" | "production";
  /**
   * The least severe level that loggers besides `ctx.log` write, unless
   * `setLogLevel` says otherwise; `ctx.log` has the floor of its app.
   *
   * @default "info"
   */
  level?: LogLevel;
  /**
   * Names of fields to mask besides the built-in ones.
   *
   * @default []
   */
  sensitiveFields?: readonly string[];
  /**
   * Takes one line, without its line break.
   *
   * @default console.error, which writes to the standard error stream
   */
  write?: (line: string) => void;
}

/**
 * Sends the process log to the standard error stream, unless the application
 * configured LogTape itself. Fields are redacted, secret-looking values are
 * masked, and no value makes a line fail.
 *
 * @returns Whether it took effect; `false` if LogTape was configured before.
 * @throws {RangeError} If the level is none of the eight.
 * @throws {TypeError} If a name in `sensitiveFields` holds no letter.
 */
export function configureLogging(options: LoggingOptions = {}): boolean {
  const own = logTapeLevel(options.level ?? "info");
  const allows = ({ level }: LogRecord) => {
    const forced = getLogLevel();
    const floor = forced === undefined ? own : logTapeLevel(forced);
    return severity(level) >= severity(floor);
  };
  const redact = createRedactor(options.sensitiveFields);
  const format = options.mode === "development" ? readableLine : jsonLine;
  const write = options.write ?? ((line) => console.error(line));
  if (getConfig() !== null) return false;
  configureSync({
    sinks: { stderr: (record) => write(format(record, redact)) },
    filters: { allowed: allows, all: () => true },
    loggers: [
      // Filtered, and not cut off, so that the level can move at run time.
      {
        category: [],
        sinks: ["stderr"],
        filters: ["allowed"],
        lowestLevel: "trace",
      },
      // The floor of each app gates these.
      {
        category: ["parley"],
        sinks: ["stderr"],
        parentSinks: "override",
        filters: ["all"],
        lowestLevel: "trace",
      },
      {
        category: ["logtape", "meta"],
        sinks: ["stderr"],
        parentSinks: "override",
        filters: ["all"],
        lowestLevel: "warning",
      },
    ],
  });
  return true;
}

const LOGTAPE_LEVELS: readonly LogTapeLevel[] = [
  "debug",
  "info",
  "info",
  "warning",
  "error",
  "fatal",
  "fatal",
  "fatal",
];

const SEVERITIES: readonly LogTapeLevel[] = [
  "trace",
  "debug",
  "info",
  "warning",
  "error",
  "fatal",
];

function severity(level: LogTapeLevel): number {
  return SEVERITIES.indexOf(level);
}

function logTapeLevel(level: LogLevel): LogTapeLevel {
  return LOGTAPE_LEVELS[levelRank(level)]!;
}

const RESERVED = ["time", "level", "logger", "message"];

/** A field named like one of the line's own is written as `data.<name>`. */
function jsonLine(record: LogRecord, redact: Redactor): string {
  const fields = fieldsOf(record, redact);
  const line: JsonObject = {
    time: new Date(record.timestamp).toISOString(),
    level: levelOf(record, fields),
    logger: record.category.join("."),
    message: messageOf(record, redact),
  };
  for (const [name, value] of Object.entries(fields)) {
    line[RESERVED.includes(name) ? `data.${name}` : name] = value;
  }
  return jsonText(line);
}

function readableLine(record: LogRecord, redact: Redactor): string {
  const { error, ...fields } = fieldsOf(record, redact);
  const time = new Date(record.timestamp).toISOString().slice(11, 23);
  const name = levelOf(record, fields).toUpperCase().padEnd(7);
  let line = `${time} ${name} ${record.category.join(".")}  ` +
    visible(messageOf(record, redact));
  for (const [key, value] of Object.entries(fields)) {
    line += ` ${visible(key)}=${jsonText(value)}`;
  }
  if (typeof error !== "object" || error === null || Array.isArray(error)) {
    return error === undefined ? line : `${line} error=${jsonText(error)}`;
  }
  const { stack, ...rest } = error;
  line += ` error=${jsonText(rest)}`;
  return typeof stack === "string" ? `${line}\n${visible(stack, true)}` : line;
}

/** Takes `level` out of the fields where it says what LogTape cannot. */
function levelOf(record: LogRecord, fields: JsonObject): string {
  if (record.level !== "info" || fields.level !== "notice") return record.level;
  delete fields.level;
  return "notice";
}

function fieldsOf(record: LogRecord, redact: Redactor): JsonObject {
  const fields = toJsonValue(record.properties, { errors: "stack" });
  return maskJson(redact(fields), maskSecrets) as JsonObject;
}

/** LogTape keeps a message in pieces, with a value at each odd place. */
function messageOf(record: LogRecord, redact: Redactor): string {
  let message = "";
  for (const piece of record.message) {
    const value = redact(toJsonValue(piece));
    message += typeof value === "string" ? value : JSON.stringify(value);
  }
  return maskSecrets(message);
}

// What ends a line, or rewrites or turns around what a terminal shows: controls,
// line and paragraph separators, bidirectional embeddings and isolates.
const HIDDEN =
  // deno-lint-ignore no-control-regex -- these are what it looks for
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

/** JSON has no such characters outside its strings, and escapes for them there. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, escaped);
}

function visible(text: string, keepLines = false): string {
  return text.replace(
    HIDDEN,
    (character) =>
      keepLines && character === "\n" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
