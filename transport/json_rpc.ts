import { ErrorCode } from "../errors.ts";

/** The id of a request: what its answer carries. */
export type RequestId = string | number;

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** A message that wants an answer. */
export interface RpcRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A message that wants none. */
export interface RpcNotification {
  readonly method: string;
  readonly params?: unknown;
}

/** A client's answer to a request of the server (2025 era only). */
export interface RpcResponse {
  readonly id: RequestId;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a parsed value turned out to be. */
export type RpcMessage =
  | { readonly kind: "request"; readonly message: RpcRequest }
  | { readonly kind: "notification"; readonly message: RpcNotification }
  | { readonly kind: "response"; readonly message: RpcResponse }
  | {
    readonly kind: "invalid";
    readonly reason: string;
    readonly id: RequestId | undefined;
  };

/** An error that answers a request as a JSON-RPC error. */
export class WireError extends Error {
  override readonly name = "WireError";

  /**
   * @param code The JSON-RPC error code.
   * @param message What is wrong.
   * @param data Details.
   * @param status The HTTP status that goes with it.
   * @param afterSeconds When to try again, in seconds, where that may help.
   */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
    readonly status: number = 200,
    readonly afterSeconds?: number,
  ) {
    super(message);
  }
}

/** A request the caller has not the scopes for. */
export class ScopeError extends WireError {
  /**
   * @param scopes Every scope the operation needs.
   * @param requestId The id of the call in the log.
   */
  constructor(
    readonly scopes: readonly string[],
    readonly requestId: string,
  ) {
    super(
      ErrorCode.Forbidden,
      `Insufficient scope: needs ${scopes.join(" ")}`,
      { reason: "insufficient_scope", requiredScopes: scopes, requestId },
      403,
    );
  }
}

/** Whether a value is a JSON object (no array, not null). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value can be the id of a request. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isInteger(value);
}

/** Whether a parsed JSON value is a request, as most are. */
export function isRequest(value: unknown): value is RpcRequest {
  return isObject(value) && value.jsonrpc === "2.0" &&
    typeof value.method === "string" && isRequestId(value.id);
}

/** Tells what a parsed JSON value is (JSON-RPC 2.0; MCP basic, messages). */
export function classify(value: unknown): RpcMessage {
  if (!isObject(value)) {
    return invalid("a message is a JSON object", undefined);
  }
  const { id, method } = value;
  const known = isRequestId(id) ? id : undefined;
  if (value.jsonrpc !== "2.0") return invalid('"jsonrpc" must be "2.0"', known);
  if (method !== undefined) {
    if (typeof method !== "string") {
      return invalid('"method" must be a string', known);
    }
    if (known !== undefined) {
      return { kind: "request", message: value as unknown as RpcRequest };
    }
    if (id === undefined) {
      return {
        kind: "notification",
        message: value as unknown as RpcNotification,
      };
    }
    return invalid('"id" must be a string or an integer', undefined);
  }
  if (known !== undefined && ("result" in value || "error" in value)) {
    return { kind: "response", message: value as unknown as RpcResponse };
  }
  return invalid('"method" is missing', known);
}

function invalid(reason: string, id: RequestId | undefined): RpcMessage {
  return { kind: "invalid", reason: `Invalid request: ${reason}`, id };
}

/** Writes a success response around the text of its result. */
export function resultMessage(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${idText(id)},"result":${result}}`;
}

/** Writes an error response; without an id where the request's is unknown. */
export function errorMessage(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): string {
  const head = id === undefined ? "" : `"id":${idText(id)},`;
  const error = JSON.stringify({ code, message, data });
  return wellFormed(`{"jsonrpc":"2.0",${head}"error":${error}}`);
}

/** Writes the error response of a thrown {@linkcode WireError}. */
export function wireErrorMessage(
  id: RequestId | undefined,
  error: WireError,
): string {
  return errorMessage(id, error.code, error.message, error.data);
}

/** Writes a notification around the text of its params. */
export function notificationMessage(method: string, params: string): string {
  return `{"jsonrpc":"2.0","method":${
    JSON.stringify(method)
  },"params":${params}}`;
}

/** The error of bytes that are no JSON. */
export function parseError(what = "the body is not JSON"): WireError {
  return new WireError(
    ErrorCode.ParseError,
    `Parse error: ${what}`,
    undefined,
    400,
  );
}

/** The error of a method that is not served (-32601, HTTP 404). */
export function methodNotFound(method: string): WireError {
  return new WireError(
    ErrorCode.MethodNotFound,
    `Method not found: ${method}`,
    undefined,
    404,
  );
}

/** The error of a value that is no message, or of one that is not allowed here. */
export function invalidRequestError(message: string, status = 400): WireError {
  return new WireError(
    ErrorCode.InvalidRequest,
    message,
    undefined,
    status,
  );
}

function idText(id: RequestId): string {
  return typeof id === "number" ? String(id) : wellFormed(JSON.stringify(id));
}

const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/**
 * Replaces lone surrogates in JSON text by U+FFFD. `JSON.stringify` writes
 * them, and only them, as `\udXXX` escapes.
 */
export function wellFormed(json: string): string {
  return json.includes("\\ud")
    ? json.replace(LONE_SURROGATE, "$1\\ufffd")
    : json;
}
