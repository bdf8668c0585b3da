import {
  databaseError,
  serializationError,
  validationError,
} from "../errors.ts";
import type { SchemaResult } from "../types.ts";

/**
 * Gives a value's JSON text.
 *
 * @throws {McpError} `serializationError` naming the key, when JSON cannot carry
 *   the value.
 */
export function toJson(key: string, value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw serializationError(
      `The value of "${key}" cannot be stored as JSON: ${reason(error)}`,
      { key },
      { cause: error },
    );
  }
  if (json !== undefined) return json;
  const kind = value === undefined || typeof value === "object"
    ? "undefined"
    : `a ${typeof value}`;
  throw serializationError(
    `The value of "${key}" cannot be stored as JSON: it is ${kind}`,
    { key },
  );
}

/**
 * Gives the value of a stored JSON text.
 *
 * @throws {McpError} `databaseError` naming the key, when the text is not JSON.
 */
export function fromJson(key: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw databaseError(
      `The stored value of "${key}" cannot be read`,
      { key },
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  if (!(error instanceof TypeError)) return "reading it failed";
  return /BigInt/i.test(error.message)
    ? "it holds a bigint"
    : "it refers to itself";
}

/**
 * A validator after the Standard Schema interface, version 1, as far as state
 * uses it. Zod, Valibot and ArkType schemas are such validators.
 */
export interface StateSchema<T> {
  /** The Standard Schema properties. */
  readonly "~standard": {
    /** Checks a value. */
    readonly validate: (
      value: unknown,
    ) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

/**
 * Gives the stored value as the schema has it.
 *
 * @throws {McpError} `validationError` naming the key and the issues, when the
 *   value does not match.
 */
export async function validateStored<T>(
  key: string,
  value: unknown,
  schema: StateSchema<T>,
): Promise<T> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ path, message }) => ({
    path: (path ?? []).map((part) =>
      String(typeof part === "object" ? part.key : part)
    ).join("."),
    message,
  }));
  const list = issues.slice(0, 5).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`
  );
  throw validationError(
    `The stored value of "${key}" does not match its schema: ${
      list.join("; ")
    }`,
    { key, issues },
  );
}
