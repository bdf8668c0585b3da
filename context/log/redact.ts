/**
 * Masks texts in JSON values: those of fields whose names stand for secrets,
 * and whatever a mask for texts finds.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "./to_json.ts";
import { added, normalizeField } from "./sensitive_fields.ts";

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

const FIELDS: readonly string[] = [
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "pwd",
  "secret",
  "token",
  "jwt",
  "bearer",
  "authorization",
  "cookie",
  "credential",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "sharedkey",
  "masterkey",
  "sshkey",
  "otp",
  "cvv",
  "cvc",
  "ssn",
];

/** Tells whether a name stands for a secret. */
export type SensitiveTest = (name: string) => boolean;

/**
 * Makes a test for names: the built-in list, the given names, and whatever
 * `setSensitiveFields` adds, now or later.
 *
 * @param fields More names to mask.
 * @throws {TypeError} If a name holds no letter or digit.
 */
export function createSensitiveTest(
  fields: readonly string[] = [],
): SensitiveTest {
  const own = [...FIELDS, ...fields.map(normalizeField)];
  let turn = -1;
  let names = new Set<string>();
  let endings: string[] = [];
  let known = new Map<string, boolean>();
  return function isSensitive(name) {
    if (turn !== added.turn) {
      turn = added.turn;
      names = new Set([...own, ...added.fields]);
      endings = [...names].filter((field) => field.length >= 5);
      known = new Map();
    }
    const before = known.get(name);
    if (before !== undefined) return before;
    const answer = matches(name, names, endings);
    // Names may come from a client, so the memory must not grow with them.
    if (known.size >= 1000) known = new Map();
    if (name.length <= 64) known.set(name, answer);
    return answer;
  };
}

/** Any run of words may be a listed name: `x-api-key` holds `apikey`. */
function matches(
  name: string,
  names: ReadonlySet<string>,
  endings: readonly string[],
): boolean {
  const words = wordsOf(name);
  for (let start = 0; start < words.length; start++) {
    let run = "";
    for (let end = start; end < words.length && end < start + 6; end++) {
      run += words[end];
      if (isListed(run, names)) return true;
    }
    // Written in one piece, as in `accesstoken` or `dbpassword`.
    const word = singular(words[start]!);
    if (endings.some((ending) => word.endsWith(ending))) return true;
  }
  return false;
}

function isListed(run: string, names: ReadonlySet<string>): boolean {
  return names.has(run) || names.has(singular(run));
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function wordsOf(name: string): string[] {
  if (/^[a-z_-]*$/.test(name)) return name.split(/[_-]+/);
  return name.slice(-256).normalize("NFKC")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
}
