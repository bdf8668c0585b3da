import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { type JsonObject, methodNotFound } from "../json_rpc.ts";
import { complete } from "./complete.ts";
import { createLists } from "./lists.ts";

/**
 * Answers what both eras ask of a catalog besides running its handlers: lists
 * and completions.
 *
 * @returns The JSON of the result.
 * @throws {WireError} -32601 for any other method, and where nothing of the
 * kind is served; -32602 for what is malformed.
 */
export function serveCatalog(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): string | Promise<string> {
  const { method } = exchange;
  switch (method) {
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list":
      // Made with the first list that is asked for.
      engine.lists ??= createLists(engine.catalog, engine.listOptions);
      return engine.lists.page(exchange, method, params.cursor);
    case "completion/complete":
      if (engine.catalog.completes) return complete(engine, exchange, params);
  }
  throw methodNotFound(method);
}
