/**
 * Errors a handler throws and a client can act on: {@linkcode McpError}, its
 * codes, and one factory for each kind of failure.
 *
 * ```ts
 * import { notFound } from "@parley/mcp/errors";
 * import assert from "node:assert/strict";
 *
 * const error = notFound("No such invoice", { invoiceId: "i-7" });
 * assert.equal(error.code, 404);
 * ```
 *
 * @module
 */

/**
 * The numeric codes of an {@linkcode McpError}. The JSON-RPC ones are those of
 * the specification; the others keep clear of the range it reserves.
 */
export const ErrorCode = {
  /** The bytes are not JSON. */
  ParseError: -32700,
  /** The message or the call is not one the server can take. */
  InvalidRequest: -32600,
  /** The method does not exist. */
  MethodNotFound: -32601,
  /** The parameters are wrong. */
  InvalidParams: -32602,
  /** The server failed. */
  InternalError: -32603,
  /** A request header does not match the body (2026-07-28). */
  HeaderMismatch: -32020,
  /** The client did not declare a capability the call needs (2026-07-28). */
  MissingClientCapability: -32021,
  /** The protocol version is not served (2026-07-28). */
  UnsupportedProtocolVersion: -32022,
  /** Not found, as the 2025 era numbers it for resources. */
  ResourceNotFound: -32002,
  /** No valid credentials. */
  Unauthorized: 401,
  /** Valid credentials, not enough rights. */
  Forbidden: 403,
  /** The thing asked for does not exist. */
  NotFound: 404,
  /** It took too long. */
  Timeout: 408,
  /** Someone else changed it meanwhile. */
  Conflict: 409,
  /** The input is well-formed and still not acceptable. */
  ValidationError: 422,
  /** Too many calls. */
  RateLimited: 429,
  /** The value cannot be carried as JSON. */
  SerializationError: 460,
  /** The server is set up wrongly. */
  ConfigurationError: 500,
  /** A service it depends on is not there. */
  ServiceUnavailable: 503,
  /** The store failed. */
  DatabaseError: 561,
} as const;

/** What an {@linkcode McpError} may carry besides its message. */
export type ErrorData = Record<string, unknown>;

/** Options of {@linkcode McpError} and its factories. */
export interface McpErrorOptions {
  /** What led to this error. Logged, never sent to a client. */
  cause?: unknown;
}

/**
 * An error with a numeric code and optional data, both of which reach the
 * client. Its `cause` and stack are logged and never sent.
 */
export class McpError extends Error {
  /** Always `"McpError"`. */
  override readonly name = "McpError";
  /** One of {@linkcode ErrorCode}, or another integer outside -32768 to -32000. */
  readonly code: number;
  /** Details for the client; any JSON object. */
  readonly data: ErrorData | undefined;

  /**
   * Makes the error.
   *
   * @param code One of {@linkcode ErrorCode}, or another integer.
   * @param message What went wrong, for the model and the person behind it.
   * @param data Details for the client.
   * @param options The cause, for the log.
   */
  constructor(
    code: number,
    message: string,
    data?: ErrorData,
    options: McpErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.data = data;
  }
}

/** Makes an {@linkcode McpError} of one kind. */
export type ErrorFactory = (
  message: string,
  data?: ErrorData,
  options?: McpErrorOptions,
) => McpError;

function factory(code: number): ErrorFactory {
  return (message, data, options) => new McpError(code, message, data, options);
}

/** The parameters are wrong (-32602). */
export const invalidParams: ErrorFactory = factory(ErrorCode.InvalidParams);
/** The call is not one the server can take now (-32600). */
export const invalidRequest: ErrorFactory = factory(ErrorCode.InvalidRequest);
/** The server failed (-32603). */
export const internalError: ErrorFactory = factory(ErrorCode.InternalError);
/** No valid credentials (401). */
export const unauthorized: ErrorFactory = factory(ErrorCode.Unauthorized);
/** Not enough rights (403). */
export const forbidden: ErrorFactory = factory(ErrorCode.Forbidden);
/** The thing asked for does not exist (404). */
export const notFound: ErrorFactory = factory(ErrorCode.NotFound);
/** It took too long (408). */
export const timeout: ErrorFactory = factory(ErrorCode.Timeout);
/** Someone else changed it meanwhile (409). */
export const conflict: ErrorFactory = factory(ErrorCode.Conflict);
/** The input is well-formed and still not acceptable (422). */
export const validationError: ErrorFactory = factory(
  ErrorCode.ValidationError,
);
/** Too many calls (429). */
export const rateLimited: ErrorFactory = factory(ErrorCode.RateLimited);
/** The server is set up wrongly (500). */
export const configurationError: ErrorFactory = factory(
  ErrorCode.ConfigurationError,
);
/** The value cannot be carried as JSON (460). */
export const serializationError: ErrorFactory = factory(
  ErrorCode.SerializationError,
);
/** The store failed (561). */
export const databaseError: ErrorFactory = factory(ErrorCode.DatabaseError);
/** A service the call depends on is not there (503). */
export const serviceUnavailable: ErrorFactory = factory(
  ErrorCode.ServiceUnavailable,
);
