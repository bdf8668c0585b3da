import type { ContentBlock } from "../../types.ts";
import type { CallContext } from "../../context/call_context.ts";
import { internalError } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import {
  isContentBlock,
  resultText,
  structuredText,
  tailText,
  toolJson,
} from "./result_text.ts";
import type { EnrichKind, EnrichmentStore } from "../../context/collected.ts";
import { issuesText } from "../../context/errors/issues.ts";

/** The JSON of an output that is formatted, enriched, or has blocks beside it. */
export function renderRich(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  output: unknown,
): string | Promise<string> {
  if (tool.enrichment === undefined) {
    return renderValue(engine, exchange, tool, ctx, output);
  }
  return checkEnrichment(tool, ctx.enrichment).then((enrichment) =>
    renderValue(engine, exchange, tool, ctx, output, enrichment)
  );
}

function renderValue(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  output: unknown,
  enrichment?: Enrichment,
): string {
  const value = enrichment === undefined
    ? output
    : { ...output as JsonObject, ...Object.fromEntries(enrichment.fields) };
  // As it stands in the text, so that both are the same value.
  const structured = toolJson(value, tool);
  const content = toolJson(
    [
      ...collected(ctx, tool),
      ...formatted(tool.definition.format, output, tool),
      ...enrichment?.trailer() ?? [],
    ],
    tool,
  );
  return structuredText(engine, exchange, content, value, structured);
}

/** The JSON of content, where no output is declared. */
export function renderContent(
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
  enrichment?: Enrichment,
): string {
  if (enrichment !== undefined && enrichment.fields.size > 0) {
    const { structuredContent: own } = rest;
    rest.structuredContent = {
      ...(isObject(own) && own),
      ...Object.fromEntries(enrichment.fields),
    };
  }
  // First, so that what the trailer shows is known to be JSON.
  const tail = tailText(engine, exchange, tool, rest);
  const blocks = [
    ...collected(ctx, tool),
    ...content,
    ...enrichment?.trailer() ?? [],
  ];
  return resultText(exchange, toolJson(blocks, tool), tail);
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
      content: [{
        type: "text",
        text: toolJson(returned.structuredContent, tool),
      }],
    };
  }
  throw internalError(
    `Tool "${tool.name}" returned neither text, content blocks nor a result; declare an output schema to return other values`,
  );
}

/** The blocks that were put into `ctx.content`. */
function collected(
  { blocks = [] }: CallContext,
  tool: CompiledTool,
): readonly ContentBlock[] {
  if (blocks.every(isContentBlock)) return blocks;
  throw internalError(
    `Tool "${tool.name}" put something into ctx.content that is no content block; images and audio take Base64 text`,
  );
}

function formatted(
  format: ((output: never) => string | readonly ContentBlock[]) | undefined,
  value: unknown,
  tool: CompiledTool,
): readonly ContentBlock[] {
  const blocks = format === undefined
    ? toolJson(value, tool)
    : format(value as never);
  if (typeof blocks === "string") return [{ type: "text", text: blocks }];
  if (Array.isArray(blocks) && blocks.every(isContentBlock)) return blocks;
  throw internalError(
    `The format of tool "${tool.name}" gave neither text nor content blocks`,
  );
}

/** What a handler enriched its result with, checked. */
interface Enrichment {
  /** The declared fields that have a value. */
  readonly fields: ReadonlyMap<string, unknown>;
  /**
   * Writes them as a text block, one field a line, in the order the handler
   * wrote them; notices come last, because a quote would take in the line that
   * follows it. No block when there is no field.
   */
  trailer(): readonly ContentBlock[];
}

/**
 * Checks what a handler enriched its result with. Fields that the tool does
 * not declare are left out.
 *
 * @throws {McpError} When a field does not match its schema.
 */
async function checkEnrichment(
  { name, enrichment }: CompiledTool,
  store: EnrichmentStore | undefined,
): Promise<Enrichment> {
  const checked = new Map<string, unknown>();
  for (const [field, validate] of enrichment ?? []) {
    const outcome = await validate(store?.fields.get(field));
    if (outcome.issues !== undefined) {
      throw internalError(
        `The enrichment "${field}" of tool "${name}" does not match its schema: ${
          issuesText(outcome.issues)
        }`,
      );
    }
    if (outcome.value !== undefined) checked.set(field, outcome.value);
  }
  return { fields: checked, trailer: () => renderTrailer(checked, store) };
}

function renderTrailer(
  checked: ReadonlyMap<string, unknown>,
  store: EnrichmentStore | undefined,
): readonly ContentBlock[] {
  if (checked.size === 0) return [];
  const lines: string[] = [];
  const notices: string[] = [];
  const written = store === undefined ? [] : store.fields.keys();
  for (const field of new Set([...written, ...checked.keys()])) {
    if (!checked.has(field)) continue;
    const kind = store?.kinds.get(field);
    const line = oneLine(renderField(field, checked.get(field), kind));
    (kind === "notice" ? notices : lines).push(line);
  }
  return [{ type: "text", text: [...lines, ...notices].join("\n") }];
}

function renderField(
  field: string,
  value: unknown,
  kind: EnrichKind | undefined,
): string {
  switch (kind) {
    case "notice":
      return `> ${plain(value)}`;
    case "total":
      return `${plain(value)} total`;
    case "echo":
      return `Query: ${plain(value)}`;
    case "delta":
      if (isObject(value)) {
        return `${field}: ${plain(value.before)} → ${plain(value.after)}`;
      }
  }
  return `**${field}:** ${plain(value)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
