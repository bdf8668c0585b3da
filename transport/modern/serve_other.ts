import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { type JsonObject, methodNotFound } from "../json_rpc.ts";
import { isHandlerMethod } from "../run/call.ts";
import { complete } from "../run/complete.ts";
import { findHandler } from "../run/find_handler.ts";
import { listPage } from "../run/list_page.ts";
import type { CallAnswer } from "../run/handler_call.ts";
import { runReceived } from "../run/run_received.ts";

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
  switch (method) {
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list":
      return listPage(engine, exchange, method, params.cursor);
    case "completion/complete":
      if (!engine.catalog.completes) break;
      return complete(engine, exchange, params);
  }
  throw methodNotFound(method);
}
