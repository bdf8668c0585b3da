import type { Attributes } from "@opentelemetry/api";
import type { Exchange } from "../exchange.ts";
import type { HandlerCall } from "../run/handler_call.ts";
import { WireError } from "../json_rpc.ts";
import type { Suspension } from "../run/round.ts";

/** What comes from a client is cut at this length. */
const MAX_TEXT = 1024;

/**
 * What the OpenTelemetry conventions for MCP tell calls apart by: few values
 * each, so that they serve measures too.
 */
export function callAttributes(
  { method, caller: { version }, port }: Exchange,
  { name }: HandlerCall,
): Attributes {
  const attributes: Attributes = { "mcp.method.name": method };
  if (method === "tools/call") {
    attributes["gen_ai.tool.name"] = name;
    attributes["gen_ai.operation.name"] = "execute_tool";
  } else if (method === "prompts/get") {
    attributes["gen_ai.prompt.name"] = name;
  }
  if (version !== undefined) attributes["mcp.protocol.version"] = version;
  if (port?.transport === "stdio") {
    attributes["network.transport"] = "pipe";
  } else {
    attributes["network.transport"] = "tcp";
    attributes["network.protocol.name"] = "http";
  }
  return attributes;
}

/** What belongs to one request alone, for its span. */
export function requestAttributes(exchange: Exchange): Attributes {
  const { rpcId, method, target, sessionId, requestId } = exchange;
  const attributes: Attributes = { "parley.request.id": requestId };
  if (rpcId !== undefined) {
    attributes["jsonrpc.request.id"] = String(rpcId).slice(0, MAX_TEXT);
  }
  if (method === "resources/read") {
    attributes["mcp.resource.uri"] = target.slice(0, MAX_TEXT);
  }
  if (sessionId !== undefined) attributes["mcp.session.id"] = sessionId;
  return attributes;
}

/** What is said of how a run ended. */
export function outcomeAttributes({ error, suspended }: Outcome): Attributes {
  const attributes: Attributes = {};
  if (suspended) attributes["parley.input_required"] = true;
  if (error === undefined) return attributes;
  attributes["error.type"] = error.type;
  if (error.code !== undefined) {
    attributes["rpc.response.status_code"] = error.code;
  }
  return attributes;
}

/** How a run of a handler ended. */
export interface Outcome {
  /** What went wrong; `undefined` when nothing did. */
  readonly error: OutcomeError | undefined;
  /** Whether it waits for input, which is no error. */
  readonly suspended: boolean;
  /** The result; `undefined` when there is none. */
  readonly result: string | undefined;
}

/** What went wrong in a run of a handler. */
export interface OutcomeError {
  /** `error.type`: the code of a JSON-RPC error, or what else it was. */
  readonly type: string;
  /** The code of a JSON-RPC error. */
  readonly code: string | undefined;
  /** What the client is told. */
  readonly message: string;
  /** What was thrown, where it was a fault of the server. */
  readonly fault: unknown;
}

/** Tells how a run ended from what it gave. */
export function outcomeOf(
  { failure, cancelled }: Exchange,
  answer: string | Suspension,
): Outcome {
  if (typeof answer !== "string") {
    return { error: undefined, suspended: true, result: undefined };
  }
  if (failure === undefined) {
    return { error: undefined, suspended: false, result: answer };
  }
  const { message, fault } = failure;
  const type = cancelled ? "cancelled" : "tool_error";
  const error = { type, code: undefined, message, fault };
  return { error, suspended: false, result: answer };
}

/** Tells how a run ended that threw. */
export function outcomeOfThrown(
  { failure, cancelled }: Exchange,
  thrown: unknown,
): Outcome {
  const code = thrown instanceof WireError ? String(thrown.code) : undefined;
  return {
    error: {
      type: cancelled ? "cancelled" : code ?? "_OTHER",
      code,
      message: thrown instanceof WireError ? thrown.message : "Internal error",
      fault: code === undefined ? thrown : failure?.fault,
    },
    suspended: false,
    result: undefined,
  };
}
