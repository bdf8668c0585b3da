import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { createLists, type ListMethod } from "./lists.ts";

/**
 * The JSON of one page of a list, which the first look at it prepares.
 *
 * @throws {WireError} -32601 where nothing of the kind is served; -32602 for
 * a cursor that is not one of the list's.
 */
export function listPage(
  engine: Engine,
  exchange: Exchange,
  method: ListMethod,
  cursor: unknown,
): string | Promise<string> {
  engine.lists ??= createLists(engine.catalog, engine.listOptions);
  return engine.lists.page(exchange, method, cursor);
}
