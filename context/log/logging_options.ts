import type { LogLevel } from "./levels.ts";

/** Options of `configureLogging`. */
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
