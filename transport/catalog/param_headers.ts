import type { JsonSchema } from "../../context/schema.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";

/** A tool parameter that is mirrored in a header. */
export interface ParamHeader {
  /** The header, lower case, with its `mcp-param-` prefix. */
  readonly header: string;
  /** The header as it was declared, for messages. */
  readonly label: string;
  /** The property path from the root of the arguments. */
  readonly path: readonly string[];
  /** The type of the parameter. */
  readonly type: "string" | "integer" | "boolean";
}

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TYPES: readonly unknown[] = ["string", "integer", "boolean"];

/**
 * Finds the parameters that `x-mcp-header` mirrors in headers (2026-07-28,
 * basic, transports, Streamable HTTP, schema extension).
 *
 * @throws {TypeError} When an annotation breaks a rule; names tool and path.
 */
export function findParamHeaders(
  schema: JsonSchema,
  tool: string,
): readonly ParamHeader[] {
  const annotations = countAnnotations(schema);
  if (annotations === 0) return [];
  const found: ParamHeader[] = [];
  collect(schema, [], found, tool);
  const seen = new Set<string>();
  for (const { header, label } of found) {
    if (seen.has(header)) {
      throw refusal(tool, label, "two parameters declare it; make it unique");
    }
    seen.add(header);
  }
  if (annotations > found.length) {
    throw new TypeError(
      `Cannot use tool "${tool}": ${KEYWORD} stands where it cannot be reached through "properties" alone; move it to a plain object property`,
    );
  }
  return found;
}

function collect(
  schema: JsonObject,
  path: readonly string[],
  found: ParamHeader[],
  tool: string,
): void {
  if (KEYWORD in schema) found.push(readAnnotation(schema, path, tool));
  if (!isObject(schema.properties)) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    if (isObject(property)) collect(property, [...path, name], found, tool);
  }
}

function readAnnotation(
  schema: JsonObject,
  path: readonly string[],
  tool: string,
): ParamHeader {
  const value = schema[KEYWORD];
  if (typeof value !== "string" || !TOKEN.test(value)) {
    throw refusal(tool, String(value), "it must be a header token (RFC 9110)");
  }
  if (path.length === 0) {
    throw refusal(tool, value, "it stands on the whole object");
  }
  if (!TYPES.includes(schema.type)) {
    throw refusal(
      tool,
      value,
      `"${path.join(".")}" must be a string, an integer or a boolean`,
    );
  }
  return {
    header: `mcp-param-${value.toLowerCase()}`,
    label: value,
    path,
    type: schema.type as ParamHeader["type"],
  };
}

/** Keywords whose value is a schema, or a list of them. */
const SCHEMA_KEYWORDS: readonly string[] = [
  "additionalItems",
  "additionalProperties",
  "allOf",
  "anyOf",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "oneOf",
  "prefixItems",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** Keywords whose value is an object of schemas. */
const SCHEMA_MAP_KEYWORDS: readonly string[] = [
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
];

/** Counts annotations wherever schemas can stand, and not in data. */
function countAnnotations(schema: unknown): number {
  if (Array.isArray(schema)) return sum(schema);
  if (!isObject(schema)) return 0;
  let count = KEYWORD in schema ? 1 : 0;
  for (const keyword of SCHEMA_KEYWORDS) {
    count += countAnnotations(schema[keyword]);
  }
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    const map = schema[keyword];
    if (isObject(map)) count += sum(Object.values(map));
  }
  return count;
}

function sum(schemas: readonly unknown[]): number {
  return schemas.reduce(
    (count: number, schema) => count + countAnnotations(schema),
    0,
  );
}

function refusal(tool: string, header: string, problem: string): TypeError {
  return new TypeError(
    `Cannot use ${KEYWORD} "${header}" of tool "${tool}": ${problem}`,
  );
}
