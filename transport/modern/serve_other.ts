import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import { isHandlerMethod } from "../run/call.ts";
import { findHandler } from "../run/find_handler.ts";
import type { CallAnswer } from "../run/handler_call.ts";
import { runReceived } from "../run/run_received.ts";
import { serveCatalog } from "../run/serve_catalog.ts";

/**
 * Answers what is no call of a tool: prompts, resources, lists and completions.
 *
 * @returns The JSON of the result, or questions to be sealed.
 * @throws {WireError} When the answer is an error.
 */
export function serveOther(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): CallAnswer | Promise<CallAnswer> {
  const { method } = exchange;
  if (isHandlerMethod(method)) {
    const call = findHandler(engine, exchange, method, params);
    return runReceived(engine, exchange, params, call);
  }
  return serveCatalog(engine, exchange, params);
}
