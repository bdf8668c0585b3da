/**
 * The logger of code that has no `ctx`: services, set-up, background work.
 *
 * @module
 */

import type { RequestContext } from "../request_context.ts";
import { createLogFloor, type LogFloor } from "./levels.ts";
import { type ContextLogger, createContextLogger } from "./logger.ts";
import type { LogCategory } from "./process_line.ts";

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
  debug: (message, context) => of(context).debug(message),
  info: (message, context) => of(context).info(message),
  notice: (message, context) => of(context).notice(message),
  warning: (message, context) => of(context).warning(message),
  error: (message, error, context) => of(context).error(message, error, {}),
};

const SERVICE: LogCategory = ["app"];
// Only the process-wide level is a floor here; LogTape has its own.
const floor: LogFloor = createLogFloor("debug");

function of(context: RequestContext | undefined): ContextLogger {
  return createContextLogger({
    context: context ?? {},
    floor,
    category: SERVICE,
  });
}
