/**
 * What writes the process log, with all that it takes to mask it. Loaded with
 * the first line: `process_log.ts` keeps the lines until then.
 *
 * @module
 */

import {
  configureSync,
  getConfig,
  getLogger,
  type Logger,
  type LogRecord,
} from "@logtape/logtape";
import { jsonLine, readableLine } from "./line_format.ts";
import type { LoggingOptions } from "./logging_options.ts";
import { createRedactor, maskJsonObject } from "./redact.ts";
import { maskSecrets } from "./mask_text.ts";
import type { LogCategory, ProcessLevel, ProcessLine } from "./process_line.ts";
import { passes } from "./levels.ts";
import type { JsonObject } from "./to_json.ts";

const redact = createRedactor();
// By the categories of this package, each of which is one constant.
const loggers = new Map<readonly string[], Logger>();

/** The logger of a category, which is asked for with the same array each time. */
function loggerOf(category: LogCategory): Logger {
  let logger = loggers.get(category);
  if (logger === undefined) {
    logger = getLogger(category);
    loggers.set(category, logger);
  }
  return logger;
}

/** Whether some sink takes lines of a category and level. */
export function isHeard(category: LogCategory, level: ProcessLevel): boolean {
  return loggerOf(category).isEnabledFor(level);
}

/** Writes a line that was logged just now. */
export function writeLine(line: ProcessLine): void {
  const { category, level, message } = line;
  loggerOf(category)[level](
    templateOf(maskSecrets(message)),
    propertiesOf(line),
  );
}

/** Writes a line of this package's own: a template of LogTape, and its values. */
export function writeTemplate(
  category: LogCategory,
  level: ProcessLevel,
  template: string,
  properties: Record<string, unknown>,
): void {
  loggerOf(category)[level](template, properties);
}

/** Writes what was logged earlier, with the time at which it was. */
export function writeLate(line: ProcessLine | LogRecord): void {
  getLogger(line.category).emit("fields" in line ? recordOf(line) : line);
}

function recordOf(line: ProcessLine): LogRecord {
  const { category, level, timestamp } = line;
  const message = maskSecrets(line.message);
  return {
    category,
    level,
    timestamp,
    message: [message],
    rawMessage: templateOf(message),
    properties: propertiesOf(line),
  };
}

function propertiesOf({ fields, own }: ProcessLine): Record<string, unknown> {
  const masked = maskJsonObject(redact(fields) as JsonObject, maskSecrets);
  return Object.assign(masked, own);
}

/** LogTape fills `{name}` in a message from the properties; this one is text. */
function templateOf(message: string): string {
  if (!message.includes("{")) return message;
  return message.replaceAll("{", "{{").replaceAll("}", "}}");
}

/**
 * Configures LogTape, unless the application did.
 *
 * @returns Whether it took effect.
 */
export function configure(options: LoggingOptions): boolean {
  if (getConfig() !== null) return false;
  const { level: floor = "info", write = toStderr } = options;
  const redactAll = createRedactor(options.sensitiveFields);
  const format = options.mode === "development" ? readableLine : jsonLine;
  configureSync({
    sinks: { stderr: (record) => write(format(record, redactAll)) },
    filters: {
      allowed: ({ level }) => passes(level, floor),
      all: () => true,
    },
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

// Looked up anew for each line: it may be replaced.
function toStderr(line: string): void {
  console.error(line);
}
