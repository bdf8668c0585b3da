/** How deep canonical JSON may be nested. */
const MAX_DEPTH = 1000;

/** What state is bound to: who called, and with what. */
export interface RequestBindingParts {
  /** The authenticated client, if there is one. */
  readonly clientId?: string | undefined;
  /** The authenticated person, if there is one. */
  readonly subject?: string | undefined;
  /** The tenant of the caller, if there is one. */
  readonly tenantId?: string | undefined;
  /** The method, such as `"tools/call"`. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string;
  /** The arguments, a JSON value. Left out is the same as `{}`. */
  readonly args?: unknown;
  /** The server, where several share a key. */
  readonly audience?: string | undefined;
}

/**
 * Gives the string that binds state to one caller and one call, for
 * {@linkcode Sealer}. Parts that differ give strings that differ, except for
 * what makes no difference to the call: the order of keys in the arguments, and
 * the spelling of numbers. A part left out differs from an empty one.
 *
 * ```ts
 * import { requestBinding } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const call = { subject: "ann", method: "tools/call", target: "wipe" };
 * assert.equal(
 *   requestBinding({ ...call, args: { x: 1, y: 2 } }),
 *   requestBinding({ ...call, args: { y: 2.0, x: 1 } }),
 * );
 * assert.notEqual(
 *   requestBinding({ ...call, args: { x: 1 } }),
 *   requestBinding({ ...call, args: { x: 2 } }),
 * );
 * ```
 *
 * @param parts The caller and the call.
 * @returns A JSON array, always well-formed Unicode.
 * @throws {RangeError} When the arguments are nested more than 1,000 levels
 * deep.
 * @throws {TypeError} When they are not a JSON value.
 */
export function requestBinding(parts: RequestBindingParts): string {
  const { clientId, subject, tenantId, method, target, audience } = parts;
  const { args = {} } = parts;
  const caller = JSON.stringify([
    "parley.requestState.v1",
    clientId ?? null,
    subject ?? null,
    tenantId ?? null,
    audience ?? null,
    method,
    target,
  ]);
  return `[${caller},${canonicalJson(args)}]`;
}

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
