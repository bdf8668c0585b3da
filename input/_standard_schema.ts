import type { StandardSchemaV1, StandardSchemaWithJSON } from "../types.ts";
import { z } from "zod";
import { isJsonObject, type JsonObject } from "./_json_object.ts";

/** The dialect that schemas are converted to. */
export const JSON_SCHEMA_TARGET = "draft-2020-12";

/**
 * Tells whether a value is a schema that validates, by `~standard`. Some
 * libraries make their schemas functions.
 */
export function isStandardSchema<T>(
  value: T,
): value is Extract<T, StandardSchemaV1> {
  if (value === null) return false;
  if (typeof value !== "object" && typeof value !== "function") return false;
  if (!("~standard" in value)) return false;
  const standard = value["~standard"];
  return typeof standard === "object" && standard !== null &&
    "validate" in standard && typeof standard.validate === "function";
}

/**
 * Gives the JSON Schema of what a schema takes in, with `type: "object"` put in
 * where the root does not say its type.
 *
 * @throws {Error} When the library has no way to give it, or the schema none.
 */
export function standardJsonSchema(
  schema: StandardSchemaWithJSON,
): JsonObject {
  const { jsonSchema, vendor } = schema["~standard"];
  const converted: unknown = typeof jsonSchema?.input === "function"
    ? jsonSchema.input({ target: JSON_SCHEMA_TARGET })
    : zodJsonSchema(schema, vendor);
  if (!isJsonObject(converted)) {
    throw new Error(`"${vendor}" gave ${typeof converted} for it`);
  }
  return { type: "object", ...converted };
}

/** Zod 4.0 and 4.1 convert, and do not say so in `~standard`. */
function zodJsonSchema(schema: object, vendor: string): unknown {
  if (!(schema instanceof z.core.$ZodType)) {
    throw new Error(
      `this version of "${vendor}" does not implement \`~standard.jsonSchema\``,
    );
  }
  return z.toJSONSchema(schema, { target: JSON_SCHEMA_TARGET, io: "input" });
}
