/**
 * A ready LogTape configuration, for applications that bring none.
 *
 * @module
 */

import { levelRank } from "./levels.ts";
import type { LoggingOptions } from "./logging_options.ts";
import { configureProcessLog, loadProcessLog } from "./process_log.ts";
import { normalizeField } from "./sensitive_fields.ts";

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
