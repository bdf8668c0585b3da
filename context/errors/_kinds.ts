/**
 * Which kind of error the names and codes of foreign errors stand for.
 *
 * @module
 */

import {
  conflict,
  type ErrorFactory,
  forbidden,
  notFound,
  serializationError,
  serviceUnavailable,
  timeout,
} from "../../errors.ts";

function table(
  ...rows: [ErrorFactory, ...string[]][]
): ReadonlyMap<unknown, ErrorFactory> {
  return new Map(
    rows.flatMap(([factory, ...keys]) => keys.map((key) => [key, factory])),
  );
}

/** By `name`: `Deno.errors.*` and the names of `DOMException`. */
export const FACTORIES_BY_NAME: ReadonlyMap<unknown, ErrorFactory> = table(
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
export const FACTORIES_BY_CODE: ReadonlyMap<unknown, ErrorFactory> = table(
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
