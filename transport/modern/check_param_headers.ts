import type { Catalog } from "../catalog/catalog.ts";
import type { ParamHeader } from "../catalog/param_headers.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import { decodeHeaderValue, mismatch } from "./headers.ts";

/**
 * Holds the `Mcp-Param-*` headers of a call against its arguments (2026-07-28, basic,
 * transports, Streamable HTTP, server behavior for custom headers).
 *
 * @throws {WireError} -32020 with HTTP 400, naming the header.
 */
export function checkToolHeaders(
  { tools }: Catalog,
  headers: Headers,
  params: JsonObject,
): void {
  const tool = tools.get(params.name as string);
  if (tool?.paramHeaders === undefined) return;
  checkParamHeaders(
    tool.paramHeaders,
    (name) => headers.get(name),
    params.arguments,
  );
}

function checkParamHeaders(
  params: readonly ParamHeader[],
  header: (name: string) => string | null,
  args: unknown,
): void {
  for (const param of params) {
    const sent = header(param.header);
    const value = valueAt(args, param.path);
    if (value === undefined || value === null) {
      if (sent !== null) throw refusal(param, sent, value);
      continue;
    }
    // An argument of the wrong type is for the schema to refuse.
    if (!isMirrored(value)) continue;
    if (sent === null) throw refusal(param, sent, value);
    const decoded = decodeHeaderValue(sent);
    if (decoded === undefined || !matches(decoded, value)) {
      throw refusal(param, sent, value);
    }
  }
}

function matches(sent: string, value: string | number | boolean): boolean {
  if (sent === String(value)) {
    // A fraction is for the schema to refuse; an unsafe integer is for no one.
    return !Number.isInteger(value) || Number.isSafeInteger(value);
  }
  // Integers compare by value: 42.0 is 42.
  return typeof value === "number" && Number.isSafeInteger(value) &&
    /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(sent) && Number(sent) === value;
}

function isMirrored(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" ||
    typeof value === "boolean";
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function refusal(
  param: ParamHeader,
  sent: string | null,
  value: unknown,
): Error {
  const wanted = value === undefined || value === null
    ? undefined
    : String(value);
  return mismatch(`Mcp-Param-${param.label}`, sent, wanted);
}
