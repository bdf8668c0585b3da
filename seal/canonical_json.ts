const MAX_DEPTH = 1000;

/**
 * Writes a JSON value as text that depends on nothing but the value: object
 * keys are sorted by UTF-16 code units and there is no white space, as in
 * RFC 8785. `{ a, b }` and `{ b, a }` give the same text, as do `1` and `1.0`.
 *
 * `toJSON` is honoured and members that are `undefined` are left out, as
 * `JSON.stringify` does. Two things differ from RFC 8785: ill-formed Unicode is
 * written as JSON escapes, and an infinity, which is what `JSON.parse` makes of
 * `1e999`, as `1e999` again; so both are kept apart from all else.
 *
 * ```ts
 * import { canonicalJson } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * assert.equal(canonicalJson({ y: 2, x: [1.0] }), '{"x":[1],"y":2}');
 * ```
 *
 * @param value The value to write.
 * @returns Its one JSON text.
 * @throws {TypeError} When the value or a part of it is nothing that JSON can
 * carry: `NaN`, a bigint, a function, a `Map`, bytes, and the like.
 * @throws {RangeError} When it is nested more than 1,000 levels deep.
 */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return writeNumber(value);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : writeObject(value, depth + 1);
    default:
      throw unwritable(`a value of type "${typeof value}"`);
  }
}

function writeNumber(value: number): string {
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Number.isNaN(value)) throw unwritable("NaN");
  return value > 0 ? "1e999" : "-1e999";
}

function writeObject(value: object, depth: number): string {
  if (depth > MAX_DEPTH) {
    throw new RangeError(
      `Cannot write canonical JSON: the value is nested deeper than ${MAX_DEPTH} levels`,
    );
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    return write(value.toJSON(), depth);
  }
  return Array.isArray(value)
    ? writeArray(value, depth)
    : writeMembers(value, depth);
}

function writeArray(items: readonly unknown[], depth: number): string {
  let text = "[";
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text += ",";
    text += items[i] === undefined ? "null" : write(items[i], depth);
  }
  return text + "]";
}

function writeMembers(value: object, depth: number): string {
  // A Map, a Set or a buffer would come out as "{}", whatever it holds.
  const kind = Object.prototype.toString.call(value);
  if (kind !== "[object Object]") throw unwritable(`an ${kind.slice(1, -1)}`);
  const members = value as Record<string, unknown>;
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    if (text !== "") text += ",";
    text += `${JSON.stringify(key)}:${write(member, depth)}`;
  }
  return `{${text}}`;
}

function unwritable(what: string): TypeError {
  return new TypeError(
    `Cannot write canonical JSON: it holds ${what}, want a JSON value`,
  );
}
