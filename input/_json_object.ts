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
