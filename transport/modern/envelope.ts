import type { ClientCapabilities, Implementation } from "../../types.ts";
import type { AuthContext } from "../../context/auth_context.ts";
import { isLogLevel } from "../../context/log/levels.ts";
import { ErrorCode } from "../../errors.ts";
import type { Caller } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { Meta } from "../protocol.ts";

/**
 * Who sends a 2026-07-28 request: what its envelope says (basic, per-request
 * protocol fields), and what the credentials say.
 */
export interface Envelope extends Caller {
  /** The revision the request is written in. */
  readonly version: string;
  /** The token for progress notifications. */
  readonly progressToken: string | number | undefined;
}

/** Whether `_meta` holds a field that only the modern envelope has. */
export function hasEnvelope(params: unknown): boolean {
  if (!isObject(params) || !isObject(params._meta)) return false;
  const meta = params._meta;
  return Meta.protocolVersion in meta || Meta.clientCapabilities in meta ||
    Meta.clientInfo in meta;
}

/**
 * Reads the envelope of a request.
 *
 * @param auth What the credentials say, where there are any.
 * @throws {WireError} -32602 with HTTP 400, naming the field that is missing or malformed.
 */
export function readEnvelope(
  params: unknown,
  auth?: AuthContext,
): Envelope {
  if (params !== undefined && !isObject(params)) {
    throw malformed("params", "an object");
  }
  const meta = params?._meta;
  if (!isObject(meta)) throw malformed("_meta", "an object");
  const version = meta[Meta.protocolVersion];
  if (typeof version !== "string") {
    throw malformed(Meta.protocolVersion, "a string");
  }
  const capabilities = meta[Meta.clientCapabilities];
  if (!isObject(capabilities)) {
    throw malformed(Meta.clientCapabilities, "an object");
  }
  checkCapabilities(capabilities);
  const clientInfo = meta[Meta.clientInfo];
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    throw malformed(Meta.clientInfo, "an object with name and version");
  }
  const logLevel = meta[Meta.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw malformed(Meta.logLevel, "a log level, such as info");
  }
  return {
    era: "modern",
    auth,
    tenantId: auth === undefined ? "default" : auth.tenantId,
    sessionId: undefined,
    clientCapabilities: capabilities as ClientCapabilities,
    clientInfo,
    logLevel,
    version,
    progressToken: readProgressToken(meta),
  };
}

/** Characters of a progress token, which every notification repeats. */
const MAX_TOKEN = 1_024;

/**
 * Reads the progress token of a request's `_meta`.
 *
 * @throws {WireError} -32602 when it is neither an integer nor a string of 1,024
 * characters at the most.
 */
export function readProgressToken(
  meta: JsonObject,
): string | number | undefined {
  const token = meta.progressToken;
  if (token === undefined || Number.isInteger(token)) {
    return token as number | undefined;
  }
  if (typeof token === "string" && token.length <= MAX_TOKEN) return token;
  throw malformed(
    "progressToken",
    `a string of at most ${MAX_TOKEN} characters or an integer`,
  );
}

/** Whether a value names an implementation and its version. */
export function isImplementation(value: unknown): value is Implementation {
  return isObject(value) && typeof value.name === "string" &&
    typeof value.version === "string";
}

const CAPABILITIES = new Set([
  "elicitation",
  "sampling",
  "roots",
  "experimental",
  "extensions",
]);

function checkCapabilities(capabilities: JsonObject): void {
  for (const name in capabilities) {
    if (CAPABILITIES.has(name) && !isObject(capabilities[name])) {
      throw malformed(`${Meta.clientCapabilities}.${name}`, "an object");
    }
  }
}

function malformed(field: string, wanted: string): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    `Malformed request: ${field} must be ${wanted}`,
    { field },
    400,
  );
}
