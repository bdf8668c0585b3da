/**
 * Gives whatever a handler throws the error that the client is told.
 *
 * @module
 */

import {
  conflict,
  ErrorCode,
  type ErrorData,
  type ErrorFactory,
  forbidden,
  internalError,
  McpError,
  notFound,
  serializationError,
  serviceUnavailable,
  timeout,
  validationError,
} from "../../errors.ts";
import { maskText } from "../log/mask_text.ts";
import { type Issue, issuePath, issuesText } from "./issues.ts";

const MAX_MESSAGE = 8192;
const MAX_ISSUES = 50;

/**
 * Classifies a thrown value by its type, its name or its code, and never by
 * what its message says. A sound {@linkcode McpError} is returned as it is. Any
 * other becomes one, with the thrown value as its `cause`, and with its message
 * kept but for secret-looking values, absolute paths and stack frames, which
 * are masked. Never throws.
 *
 * @param thrown Whatever was thrown: an error of any kind, or any other value.
 */
export function classifyError(thrown: unknown): McpError {
  try {
    return classify(thrown);
  } catch {
    // A thrown value that itself throws when it is read.
    return internalError("The handler failed", undefined, { cause: thrown });
  }
}

function classify(thrown: unknown): McpError {
  if (thrown instanceof McpError) return sound(thrown);
  if (typeof thrown === "string") return wrap(internalError, thrown, thrown);
  if (typeof thrown !== "object" || thrown === null) {
    return wrap(internalError, `The handler threw ${nameOf(thrown)}`, thrown);
  }
  const message = read(thrown, "message");
  const text = typeof message === "string" ? message : "";
  if (!isError(thrown)) {
    return wrap(internalError, text || "The handler threw an object", thrown);
  }
  const issues = issuesOf(thrown);
  if (issues !== undefined) return invalid(issues, thrown);
  const name = read(thrown, "name");
  if (name === "McpError" || name === "ProtocolError") {
    const code = read(thrown, "code");
    if (Number.isSafeInteger(code)) {
      return foreign(code as number, text, thrown);
    }
  }
  return wrap(factoryFor(thrown, name), text, thrown);
}

/** Nothing but the types keeps an author from a code or a message that is none. */
function sound(error: McpError): McpError {
  const code: unknown = error.code;
  const message: unknown = error.message;
  const { data } = error;
  const isSound = Number.isSafeInteger(code) && typeof message === "string" &&
    (data === undefined || isRecord(data));
  if (isSound) return error;
  return new McpError(
    Number.isSafeInteger(code) ? error.code : ErrorCode.InternalError,
    typeof message === "string" ? message : "The handler failed",
    isRecord(data) ? data : undefined,
    { cause: error },
  );
}

/** The text of a function is its source, which is nobody's business. */
function nameOf(thrown: unknown): string {
  switch (typeof thrown) {
    case "function":
    case "symbol":
    case "bigint":
      return `a ${typeof thrown}`;
    default:
      return String(thrown);
  }
}

function factoryFor(error: object, name: unknown): ErrorFactory {
  const known = byCode(error) ?? FACTORIES_BY_NAME.get(name);
  if (known !== undefined) return known;
  // `fetch` fails with a `TypeError` whose cause says what happened.
  const cause = name === "TypeError" ? byCode(read(error, "cause")) : undefined;
  return cause ?? internalError;
}

/** System errors of Node and Bun say what they are in `code`. */
function byCode(error: unknown): ErrorFactory | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  return FACTORIES_BY_CODE.get(read(error, "code"));
}

function wrap(
  factory: ErrorFactory,
  message: string,
  cause: unknown,
  data?: ErrorData,
): McpError {
  return factory(clean(message), data, { cause });
}

/** An error of the official SDK, or of another copy of this module. */
function foreign(code: number, message: string, thrown: object): McpError {
  const data = read(thrown, "data");
  const kept = isRecord(data) ? data : undefined;
  return new McpError(code, clean(message), kept, { cause: thrown });
}

function invalid(issues: readonly Issue[], thrown: object): McpError {
  const listed = issues.slice(0, MAX_ISSUES).map((issue) => ({
    path: issuePath(issue),
    message: clean(issue.message),
  }));
  const text = issuesText(issues) || "The value is not valid";
  return wrap(validationError, text, thrown, { issues: listed });
}

/** What zod and the other Standard Schema libraries throw. */
function issuesOf(error: object): readonly Issue[] | undefined {
  const issues = read(error, "issues");
  if (!Array.isArray(issues)) return undefined;
  const wellFormed = issues.every((issue: unknown) =>
    typeof issue === "object" && issue !== null &&
    typeof read(issue, "message") === "string"
  );
  return wellFormed ? issues as readonly Issue[] : undefined;
}

/** Also true for errors of another realm, and for `ZodError` of zod 4's core. */
function isError(value: object): boolean {
  return value instanceof Error ||
    Object.prototype.toString.call(value) === "[object Error]" ||
    issuesOf(value) !== undefined;
}

function clean(message: string): string {
  const kept = message.length <= MAX_MESSAGE
    ? message
    : `${message.slice(0, MAX_MESSAGE)}… [${message.length} characters]`;
  return maskText(kept.toWellFormed()).trim() || "The handler failed";
}

function isRecord(value: unknown): value is ErrorData {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(value: object, key: string): unknown {
  return Reflect.get(value, key);
}

function table(
  ...rows: [ErrorFactory, ...string[]][]
): ReadonlyMap<unknown, ErrorFactory> {
  return new Map(
    rows.flatMap(([factory, ...keys]) => keys.map((key) => [key, factory])),
  );
}

/** By `name`: `Deno.errors.*` and the names of `DOMException`. */
const FACTORIES_BY_NAME: ReadonlyMap<unknown, ErrorFactory> = table(
  [timeout, "TimeoutError", "AbortError", "TimedOut"],
  [notFound, "NotFound", "NotFoundError"],
  [forbidden, "PermissionDenied", "NotCapable", "NotAllowedError"],
  [forbidden, "SecurityError"],
  [conflict, "AlreadyExists"],
  [
    serviceUnavailable,
    "AddrNotAvailable",
    "BrokenPipe",
    "Busy",
    "ConnectionAborted",
    "ConnectionRefused",
    "ConnectionReset",
    "NetworkError",
    "NetworkUnreachable",
    "NotConnected",
  ],
  [serializationError, "DataCloneError"],
);

/** By `code`: the system errors of Node and Bun, and those of undici. */
const FACTORIES_BY_CODE: ReadonlyMap<unknown, ErrorFactory> = table(
  [notFound, "ENOENT"],
  [forbidden, "EACCES", "EPERM"],
  [conflict, "EEXIST"],
  [
    timeout,
    "ETIMEDOUT",
    "ESOCKETTIMEDOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_CONNECT_TIMEOUT",
    "UND_ERR_HEADERS_TIMEOUT",
  ],
  [
    serviceUnavailable,
    "EAI_AGAIN",
    "EBUSY",
    "ECONNABORTED",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOTFOUND",
    "EPIPE",
    "UND_ERR_SOCKET",
  ],
);
