import { isLogLevel, LOG_LEVELS } from "../../context/log/levels.ts";
import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { isImplementation, readProgressToken } from "../modern/envelope.ts";
import { isHandlerMethod } from "../run/call.ts";
import { findHandler, serveCatalog } from "../run/requests.ts";
import type { LegacyPeer } from "./peer.ts";
import { runLegacy } from "./shim.ts";
import type { ClientCapabilities, Implementation } from "../../types.ts";
import { LEGACY_VERSIONS } from "../protocol.ts";

/** The empty result, exactly. */
const EMPTY = "{}";

/**
 * Answers one request of the 2025 era, whatever it came by. `initialize` is
 * for the transport, which knows what it begins.
 *
 * @returns The JSON of the result.
 * @throws {WireError} When the answer is an error.
 */
export function serveLegacy(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  peer: LegacyPeer,
): Promise<string> | string {
  const { method } = exchange;
  if (isHandlerMethod(method)) {
    const call = findHandler(engine, exchange, method, params);
    return runLegacy(engine, exchange, params, call, peer);
  }
  switch (method) {
    case "ping":
      return EMPTY;
    case "logging/setLevel":
      return setLogLevel(peer, params.level);
    case "resources/subscribe":
      return peer.subscribe(uriOf(params)).then(() => EMPTY);
    case "resources/unsubscribe":
      return peer.unsubscribe(uriOf(params)).then(() => EMPTY);
    default:
      return serveCatalog(engine, exchange, params);
  }
}

/**
 * Gives the params of a request as an object.
 *
 * @throws {WireError} -32602 when they are something else.
 */
export function readParams(params: unknown): JsonObject {
  if (params === undefined) return {};
  if (isObject(params)) return params;
  throw invalid("params must be an object");
}

/**
 * Reads the progress token of a request.
 *
 * @throws {WireError} -32602 when it is neither a string nor an integer.
 */
export function progressTokenOf(
  params: JsonObject,
): string | number | undefined {
  const { _meta } = params;
  return isObject(_meta) ? readProgressToken(_meta) : undefined;
}

async function setLogLevel(peer: LegacyPeer, level: unknown): Promise<string> {
  if (!isLogLevel(level)) {
    throw invalid(`level must be one of ${LOG_LEVELS.join(", ")}`);
  }
  await peer.setLogLevel(level);
  return EMPTY;
}

function uriOf({ uri }: JsonObject): string {
  if (typeof uri === "string" && URL.canParse(uri)) return uri;
  throw invalid("uri must be a URI");
}

function invalid(what: string): WireError {
  return new WireError(ErrorCode.InvalidParams, `Invalid params: ${what}`);
}

/** What a client said of itself when it began. */
export interface LegacyClient {
  /** The revision that was negotiated. */
  readonly version: string;
  /** What it can do. */
  readonly capabilities: ClientCapabilities;
  /** Who it says it is. */
  readonly info: Implementation | undefined;
}

/**
 * Reads the params of `initialize` (2025-11-25, basic, lifecycle), and settles
 * on a revision: the one asked for, or else the newest one that begins so.
 *
 * @throws {WireError} -32602 naming the field that is missing or malformed.
 */
export function readInitialize(params: JsonObject): LegacyClient {
  const { protocolVersion, capabilities = {}, clientInfo } = params;
  if (typeof protocolVersion !== "string") {
    throw malformed("protocolVersion", "a string");
  }
  if (!isObject(capabilities)) throw malformed("capabilities", "an object");
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    throw malformed("clientInfo", "an object with name and version");
  }
  return {
    version: LEGACY_VERSIONS.includes(protocolVersion)
      ? protocolVersion
      : LEGACY_VERSIONS[0]!,
    capabilities: normalized(capabilities),
    info: clientInfo,
  };
}

/** Elicitation had no modes at first: the bare capability means forms. */
function normalized(capabilities: JsonObject): ClientCapabilities {
  const { elicitation } = capabilities;
  if (
    !isObject(elicitation) || "form" in elicitation || "url" in elicitation
  ) {
    return capabilities as ClientCapabilities;
  }
  return { ...capabilities, elicitation: { ...elicitation, form: {} } };
}

function malformed(field: string, wanted: string): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    `Malformed request: ${field} must be ${wanted}`,
    { field },
  );
}

/**
 * Writes the result of `initialize`.
 *
 * @param listens Whether the client has a stream on which it can hear of
 * changes.
 */
export function initializeResult(
  engine: Engine,
  version: string,
  listens: boolean,
): string {
  const { tools, prompts, resources, templates, completes } = engine.catalog;
  const changes = listens ? { listChanged: true } : {};
  return JSON.stringify({
    protocolVersion: version,
    capabilities: {
      tools: tools.size > 0 ? changes : undefined,
      prompts: prompts.size > 0 ? changes : undefined,
      resources: resources.size + templates.length > 0
        ? { ...changes, ...(listens && { subscribe: true }) }
        : undefined,
      completions: completes ? {} : undefined,
      logging: {},
    },
    serverInfo: engine.info,
    instructions: engine.instructions,
  });
}
