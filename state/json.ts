import { databaseError, serializationError } from "../errors.ts";

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
