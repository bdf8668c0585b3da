import type { LogLevel as LogTapeLevel } from "@logtape/logtape";
import { getLogLevel, levelRank, type LogLevel } from "./levels.ts";

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

/** Whether a floor lets a line of LogTape pass; `setLogLevel` overrules it. */
export function passes(level: LogTapeLevel, floor: LogLevel): boolean {
  const least = LOGTAPE_LEVELS[levelRank(getLogLevel() ?? floor)]!;
  return SEVERITIES.indexOf(level) >= SEVERITIES.indexOf(least);
}
