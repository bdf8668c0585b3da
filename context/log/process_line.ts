import type { JsonObject } from "./to_json.ts";

/** The levels of LogTape that this package logs at. */
export type ProcessLevel = "debug" | "info" | "warning" | "error";

/** A LogTape category. */
export type LogCategory = readonly [string, ...string[]];

/** A line of a handler or service on its way to the process log. */
export interface ProcessLine {
  /** The LogTape category. */
  readonly category: LogCategory;
  /** How severe it is. */
  readonly level: ProcessLevel;
  /** When it was logged, ms since the epoch. */
  readonly timestamp: number;
  /** Text, not yet masked. */
  readonly message: string;
  /** Its fields as they were then, not yet masked. */
  readonly fields: JsonObject;
  /** What no field replaces, and no mask touches. */
  readonly own: Readonly<Record<string, unknown>>;
}
