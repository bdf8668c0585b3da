/**
 * Masks the values of fields whose names stand for secrets.
 *
 * @module
 */

import { createSensitiveTest, type SensitiveTest } from "./sensitive.ts";
import type { JsonObject, JsonValue } from "./to_json.ts";

/** What stands in place of a secret. */
export const REDACTED = "[REDACTED]";

/** Masks what is secret in a JSON value, without changing the value given. */
export type Redactor = (value: JsonValue) => JsonValue;

// Far deeper than anything that `toJsonValue` makes, and shallow enough for
// the call stack.
const MAX_DEPTH = 1000;

/**
 * Makes a function that masks, at any depth, the value of each field whose
 * name is on the list. Case and separators do not matter, and any one word of
 * a compound name is enough: `API_KEY`, `x-api-key`, `accessToken` and
 * `tokenCount` are masked. A value in which nothing is masked is returned as
 * it is; otherwise the parts that changed are copied.
 *
 * @param fields Names to mask besides the built-in ones.
 * @throws {TypeError} If a name holds no letter.
 */
export function createRedactor(fields: readonly string[] = []): Redactor {
  const isSensitive = createSensitiveTest(fields);
  return (value) => redactValue(value, isSensitive, 0);
}

function redactValue(
  value: JsonValue,
  isSensitive: SensitiveTest,
  depth: number,
): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return REDACTED;
  return Array.isArray(value)
    ? redactList(value, isSensitive, depth)
    : redactObject(value, isSensitive, depth);
}

function redactList(
  list: JsonValue[],
  isSensitive: SensitiveTest,
  depth: number,
): JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index]!;
    const masked = redactValue(item, isSensitive, depth + 1);
    if (masked === item) continue;
    copy ??= [...list];
    copy[index] = masked;
  }
  return copy ?? list;
}

function redactObject(
  object: JsonObject,
  isSensitive: SensitiveTest,
  depth: number,
): JsonObject {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(object)) {
    const item = object[key]!;
    const masked = isSensitive(key)
      ? REDACTED
      : redactValue(item, isSensitive, depth + 1);
    if (masked === item) continue;
    copy ??= { ...object };
    // The spread made `__proto__` an own property, which this overwrites.
    Object.defineProperty(copy, key, {
      value: masked,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy ?? object;
}
