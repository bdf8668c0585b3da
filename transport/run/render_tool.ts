import type { CallToolResult, ContentBlock } from "../../types.ts";
import type { CallContext } from "../../context/call_context.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { internalError, serializationError } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import { renderTrailer } from "./enrichment.ts";
import type { Failure } from "./failure.ts";

/** The JSON of what a tool returned. @throws {McpError} When it is no result. */
export async function renderToolResult(
  engine: Engine,
  exchange: Exchange,
  tool: CompiledTool,
  ctx: CallContext,
  returned: unknown,
): Promise<string> {
  const { validateOutput } = tool;
  if (validateOutput === undefined) {
    const { content, ...rest } = toCallToolResult(tool, returned);
    const blocks = [
      ...ctx.blocks ?? [],
      ...content,
      ...renderTrailer(ctx.enrichment),
    ];
    return toolResult(engine, exchange, json(blocks, tool), rest);
  }
  const outcome = await validateOutput(returned);
  if (outcome.issues !== undefined) {
    throw internalError(
      `The output of tool "${tool.name}" does not match its schema: ${
        issuesText(outcome.issues)
      }`,
    );
  }
  const value = tool.enrichment === undefined
    ? outcome.value
    : await enriched(tool, ctx, outcome.value);
  const structured = json(value, tool);
  const { format } = tool.definition;
  const plain = format === undefined && ctx.blocks === undefined &&
    ctx.enrichment === undefined;
  // The usual case: the JSON text once as structure and once as text.
  const content = plain
    ? `[{"type":"text","text":${JSON.stringify(structured)}}]`
    : json(
      [
        ...ctx.blocks ?? [],
        ...formatted(format, outcome.value, tool),
        ...renderTrailer(ctx.enrichment, tool.enrichment),
      ],
      tool,
    );
  const meta = exchange.era === "modern" ? engine.texts.meta : "";
  const type = exchange.era === "modern" ? '"resultType":"complete",' : "";
  const structure = exchange.era === "modern" || isObject(value)
    ? `,"structuredContent":${structured}`
    : "";
  return `{${type}"content":${content}${structure}${meta}}`;
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
    tool.validateOutput !== undefined;
  return toolResult(
    engine,
    exchange,
    JSON.stringify([{ type: "text", text }]),
    {
      isError: true,
      ...(hidden
        ? { _meta: { "parley/error": error } }
        : { structuredContent: { error } }),
    },
  );
}

function toolResult(
  engine: Engine,
  exchange: Exchange,
  content: string,
  rest: JsonObject,
): string {
  if (exchange.era === "legacy") {
    const { resultType: _, ...members } = rest;
    return `{"content":${content}${membersText(members)}}`;
  }
  const { _meta, resultType: _, ...members } = rest;
  const meta = isObject(_meta)
    ? `,"_meta":${
      JSON.stringify({
        ...JSON.parse(`{${engine.texts.meta.slice(1)}}`)._meta,
        ..._meta,
      })
    }`
    : engine.texts.meta;
  return `{"resultType":"complete","content":${content}${
    membersText(members)
  }${meta}}`;
}

function membersText(members: JsonObject): string {
  const text = JSON.stringify(members);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

function toCallToolResult(
  tool: CompiledTool,
  returned: unknown,
): JsonObject & { content: readonly ContentBlock[] } {
  if (returned === undefined || returned === null) return { content: [] };
  if (typeof returned === "string") {
    return { content: [{ type: "text", text: returned }] };
  }
  if (Array.isArray(returned) && returned.every(isBlock)) {
    return { content: returned };
  }
  if (isBlock(returned)) return { content: [returned] };
  if (isObject(returned) && Array.isArray(returned.content)) {
    return returned as JsonObject & CallToolResult;
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

function isBlock(value: unknown): value is ContentBlock {
  return isObject(value) && typeof value.type === "string" &&
    !("content" in value);
}

function formatted(
  format: ((output: never) => string | readonly ContentBlock[]) | undefined,
  value: unknown,
  tool: CompiledTool,
): readonly ContentBlock[] {
  const blocks = format === undefined
    ? json(value, tool)
    : format(value as never);
  return typeof blocks === "string" ? [{ type: "text", text: blocks }] : blocks;
}

/** Adds the declared enrichment to the output, each field checked. */
async function enriched(
  tool: CompiledTool,
  ctx: CallContext,
  value: unknown,
): Promise<unknown> {
  const result: JsonObject = { ...value as JsonObject };
  for (const [field, validate] of tool.enrichment ?? []) {
    const outcome = await validate(ctx.enrichment?.fields.get(field));
    if (outcome.issues !== undefined) {
      throw internalError(
        `The enrichment "${field}" of tool "${tool.name}" does not match its schema: ${
          issuesText(outcome.issues)
        }`,
      );
    }
    if (outcome.value !== undefined) result[field] = outcome.value;
  }
  return result;
}

function json(value: unknown, tool: CompiledTool): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw serializationError(
      `The result of tool "${tool.name}" cannot be carried as JSON`,
      undefined,
      { cause },
    );
  }
  throw serializationError(
    `The result of tool "${tool.name}" cannot be carried as JSON`,
  );
}
