/** The shortest key that is accepted, in bytes: the output size of SHA-256. */
export const MIN_KEY_BYTES = 32;

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

/**
 * Refuses a lifetime that no token could have.
 *
 * @throws {RangeError} When it is not a finite number greater than 0.
 */
export function checkTtlSeconds(ttlSeconds: number): void {
  if (Number.isFinite(ttlSeconds) && ttlSeconds > 0) return;
  throw new RangeError(
    `Cannot seal requestState: ttlSeconds is ${ttlSeconds}, want a finite number greater than 0`,
  );
}
