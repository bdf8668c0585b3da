import type { SchemaResult } from "../../types.ts";
import type { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { internalError } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import type { Failure } from "./failure.ts";
import {
  resultText,
  structuredText,
  tailText,
  toolJson,
} from "./result_text.ts";

/** The JSON of what a tool returned. @throws {McpError} When it is no result. */
export function renderToolResult(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  returned: unknown,
): string | Promise<string> {
  const { validateOutput } = tool;
  if (validateOutput === undefined) {
    return contents === undefined
      ? loadContents(engine, exchange, tool, ctx, returned)
      : contents.renderContent(engine, exchange, tool, ctx, returned);
  }
  const outcome = validateOutput(returned);
  return outcome instanceof Promise
    ? outcome.then((checked) =>
      renderOutput(engine, exchange, tool, ctx, checked)
    )
    : renderOutput(engine, exchange, tool, ctx, outcome);
}

function renderOutput(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  outcome: SchemaResult<unknown>,
): string | Promise<string> {
  if (outcome.issues !== undefined) {
    throw internalError(
      `The output of tool "${tool.name}" does not match its schema: ${
        issuesText(outcome.issues)
      }`,
    );
  }
  const { value } = outcome;
  const plain = tool.definition.format === undefined &&
    ctx.blocks === undefined && tool.enrichment === undefined;
  if (!plain) {
    return contents === undefined
      ? loadContents(engine, exchange, tool, ctx, value)
      : contents.renderRich(engine, exchange, tool, ctx, value);
  }
  // The usual case: the JSON text once as structure and once as text.
  const structured = toolJson(value, tool);
  const content = `[{"type":"text","text":${JSON.stringify(structured)}}]`;
  return structuredText(engine, exchange, content, value, structured);
}

// Loaded with the first result that is more than a value of its schema.
let contents: typeof import("./render_content.ts") | undefined;

async function loadContents(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  value: unknown,
): Promise<string> {
  contents ??= await import("./render_content.ts");
  const render = tool.validateOutput === undefined
    ? contents.renderContent
    : contents.renderRich;
  return await render(engine, exchange, tool, ctx, value);
}

/** The JSON of a failed call (2026-07-28, server, tools, error handling). */
export function renderToolFailure(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  failure: Failure,
): string {
  const { code, message, data, hint } = failure;
  const text = hint === undefined
    ? `Error: ${message}`
    : `Error: ${message}\nRecovery: ${hint}`;
  const error = { code, message, data };
  // Clients of the 2025 era hold failures against the output schema too.
  const hidden = exchange.era === "legacy" &&
    (tool.definition.output ?? tool.definition.outputSchema) !== undefined;
  const tail = tailText(engine, exchange, tool, {
    isError: true,
    ...(hidden
      ? { _meta: { "parley/error": error } }
      : { structuredContent: { error } }),
  });
  return resultText(
    exchange,
    toolJson([{ type: "text", text }], tool),
    tail,
  );
}
