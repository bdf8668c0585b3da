import { type McpError, serializationError } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import { isObject } from "../json_rpc.ts";

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
