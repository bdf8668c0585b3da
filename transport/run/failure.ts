import { CallContext } from "../../context/call_context.ts";
import { recoveryFrom } from "../../context/error_contract.ts";
import { classifyError } from "../../context/errors/classify.ts";
import { createContextLogger } from "../../context/log/logger.ts";
import { toJsonValue } from "../../context/log/to_json.ts";
import { ErrorCode, McpError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";

/** What a failure tells the client. */
export interface Failure {
  /** The code. */
  readonly code: number;
  /** What went wrong. */
  readonly message: string;
  /** Details; `requestId` is always among them. */
  readonly data: JsonObject;
  /** What can be done about it. */
  readonly hint: string | undefined;
}

/** Turns what a handler threw into what the client is told. */
export function failureOf(exchange: Exchange, thrown: unknown): Failure {
  const error = classifyError(thrown);
  logFailure(exchange, error, thrown);
  const reason = error.data?.reason;
  const declared = typeof reason === "string"
    ? recoveryFrom(exchange.contract, reason)
    : {};
  const own = error.data === undefined ? {} : toJsonValue(error.data);
  const data: JsonObject = {
    ...declared,
    ...(isObject(own) ? own : {}),
    requestId: exchange.requestId,
  };
  const recovery = data.recovery;
  const hint = isObject(recovery) && typeof recovery.hint === "string"
    ? recovery.hint
    : undefined;
  return { code: error.code, message: error.message, data, hint };
}

/**
 * Turns what a resource or prompt handler threw into a JSON-RPC error.
 *
 * @param notFound The code that `notFound` becomes; a missing resource has its own.
 */
export function wireFailure(
  exchange: Exchange,
  thrown: unknown,
  notFound?: number,
): WireError {
  if (thrown instanceof WireError) return thrown;
  const { code, message, data } = failureOf(exchange, thrown);
  const wireCode = code === ErrorCode.NotFound && notFound !== undefined
    ? notFound
    : code;
  return new WireError(wireCode, message, data, statusOf(code));
}

/**
 * Rethrows what no handler is to answer for: an error of the protocol.
 *
 * @throws {WireError}
 */
export function rethrowProtocolError(thrown: unknown): void {
  if (thrown instanceof WireError) throw thrown;
  if (
    thrown instanceof McpError &&
    thrown.code === ErrorCode.MissingClientCapability
  ) {
    throw new WireError(
      thrown.code,
      thrown.message,
      thrown.data,
      statusOf(thrown.code),
    );
  }
}

function statusOf(code: number): number {
  return code === ErrorCode.MissingClientCapability ? 400 : 200;
}

function logFailure(
  exchange: Exchange,
  error: McpError,
  thrown: unknown,
): void {
  const { logFloor, redactor } = exchange.services;
  const logger = createContextLogger({
    context: new CallContext(exchange),
    floor: logFloor,
    redactor,
    category: ["parley", "call"],
  });
  const message = `Error in ${exchange.method} ${exchange.target}`;
  // What the caller can mend is no fault of the server.
  const refused = error.data?.reason === "client_capability_missing";
  const fields = { code: error.code, error: toJsonValue(thrown) };
  if (refused) logger.notice(message, fields);
  else logger.error(message, thrown, { code: error.code });
}
