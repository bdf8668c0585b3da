import type { SchemaResult } from "../../types.ts";
import { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { invalidParams } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import type { CallAnswer } from "./handler_call.ts";
import { renderToolFailure, renderToolResult } from "./render_tool.ts";
import { runHandler, Suspension } from "./round.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/**
 * Runs a tool once (2026-07-28, server, tools). What is done at once is not
 * waited for: each promise would cost every call.
 *
 * @returns The JSON of its result, failures included, or its questions.
 * Rejects with a `WireError` when the protocol itself forbids the answer.
 */
export function runTool(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  args: unknown,
): CallAnswer | Promise<CallAnswer> {
  const ctx = new CallContext(exchange);
  const run = { engine, exchange, tool, ctx };
  try {
    const outcome = tool.validateInput?.(args);
    const answer = outcome instanceof Promise
      ? outcome.then((settled) => runValid(run, inputOf(tool, settled)))
      : runValid(run, outcome === undefined ? args : inputOf(tool, outcome));
    return answer instanceof Promise
      ? answer.catch((thrown) => failed(run, thrown))
      : answer;
  } catch (thrown) {
    try {
      return failed(run, thrown);
    } catch (error) {
      return Promise.reject(error);
    }
  }
}

/** One run of a tool. */
interface ToolRun {
  readonly engine: Engine;
  readonly exchange: Exchange;
  readonly tool: CompiledTool;
  readonly ctx: CallContext;
}

/** The arguments as the schema gives them. @throws {McpError} When it refuses them. */
function inputOf(tool: CompiledTool, outcome: SchemaResult<unknown>): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw invalidParams(
    `Invalid arguments for tool "${tool.name}": ${issuesText(outcome.issues)}`,
    { reason: "invalid_arguments" },
  );
}

function runValid(
  run: ToolRun,
  input: unknown,
): CallAnswer | Promise<CallAnswer> {
  const { exchange, tool, ctx } = run;
  const returned = runHandler(tool.handler, input, ctx, exchange);
  return returned instanceof Promise
    ? returned.then((settled) => render(run, settled))
    : render(run, returned);
}

function render(
  { engine, exchange, tool, ctx }: ToolRun,
  returned: unknown,
): CallAnswer | Promise<string> {
  if (returned instanceof Suspension) return returned;
  return renderToolResult(engine, exchange, tool, ctx, returned);
}

/** @throws {WireError} What no tool is to answer for. */
function failed(run: ToolRun, thrown: unknown): string | Promise<string> {
  if (failing === undefined) return failedFirst(run, thrown);
  const { engine, exchange, tool } = run;
  failing.rethrowProtocolError(exchange, thrown, tool.scopes);
  const failure = failing.failureOf(exchange, thrown);
  return renderToolFailure(engine, exchange, tool, failure);
}

async function failedFirst(run: ToolRun, thrown: unknown): Promise<string> {
  failing = await import("./failure.ts");
  return failed(run, thrown);
}
