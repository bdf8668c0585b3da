import type { StandardSchemaV1, StandardSchemaWithJSON } from "../types.ts";
import { z } from "zod";

/** A JSON object as it comes off the wire: nothing is known about its members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tells whether a value is an object with members: not null and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads an own member. What a client names must not reach a prototype, so
 * `constructor` and `__proto__` are missing unless the JSON text had them.
 */
export function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The dialect that schemas are converted to. */
const JSON_SCHEMA_TARGET = "draft-2020-12";

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

/** The formats that a string field of a form may have. */
export type FormFormat = "email" | "uri" | "date" | "date-time";

/** Tells whether a form can carry a string format. */
export function isFormFormat(format: unknown): format is FormFormat {
  return format === "email" || format === "uri" || format === "date" ||
    format === "date-time";
}

/**
 * Tells whether a `pattern` is no more than a library's own spelling of the
 * `format` beside it, so that the format says it all.
 *
 * For zod this is looked up, because `z.email({ pattern })` puts a pattern of
 * the author's into the same place. Of other libraries it is taken on trust.
 */
export function isFormatPattern(
  format: FormFormat,
  pattern: unknown,
  vendor: string,
): boolean {
  if (typeof pattern !== "string") return false;
  if (vendor !== "zod") return true;
  return zodSchemas(format, pattern).some((schema) =>
    patternOf(schema()) === pattern
  );
}

// The patterns are read from the zod that runs: they change between releases.
function patternOf(schema: z.ZodType): unknown {
  const options = { target: JSON_SCHEMA_TARGET, io: "input" } as const;
  return z.toJSONSchema(schema, options).pattern;
}

function zodSchemas(
  format: FormFormat,
  pattern: string,
): readonly (() => z.ZodType)[] {
  switch (format) {
    case "email":
      return [() => z.email()];
    case "uri":
      return [() => z.url()];
    case "date":
      return [() => z.iso.date()];
    case "date-time":
      return dateTimes(pattern);
  }
}

/** Each way to write `z.iso.datetime()` that could have given the pattern. */
function dateTimes(pattern: string): (() => z.ZodType)[] {
  const digits = /\\\.\\d\{(\d+)\}/.exec(pattern)?.[1];
  const precisions = digits === undefined
    ? [null, -1, 0]
    : [Number(digits), null, -1, 0];
  const flags = [false, true];
  return precisions.flatMap((precision) =>
    flags.flatMap((offset) =>
      flags.map((local) => () => z.iso.datetime({ precision, offset, local }))
    )
  );
}
