import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { type JsonObject, methodNotFound } from "../json_rpc.ts";
import {
  accounted,
  findTool,
  type HandlerMethod,
  objectParam,
  stringParam,
  unknownName,
} from "./call.ts";
import { complete } from "./complete.ts";
import type { HandlerCall } from "./handler_call.ts";
import { createLists } from "./lists.ts";
import { runPrompt } from "./run_prompt.ts";
import { findResource, resourceNotFound, runResource } from "./run_resource.ts";

/**
 * Finds the handler a request names, and takes note of it in the exchange.
 *
 * @throws {WireError} When it names none, or is malformed.
 */
export function findHandler(
  engine: Engine,
  exchange: Exchange,
  method: HandlerMethod,
  params: JsonObject,
): HandlerCall {
  if (method === "tools/call") return findTool(engine, exchange, params);
  const call = method === "prompts/get"
    ? findPrompt(engine, exchange, params)
    : findRead(engine, exchange, params);
  return accounted(engine, exchange, params, call);
}

function findPrompt(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): HandlerCall {
  const name = stringParam(params, "name");
  const prompt = engine.catalog.prompts.get(name);
  if (prompt === undefined) {
    throw unknownName(exchange, `Unknown prompt: ${name}`);
  }
  const args = objectParam(params, "arguments");
  exchange.target = name;
  exchange.args = args;
  exchange.contract = prompt.contract;
  return {
    name,
    args,
    scopes: prompt.scopes,
    run: () => runPrompt(engine, exchange, prompt, args),
  };
}

function findRead(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): HandlerCall {
  const uri = stringParam(params, "uri");
  exchange.target = uri;
  const match = findResource(engine, uri);
  if (match === undefined) throw resourceNotFound(exchange, uri);
  exchange.uri = URL.parse(uri) ?? undefined;
  exchange.contract = match.resource.contract;
  const { definition } = match.resource;
  return {
    name: definition.name ?? definition.uri,
    args: {},
    scopes: match.resource.scopes,
    run: () => runResource(engine, exchange, match),
  };
}

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
