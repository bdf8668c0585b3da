import { CallContext } from "../../context/call_context.ts";
import { declaredData } from "../../context/error_contract.ts";
import { classifyError } from "../../context/errors/classify.ts";
import { createContextLogger } from "../../context/log/logger.ts";
import { maskText } from "../../context/log/mask_text.ts";
import type { LogCategory } from "../../context/log/process_line.ts";
import { type ToJsonOptions, toJsonValue } from "../../context/log/to_json.ts";
import { ErrorCode, McpError } from "../../errors.ts";
import type { Exchange } from "../exchange.ts";
import {
  isObject,
  type JsonObject,
  ScopeError,
  WireError,
} from "../json_rpc.ts";

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

/**
 * Turns what a handler threw into what the client is told, and logs it. No
 * stack and no cause is among it, and nothing of an error but its own message
 * and data. Never throws.
 */
export function failureOf(exchange: Exchange, thrown: unknown): Failure {
  const error = classifyError(thrown);
  const own = ownData(exchange, error);
  const isFault = logFailure(exchange, error, thrown, own);
  exchange.failure = {
    message: error.message,
    fault: isFault ? thrown : undefined,
  };
  const data: JsonObject = {
    ...declaredData(exchange.contract, own.reason),
    ...own,
    requestId: exchange.requestId,
  };
  const { recovery } = data;
  const hint = isObject(recovery) && typeof recovery.hint === "string"
    ? recovery.hint
    : undefined;
  return { code: error.code, message: error.message, data, hint };
}

// What an author put there is sent whole, within the bounds of a message.
const DATA: ToJsonOptions = {
  errors: "summary",
  maskErrors: maskText,
  maxDepth: 64,
  maxEntries: 10_000,
  maxString: 65_536,
};

function ownData({ auth }: Exchange, { data }: McpError): JsonObject {
  if (data === undefined) return {};
  const json = toJsonValue(data, DATA);
  if (!isObject(json)) return {};
  // A context spread into the data brings the claims of the caller along.
  if (auth !== undefined && data.auth === auth) delete json.auth;
  return json;
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
  const isMissing = code === ErrorCode.NotFound ||
    code === ErrorCode.ResourceNotFound;
  const wireCode = isMissing && notFound !== undefined
    ? notFound
    : servedCode(exchange, code);
  return new WireError(wireCode, message, data, statusOf(code));
}

/** The reserved codes whose meaning a handler can speak of. */
const MODERN_CODES: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InternalError,
  ErrorCode.MissingClientCapability,
]);

/** 2026-07-28 closes the reserved range to all but the codes it names (basic, error codes). */
function servedCode({ era }: Exchange, code: number): number {
  if (!Number.isInteger(code)) return ErrorCode.InternalError;
  const isReserved = code >= -32768 && code <= -32000;
  if (!isReserved || era === "legacy" || MODERN_CODES.has(code)) return code;
  return code === ErrorCode.ResourceNotFound
    ? ErrorCode.InvalidParams
    : ErrorCode.InternalError;
}

/**
 * Rethrows what no handler is to answer for: an error of the protocol, or a
 * caller whose token has to grant more.
 *
 * @param scopes The scopes the definition needs.
 * @throws {WireError}
 */
export function rethrowProtocolError(
  exchange: Exchange,
  thrown: unknown,
  scopes: readonly string[] = [],
): void {
  if (thrown instanceof WireError) throw thrown;
  if (!(thrown instanceof McpError)) return;
  const missing = missingScopes(exchange, thrown);
  if (missing !== undefined) {
    throw new ScopeError([...scopes, ...missing], exchange.requestId);
  }
  if (thrown.code === ErrorCode.MissingClientCapability) {
    throw new WireError(
      thrown.code,
      thrown.message,
      ownData(exchange, thrown),
      statusOf(thrown.code),
    );
  }
}

/**
 * The scopes that a handler found missing, while there is time to say so with a
 * challenge (2026-07-28, basic, authorization, scope challenge handling).
 */
function missingScopes(
  { auth, port }: Exchange,
  { code, data }: McpError,
): readonly string[] | undefined {
  if (code !== ErrorCode.Forbidden || data?.reason !== "insufficient_scope") {
    return undefined;
  }
  // Without a caller no token could help, and a stream has begun with a 200.
  if (auth === undefined || port?.committed) return undefined;
  const { requiredScopes } = data;
  if (!Array.isArray(requiredScopes)) return undefined;
  return requiredScopes.filter((scope) => typeof scope === "string");
}

function statusOf(code: number): number {
  return code === ErrorCode.MissingClientCapability ? 400 : 200;
}

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
