import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import {
  isObject,
  type JsonObject,
  ScopeError,
  WireError,
} from "../json_rpc.ts";
import type { CallAnswer, HandlerCall } from "./handler_call.ts";
import { runTool } from "./run_tool.ts";

type Filtering = typeof import("../../input/filter_responses.ts");

// Loaded with the first retry.
let filtering: Filtering | undefined;

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

/**
 * Runs the handler of a request as it came in: with the answers and the state
 * that a retry brings, once they are opened.
 *
 * @throws {ScopeError} When the caller lacks the scopes of the definition.
 * @throws {WireError} When the state is not what this server sealed for it.
 */
export function runReceived(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): CallAnswer | Promise<CallAnswer> {
  checkScopes(engine, exchange, call.scopes);
  if (
    params.requestState === undefined && params.inputResponses === undefined
  ) {
    return call.run();
  }
  return filtering === undefined
    ? runFirstRetry(engine, exchange, params, call)
    : runRetry(filtering, engine, exchange, params, call);
}

function runFirstRetry(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): Promise<CallAnswer> {
  return engine.services.running.during(async () => {
    filtering = await import("../../input/filter_responses.ts");
    return await runRetry(filtering, engine, exchange, params, call);
  });
}

function runRetry(
  { filterResponses }: Filtering,
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): CallAnswer | Promise<CallAnswer> {
  function runWith(received: ReceivedInput): CallAnswer | Promise<CallAnswer> {
    exchange.received = received;
    exchange.answers = filterResponses(
      received.responses,
      exchange.clientCapabilities,
    );
    return call.run();
  }
  const received = engine.seal.open(exchange, params);
  return received instanceof Promise
    ? received.then(runWith)
    : runWith(received);
}

/**
 * Refuses a caller that lacks the scopes of a definition, where credentials
 * are checked at all.
 *
 * @param engine Says whether they are.
 * @param scopes What the definition needs; `undefined` when nothing.
 * @throws {ScopeError}
 */
export function checkScopes(
  engine: { readonly authenticates: boolean },
  exchange: Exchange,
  scopes: readonly string[] | undefined,
): void {
  if (scopes === undefined || !engine.authenticates) return;
  const granted = exchange.auth?.scopes ?? [];
  if (scopes.every((scope) => granted.includes(scope))) return;
  throw new ScopeError(scopes, exchange.requestId);
}

function invalid(message: string): WireError {
  return new WireError(ErrorCode.InvalidParams, message);
}
