import type { JsonSchemaConverter, StandardSchemaV1 } from "../types.ts";

/** A JSON Schema (2020-12) document whose root is an object. */
export type JsonSchema = Record<string, unknown>;

/**
 * Converts a schema to JSON Schema 2020-12, with the converter the schema
 * brings along (Standard JSON Schema).
 *
 * @param schema The schema.
 * @param side Whether what it accepts or what it gives back is described.
 * @param owner What the schema belongs to, for the error message.
 * @throws {TypeError} When the schema brings no converter or cannot be expressed.
 */
export function toJsonSchema(
  schema: StandardSchemaV1,
  side: "input" | "output",
  owner: string,
): JsonSchema {
  const standard = schema?.["~standard"];
  if (standard?.version !== 1) {
    throw new TypeError(
      `Cannot use the schema of ${owner}: it is not a Standard Schema; use zod 4, ArkType, or Valibot through toStandardJsonSchema() of @valibot/to-json-schema`,
    );
  }
  const convert = (standard as { jsonSchema?: JsonSchemaConverter }).jsonSchema;
  if (convert === undefined) {
    throw new TypeError(
      `Cannot use the schema of ${owner}: ${standard.vendor} schemas of this version do not give JSON Schema; use zod 4.2 or later, ArkType, or Valibot through toStandardJsonSchema() of @valibot/to-json-schema`,
    );
  }
  try {
    return convert[side]({ target: "draft-2020-12" });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `Cannot express the schema of ${owner} as JSON Schema: ${reason}`,
      { cause },
    );
  }
}
