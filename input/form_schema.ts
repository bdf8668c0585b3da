import type {
  ElicitRequestFormParams,
  StandardSchemaWithJSON,
} from "../types.ts";
import { formProperty, isAnnotation } from "./_form_property.ts";
import {
  isJsonObject,
  isStandardSchema,
  type JsonObject,
  standardJsonSchema,
} from "./_json_schema.ts";

/** The schema of a form as it goes out: a flat object of primitive fields. */
export type FormSchema = ElicitRequestFormParams["requestedSchema"];

// Conversion takes longer than all the rest of a round, and the same schema is
// converted on each of them. Schemas are values: converted once, always right.
const converted = new WeakMap<StandardSchemaWithJSON, FormSchema>();

/**
 * Converts a schema to the restricted one that forms are sent with: a flat
 * object whose fields are strings (with length limits, and the formats
 * `email`, `uri`, `date` and `date-time`), numbers and integers with inclusive
 * bounds, booleans, enums, and arrays of enums; optional fields and defaults.
 *
 * What a form cannot say is refused. Refinements and transforms never reach a
 * JSON Schema, so they are not refused; they hold when the answer is read.
 *
 * A form schema that is given in JSON is sent as it is. Annotations (such as
 * `title` or `examples`) are left out where a form has no place for them.
 *
 * The result belongs to the caller. The schema must not change afterwards.
 *
 * Specification: 2026-07-28, client/elicitation, "Requested Schema".
 *
 * ```ts
 * import { formSchema } from "@parley/mcp/input";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const schema = formSchema(z.object({ size: z.int().min(1).max(9) }));
 * assert.deepEqual(schema.properties, {
 *   size: { type: "integer", minimum: 1, maximum: 9 },
 * });
 * assert.throws(() => formSchema(z.object({ at: z.object({}) })), /properties.at/);
 * ```
 *
 * @param schema Zod, any Standard Schema that also gives JSON Schema, or a
 * form schema in JSON.
 * @throws {TypeError} When it cannot be expressed; names each property and
 * keyword that is in the way.
 */
export function formSchema(
  schema: FormSchema | StandardSchemaWithJSON,
): FormSchema {
  if (!isStandardSchema(schema)) return plainFormSchema(schema);
  let form = converted.get(schema);
  if (form === undefined) {
    form = convert(schema);
    converted.set(schema, form);
  }
  return copyForm(form);
}

/** What is kept is not handed out: whoever gets a form may change it. */
function copyForm(form: FormSchema): FormSchema {
  const copy: FormSchema = { ...form, properties: {} };
  for (const [name, field] of Object.entries(form.properties)) {
    copy.properties[name] = copyJson(field);
  }
  if (form.required !== undefined) copy.required = [...form.required];
  return copy;
}

function copyJson<T>(value: T): T;
function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) copy[key] = copyJson(value[key]);
  return copy;
}

function plainFormSchema(schema: unknown): FormSchema {
  if (!isFormSchema(schema)) {
    throw new TypeError(
      'Cannot make a form: `requestedSchema` must be a Standard Schema, or a JSON Schema with `type: "object"` and `properties`',
    );
  }
  return schema;
}

function isFormSchema(schema: unknown): schema is FormSchema {
  return isJsonObject(schema) && schema["type"] === "object" &&
    isJsonObject(schema["properties"]);
}

function convert(schema: StandardSchemaWithJSON): FormSchema {
  const problems: string[] = [];
  const form = formRoot(jsonSchemaOf(schema), problems, schema);
  if (problems.length > 0 || !isFormSchema(form)) {
    throw new TypeError(
      `Cannot make a form: ${
        problems.join("; ")
      } (a form is a flat object of strings, numbers, booleans, enums and lists of enums)`,
    );
  }
  return form;
}

function jsonSchemaOf(schema: StandardSchemaWithJSON): JsonObject {
  try {
    return standardJsonSchema(schema);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(
      `Cannot make a form: the schema has no JSON Schema: ${why}`,
      { cause },
    );
  }
}

/** Reads the root of a converted schema and notes what does not fit. */
function formRoot(
  root: JsonObject,
  problems: string[],
  schema: StandardSchemaWithJSON,
): JsonObject {
  const { vendor } = schema["~standard"];
  const form: Record<string, unknown> = { type: "object" };
  for (const [key, value] of Object.entries(root)) {
    if (key === "$schema") form[key] = value;
    else if (key === "properties" || key === "required") continue;
    else if (key === "type") {
      if (value !== "object") {
        problems.push(
          `the type must be "object", not ${JSON.stringify(value)}`,
        );
      }
    } else if (!isAnnotation(key)) {
      problems.push(`the schema cannot have \`${key}\``);
    }
  }
  const properties = isJsonObject(root["properties"]) ? root["properties"] : {};
  if (!isJsonObject(root["properties"])) {
    problems.push("the schema has no properties");
  }
  form["properties"] = Object.fromEntries(
    Object.entries(properties).map((
      [name, node],
    ) => [name, formProperty(node, `properties.${name}`, vendor, problems)]),
  );
  // JSON readers drop this name or take it for the prototype.
  if (Object.hasOwn(properties, "__proto__")) {
    problems.push("properties.__proto__ cannot be sent under that name");
  }
  const required = root["required"];
  if (required === undefined) return form;
  if (!Array.isArray(required)) {
    problems.push("`required` must be an array of property names");
    return form;
  }
  for (const name of required) {
    if (typeof name !== "string" || !Object.hasOwn(properties, name)) {
      problems.push(`required property ${JSON.stringify(name)} is not defined`);
    }
  }
  form["required"] = required;
  return form;
}
