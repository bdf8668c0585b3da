import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, WireError } from "../json_rpc.ts";
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
 * Finds the tool a request names, and takes note of it in the exchange.
 *
 * @throws {WireError} When it names none, or is malformed.
 */
export function findTool(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): HandlerCall {
  const name = stringParam(params, "name");
  const tool = engine.catalog.tools.get(name);
  if (tool === undefined) {
    throw unknownName(exchange, `Unknown tool: ${name}`);
  }
  const args = objectParam(params, "arguments");
  exchange.target = name;
  exchange.args = args;
  exchange.contract = tool.contract;
  const call = {
    name,
    args,
    scopes: tool.scopes,
    run: () => runTool(engine, exchange, tool, args),
  };
  return accounted(engine, exchange, params, call);
}

/** The same call, counted against the quota of its caller, and told of. */
export function accounted(
  { telemetry, limits }: Engine,
  exchange: Exchange,
  params: JsonObject,
  found: HandlerCall,
): HandlerCall {
  const call = limits.calls === undefined
    ? found
    : limits.calls(exchange.auth, found);
  if (telemetry === undefined) return call;
  return telemetry.instrument(exchange, call, params);
}

/** @throws {WireError} When the parameter is something else. */
export function stringParam(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw invalid(`Invalid params: ${name} must be a string`);
}

/** The parameter, or an empty object. @throws {WireError} When it is something else. */
export function objectParam(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw invalid(`Invalid params: ${name} must be an object`);
}

/** The error of a name that nothing is served under. */
export function unknownName(
  { requestId }: Exchange,
  message: string,
): WireError {
  return new WireError(ErrorCode.InvalidParams, message, { requestId });
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
