import { isLogLevel, LOG_LEVELS } from "../../context/log/levels.ts";
import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import {
  isObject,
  type JsonObject,
  methodNotFound,
  WireError,
} from "../json_rpc.ts";
import { readProgressToken } from "../modern/envelope.ts";
import { isHandlerMethod } from "../run/call.ts";
import { complete } from "../run/complete.ts";
import { findHandler } from "../run/find_handler.ts";
import { listPage } from "../run/list_page.ts";
import type { LegacyPeer } from "./peer.ts";
import { runLegacy } from "./shim.ts";

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
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list":
      return listPage(engine, exchange, method, params.cursor);
    case "completion/complete":
      if (!engine.catalog.completes) break;
      return complete(engine, exchange, params);
    case "logging/setLevel":
      return setLogLevel(peer, params.level);
    case "resources/subscribe":
      return peer.subscribe(uriOf(params)).then(() => EMPTY);
    case "resources/unsubscribe":
      return peer.unsubscribe(uriOf(params)).then(() => EMPTY);
  }
  throw methodNotFound(method);
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
