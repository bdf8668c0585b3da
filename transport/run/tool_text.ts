import type { CompiledTool } from "../catalog/compile_tool.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { isObject, type JsonObject, wellFormed } from "../json_rpc.ts";
import { metaText, notJson } from "./result_text.ts";

/**
 * The JSON of a result with a structure.
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

/** The JSON of a result. @param tail The members behind the content. */
export function resultText(
  { era }: Exchange,
  content: string,
  tail: string,
): string {
  const type = era === "modern" ? '"resultType":"complete",' : "";
  return `{${type}"content":${content}${tail}}`;
}

/** The members behind the content, each with its leading comma. */
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
  const text = json(members, tool);
  return text === "{}" ? "" : `,${text.slice(1, -1)}`;
}

/** JSON text that any client can decode. */
export function json(value: unknown, tool: CompiledTool): string {
  try {
    const text = JSON.stringify(value);
    if (text !== undefined) return wellFormed(text);
  } catch (cause) {
    throw notJson(`tool "${tool.name}"`, cause);
  }
  throw notJson(`tool "${tool.name}"`);
}
