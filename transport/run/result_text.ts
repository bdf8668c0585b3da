import { type McpError, serializationError } from "../../errors.ts";
import type { ContentBlock, PromptMessage } from "../../types.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, wellFormed } from "../json_rpc.ts";

/**
 * The JSON of something a handler returned.
 *
 * @param owner Whose result it is, for the error.
 * @throws {McpError} `serializationError` when it cannot be carried as JSON.
 */
export function jsonOf(value: unknown, owner: string): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw notJson(owner, cause);
  }
  throw notJson(owner);
}

/** The error of a result that cannot be carried as JSON. */
export function notJson(owner: string, cause?: unknown): McpError {
  const message = `The result of ${owner} cannot be carried as JSON`;
  return serializationError(message, undefined, { cause });
}

/**
 * The `_meta` member of a 2026-07-28 result, with its leading comma: who
 * serves it, and what the handler's own result says there.
 *
 * @throws {McpError} `serializationError` when that cannot be carried as JSON.
 */
export function metaText(
  { texts }: Engine,
  own: unknown,
  owner: string,
): string {
  if (!isObject(own)) return texts.meta;
  const { _meta } = JSON.parse(`{${texts.meta.slice(1)}}`);
  return `,"_meta":${jsonOf({ ..._meta, ...own }, owner)}`;
}

/**
 * The JSON of what a tool answers with a structure.
 *
 * @param structured The JSON of `value`.
 */
export function structuredText(
  engine: Engine,
  exchange: Exchange,
  content: string,
  value: unknown,
  structured: string,
): string {
  // Before 2026-07-28 the structured result had to be an object.
  const structure = exchange.era === "modern" || isObject(value)
    ? `,"structuredContent":${structured}`
    : "";
  const meta = exchange.era === "modern" ? engine.texts.meta : "";
  return resultText(exchange, content, structure + meta);
}

/** The JSON of what a tool answers. @param tail The members behind the content. */
export function resultText(
  { era }: Exchange,
  content: string,
  tail: string,
): string {
  const type = era === "modern" ? '"resultType":"complete",' : "";
  return `{${type}"content":${content}${tail}}`;
}

/** The members behind the content of a tool, each with its leading comma. */
export function tailText(
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
  const text = toolJson(members, tool);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

/**
 * The JSON of something a tool returned, as any client can decode it.
 *
 * @throws {McpError} `serializationError` when it cannot be carried as JSON.
 */
export function toolJson(value: unknown, tool: CompiledTool): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return wellFormed(text);
  } catch (cause) {
    throw notJson(`tool "${tool.name}"`, cause);
  }
  throw notJson(`tool "${tool.name}"`);
}

/** Whether a value is one block of content (2026-07-28, server, tools, tool result). */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value.type) {
    case "text":
      return typeof value.text === "string";
    case "image":
    case "audio":
      return typeof value.data === "string" &&
        typeof value.mimeType === "string";
    case "resource_link":
      return typeof value.uri === "string" && typeof value.name === "string";
    case "resource":
      return isResourceContents(value.resource);
    default:
      return false;
  }
}

/** Whether a value is the content of one resource: text, or bytes in Base64. */
export function isResourceContents(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string");
}

/** Whether a value is one message of a prompt (2026-07-28, server, prompts). */
export function isPromptMessage(value: unknown): value is PromptMessage {
  return isObject(value) &&
    (value.role === "user" || value.role === "assistant") &&
    isContentBlock(value.content);
}
