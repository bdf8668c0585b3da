import { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { invalidParams } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { failureOf, rethrowProtocolError } from "./failure.ts";
import { renderToolFailure, renderToolResult } from "./render_tool.ts";
import { runHandler, Suspension } from "./round.ts";

/**
 * Runs a tool once (2026-07-28, server, tools).
 *
 * @returns The JSON of its result, failures included, or its questions.
 * @throws {WireError} When the protocol itself forbids the answer.
 */
export async function runTool(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  args: unknown,
): Promise<string | Suspension> {
  const ctx = new CallContext(exchange);
  try {
    let input = args;
    if (tool.validateInput !== undefined) {
      let outcome = tool.validateInput(args);
      if (outcome instanceof Promise) outcome = await outcome;
      if (outcome.issues !== undefined) {
        throw invalidParams(
          `Invalid arguments for tool "${tool.name}": ${
            issuesText(outcome.issues)
          }`,
          { reason: "invalid_arguments" },
        );
      }
      input = outcome.value;
    }
    // A step that is done at once is not waited for.
    let returned = runHandler(tool.handler, input, ctx, exchange);
    if (returned instanceof Promise) returned = await returned;
    if (returned instanceof Suspension) return returned;
    const text = renderToolResult(engine, exchange, tool, ctx, returned);
    return typeof text === "string" ? text : await text;
  } catch (thrown) {
    rethrowProtocolError(exchange, thrown, tool.scopes);
    return renderToolFailure(
      engine,
      exchange,
      tool,
      failureOf(exchange, thrown),
    );
  }
}
