import { z } from "zod";
import type { JsonSchemaConverter, StandardSchemaV1 } from "../types.ts";

/** A JSON Schema (2020-12) document whose root is an object. */
export type JsonSchema = Record<string, unknown>;

const TARGET = "draft-2020-12";

/**
 * Converts a schema to JSON Schema 2020-12, with the converter the schema
 * brings along (Standard JSON Schema), or with zod's for schemas of any zod 4.
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
  try {
    if (convert !== undefined) return convert[side]({ target: TARGET });
    // Zod before 4.2 and zod/mini can be converted, and do not say so.
    if (schema instanceof z.core.$ZodType) {
      return z.toJSONSchema(schema, { target: TARGET, io: side });
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `Cannot express the schema of ${owner} as JSON Schema: ${reason}`,
      { cause },
    );
  }
  throw new TypeError(
    `Cannot use the schema of ${owner}: ${standard.vendor} schemas of this version do not give JSON Schema; use zod 4, ArkType, or Valibot through toStandardJsonSchema() of @valibot/to-json-schema`,
  );
}
