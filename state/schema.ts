import { validationError } from "../errors.ts";
import type { SchemaResult } from "../types.ts";

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
