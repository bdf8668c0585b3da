import { CallContext } from "../../context/call_context.ts";
import { createContextLogger } from "../../context/log/logger.ts";
import type { LogCategory } from "../../context/log/process_line.ts";
import { ErrorCode, type McpError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";

const CALL: LogCategory = ["parley", "call"];

/** What the caller, or the person behind it, decided or can mend. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  "client_capability_missing",
  "input_cancelled",
  "input_declined",
  "insufficient_scope",
  "invalid_arguments",
  "invalid_request_state",
]);

const SERVER_FAULTS: ReadonlySet<number> = new Set([
  ErrorCode.InternalError,
  ErrorCode.Timeout,
  ErrorCode.SerializationError,
  ErrorCode.ConfigurationError,
  ErrorCode.ServiceUnavailable,
  ErrorCode.DatabaseError,
]);

/**
 * Logs a failed call to the process. A fault of the server is an error, with
 * stack and cause; a failure that the handler meant to answer with is a
 * warning; a refusal of the caller's own making, or a call that was cancelled,
 * is a notice.
 *
 * @param error The failure, classified.
 * @param thrown What the handler threw.
 * @param data The data of the failure, as JSON.
 * @returns Whether it is a fault of the server.
 */
export function logFailure(
  exchange: Exchange,
  error: McpError,
  thrown: unknown,
  data: JsonObject,
): boolean {
  const { logFloor } = exchange.services;
  const isFault = error !== thrown || SERVER_FAULTS.has(error.code);
  const isRefusal = exchange.cancelled ||
    (!isFault && REFUSALS.has(data.reason));
  const level = isRefusal ? "notice" : isFault ? "error" : "warning";
  if (!logFloor.allows(level)) return level === "error";
  const logger = createContextLogger({
    context: new CallContext(exchange),
    floor: logFloor,
    category: CALL,
  });
  const message = `Error in ${exchange.method} ${exchange.target}`;
  if (level === "error") {
    logger.error(message, thrown, { code: error.code });
    return true;
  }
  const { code, cause } = error;
  logger[level](message, { code, error: error.message, data, cause });
  return false;
}
