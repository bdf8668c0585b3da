import type { ContentBlock, SchemaResult } from "../../types.ts";
import type { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { internalError } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, wellFormed } from "../json_rpc.ts";
import { isContentBlock } from "./content_block.ts";
import { checkEnrichment, renderTrailer } from "./enrichment.ts";
import type { Failure } from "./failure.ts";
import { metaText, notJson } from "./result_text.ts";

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
    return renderContent(engine, exchange, tool, ctx, returned);
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
  if (tool.enrichment === undefined) {
    return renderValue(engine, exchange, tool, ctx, value);
  }
  return checkEnrichment(tool, ctx.enrichment).then((enrichment) =>
    renderValue(engine, exchange, tool, ctx, value, enrichment)
  );
}

function renderValue(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  output: unknown,
  enrichment?: ReadonlyMap<string, unknown>,
): string {
  const value = enrichment === undefined
    ? output
    : { ...output as JsonObject, ...Object.fromEntries(enrichment) };
  // As it stands in the text, so that both are the same value.
  const structured = json(value, tool);
  const { format } = tool.definition;
  const plain = format === undefined && ctx.blocks === undefined &&
    enrichment === undefined;
  // The usual case: the JSON text once as structure and once as text.
  const content = plain
    ? `[{"type":"text","text":${JSON.stringify(structured)}}]`
    : json(
      [
        ...ctx.blocks ?? [],
        ...formatted(format, output, tool),
        ...renderTrailer(enrichment, ctx.enrichment),
      ],
      tool,
    );
  // Before 2026-07-28 the structured result had to be an object.
  const structure = exchange.era === "modern" || isObject(value)
    ? `,"structuredContent":${structured}`
    : "";
  const meta = exchange.era === "modern" ? engine.texts.meta : "";
  return resultText(exchange, content, structure + meta);
}

/** The JSON of content, where no output is declared. */
function renderContent(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  returned: unknown,
): string | Promise<string> {
  const result = toCallToolResult(tool, returned);
  const failed = result.isError === true;
  if (failed) {
    const message = "The tool answered with an error";
    exchange.failure = { message, fault: undefined };
  }
  // An enrichment is about a success.
  if (tool.enrichment === undefined || failed) {
    return renderBlocks(engine, exchange, tool, ctx, result);
  }
  return checkEnrichment(tool, ctx.enrichment).then((enrichment) =>
    renderBlocks(engine, exchange, tool, ctx, result, enrichment)
  );
}

function renderBlocks(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  { content, ...rest }: ContentResult,
  enrichment?: ReadonlyMap<string, unknown>,
): string {
  if (enrichment !== undefined && enrichment.size > 0) {
    const { structuredContent: own } = rest;
    rest.structuredContent = {
      ...(isObject(own) && own),
      ...Object.fromEntries(enrichment),
    };
  }
  // First, so that what the trailer shows is known to be JSON.
  const tail = tailText(engine, exchange, tool, rest);
  const blocks = [
    ...ctx.blocks ?? [],
    ...content,
    ...renderTrailer(enrichment, ctx.enrichment),
  ];
  return resultText(exchange, json(blocks, tool), tail);
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
    json([{ type: "text", text }], tool),
    tail,
  );
}

function resultText(
  { era }: Exchange,
  content: string,
  tail: string,
): string {
  const type = era === "modern" ? '"resultType":"complete",' : "";
  return `{${type}"content":${content}${tail}}`;
}

/** The members behind the content, each with its leading comma. */
function tailText(
  engine: Engine,
  { era }: Exchange,
  tool: CompiledTool,
  { resultType: _, ...rest }: JsonObject,
): string {
  if (era === "legacy") return membersText(rest, tool);
  const { _meta, ...members } = rest;
  return membersText(members, tool) +
    metaText(engine, _meta, `tool "${tool.name}"`);
}

function membersText(members: JsonObject, tool: CompiledTool): string {
  const text = json(members, tool);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

/** A result as the protocol has it, of which only the content is known. */
type ContentResult = JsonObject & { readonly content: readonly ContentBlock[] };

function toCallToolResult(
  tool: CompiledTool,
  returned: unknown,
): ContentResult {
  if (returned === undefined || returned === null) return { content: [] };
  if (typeof returned === "string") {
    return { content: [{ type: "text", text: returned }] };
  }
  if (Array.isArray(returned) && returned.every(isContentBlock)) {
    return { content: returned };
  }
  if (isContentBlock(returned)) return { content: [returned] };
  if (isObject(returned) && Array.isArray(returned.content)) {
    const { content } = returned;
    if (content.every(isContentBlock)) return { ...returned, content };
    throw internalError(
      `Tool "${tool.name}" returned content that is not made of content blocks`,
    );
  }
  if (isObject(returned) && "structuredContent" in returned) {
    return {
      ...returned,
      content: [{ type: "text", text: json(returned.structuredContent, tool) }],
    };
  }
  throw internalError(
    `Tool "${tool.name}" returned neither text, content blocks nor a result; declare an output schema to return other values`,
  );
}

function formatted(
  format: ((output: never) => string | readonly ContentBlock[]) | undefined,
  value: unknown,
  tool: CompiledTool,
): readonly ContentBlock[] {
  const blocks = format === undefined
    ? json(value, tool)
    : format(value as never);
  if (typeof blocks === "string") return [{ type: "text", text: blocks }];
  if (Array.isArray(blocks) && blocks.every(isContentBlock)) return blocks;
  throw internalError(
    `The format of tool "${tool.name}" gave neither text nor content blocks`,
  );
}

/** JSON text that any client can decode. */
function json(value: unknown, tool: CompiledTool): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return wellFormed(text);
  } catch (cause) {
    throw notJson(`tool "${tool.name}"`, cause);
  }
  throw notJson(`tool "${tool.name}"`);
}
