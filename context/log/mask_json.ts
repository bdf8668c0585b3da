/**
 * Masks every text inside a JSON value.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "./to_json.ts";

/**
 * Applies a mask to every string of a JSON value, keys included, without
 * changing the value given. For values made by `toJsonValue`, whose depth is
 * bounded.
 *
 * @param value What to mask.
 * @param mask Gives the masked form of one text.
 */
export function maskJson(
  value: JsonValue,
  mask: (text: string) => string,
): JsonValue {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => maskJson(item, mask));
  return maskJsonObject(value, mask);
}

/** As {@linkcode maskJson}, for an object. */
export function maskJsonObject(
  object: JsonObject,
  mask: (text: string) => string,
): JsonObject {
  // From entries, `__proto__` becomes a property like any other.
  return Object.fromEntries(
    Object.entries(object).map((
      [key, value],
    ) => [mask(key), maskJson(value, mask)]),
  );
}
