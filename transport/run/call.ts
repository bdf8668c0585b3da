import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
import { findResource, resourceNotFound, runResource } from "./run_resource.ts";
import { runPrompt } from "./run_prompt.ts";
import { runTool } from "./run_tool.ts";
import type { HandlerCall } from "./handler_call.ts";

/** The methods that run a handler, and may ask for input. */
export type HandlerMethod = "tools/call" | "prompts/get" | "resources/read";

/** Whether a method runs a handler. */
export function isHandlerMethod(method: string): method is HandlerMethod {
  return method === "tools/call" || method === "prompts/get" ||
    method === "resources/read";
}

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
  const { telemetry, limits } = engine;
  const found = lookUp(engine, exchange, method, params);
  const call = limits.calls === undefined
    ? found
    : limits.calls(exchange.auth, found);
  if (telemetry === undefined) return call;
  return telemetry.instrument(exchange, call, params);
}

function lookUp(
  engine: Engine,
  exchange: Exchange,
  method: HandlerMethod,
  params: JsonObject,
): HandlerCall {
  switch (method) {
    case "tools/call":
      return findToolCall(engine, exchange, params);
    case "prompts/get":
      return findPromptCall(engine, exchange, params);
    case "resources/read":
      return findResourceCall(engine, exchange, params);
  }
}

function findToolCall(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): HandlerCall {
  const name = stringParam(params, "name");
  const tool = engine.catalog.tools.get(name);
  if (tool === undefined) throw unknown(exchange, `Unknown tool: ${name}`);
  const args = objectParam(params, "arguments");
  exchange.target = name;
  exchange.args = args;
  exchange.contract = tool.contract;
  return {
    name,
    args,
    scopes: tool.scopes,
    run: () => runTool(engine, exchange, tool, args),
  };
}

function findPromptCall(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): HandlerCall {
  const name = stringParam(params, "name");
  const prompt = engine.catalog.prompts.get(name);
  if (prompt === undefined) throw unknown(exchange, `Unknown prompt: ${name}`);
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

function findResourceCall(
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

function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw invalid(`Invalid params: ${name} must be a string`);
}

function objectParam(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw invalid(`Invalid params: ${name} must be an object`);
}

function unknown({ requestId }: Exchange, message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message, { requestId });
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
