import { isObject, type JsonObject } from "../json_rpc.ts";

/** Writes a value as a header that mirrors it (2026-07-28, value encoding). */
export function headerValue(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) &&
    !value.startsWith("=?base64?");
  if (isPlain) return value;
  const bytes = new TextEncoder().encode(value);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(binary.join(""))}?=`;
}

/**
 * The `Mcp-Param-*` headers of a call: the arguments that the tool's schema
 * marks with `x-mcp-header` (2026-07-28, server, tools).
 */
export function paramHeaders(
  schema: unknown,
  args: unknown,
): Record<string, string> {
  const headers: Record<string, string> = {};
  collect(schema, args, headers);
  return headers;
}

function collect(
  schema: unknown,
  value: unknown,
  headers: Record<string, string>,
): void {
  if (!isObject(schema) || value === undefined || value === null) return;
  const name = schema["x-mcp-header"];
  if (typeof name === "string" && !isObject(value)) {
    headers[`mcp-param-${name}`] = headerValue(String(value));
  }
  if (!isObject(schema.properties) || !isObject(value)) return;
  for (const [key, property] of Object.entries(schema.properties)) {
    const own = Object.hasOwn(value, key) ? value[key] : undefined;
    collect(property, own, headers);
  }
}

/** The value that `Mcp-Name` mirrors, where a method has one. */
export function nameOf(method: string, params: JsonObject): string | undefined {
  const name = method === "resources/read" ? params.uri : params.name;
  return typeof name === "string" && method !== "completion/complete"
    ? name
    : undefined;
}
