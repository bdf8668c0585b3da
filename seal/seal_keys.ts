/** The shortest key that is accepted, in bytes: the output size of SHA-256. */
const MIN_KEY_BYTES = 32;

/**
 * Makes a key for {@linkcode createSealer}: 32 random bytes as base64url, 43
 * characters long.
 *
 * @returns The key.
 */
export function generateSealKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(MIN_KEY_BYTES));
  // The coding of tokens, which does the same, is loaded with the first of them.
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-")
    .replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Reads keys for {@linkcode createSealer} from one line of configuration:
 * separated by commas, with white space around each of no account. A key given
 * this way cannot contain a comma.
 *
 * ```ts
 * import { generateSealKey, parseSealKeys } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const [next, current] = [generateSealKey(), generateSealKey()];
 * assert.deepEqual(parseSealKeys(`${next}, ${current}`), [next, current]);
 * ```
 *
 * @param value One key or more.
 * @returns The keys, in the order given.
 * @throws {RangeError} When a key is empty, shorter than 32 bytes, ill-formed
 * Unicode, or given twice. The message says which one and what is wanted, and shows no key.
 * @throws {TypeError} When `value` is not a string.
 */
export function parseSealKeys(value: string): string[] {
  if (typeof value !== "string") {
    throw new TypeError(
      `Cannot read requestState keys from type "${typeof value}": want a string`,
    );
  }
  const keys = value.split(",").map((key) => key.trim());
  for (const [index, key] of keys.entries()) {
    const fault = faultOf(key, keys.indexOf(key), index);
    if (fault === undefined) continue;
    const name = `key ${index + 1} of ${keys.length}`;
    throw new RangeError(
      `Cannot read requestState keys: ${name} ${fault}, want one or more distinct keys of at least ${MIN_KEY_BYTES} bytes, separated by commas`,
    );
  }
  return keys;
}

function faultOf(
  key: string,
  firstIndex: number,
  index: number,
): string | undefined {
  if (key === "") return "is empty";
  const { length } = new TextEncoder().encode(key);
  if (length < MIN_KEY_BYTES) return `is ${length} bytes long`;
  if (!key.isWellFormed()) return "is not well-formed Unicode";
  if (firstIndex < index) return `is the same as key ${firstIndex + 1}`;
  return undefined;
}

/**
 * Gives an own copy of a key's bytes, a string as UTF-8, so that a caller may
 * wipe its buffer afterwards.
 *
 * @param name How messages call this key. They never show its value.
 * @throws {TypeError} When the key is neither a string nor a `Uint8Array`.
 * @throws {RangeError} When it is shorter than 32 bytes.
 */
export function keyBytes(
  key: string | Uint8Array,
  name: string,
): Uint8Array<ArrayBuffer> {
  const bytes = copyBytes(key, name);
  if (bytes.length < MIN_KEY_BYTES) {
    throw new RangeError(
      `Cannot use ${name}: it is ${bytes.length} bytes long, want at least ${MIN_KEY_BYTES}`,
    );
  }
  return bytes;
}

function copyBytes(key: unknown, name: string): Uint8Array<ArrayBuffer> {
  if (typeof key === "string") return new TextEncoder().encode(key);
  if (isUint8Array(key)) return Uint8Array.from(key);
  const kind = key === null ? "null" : typeof key;
  throw new TypeError(
    `Cannot use ${name}: it is of type "${kind}", want a string or a Uint8Array`,
  );
}

// Not `instanceof`, which fails for arrays that another realm made.
function isUint8Array(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}
