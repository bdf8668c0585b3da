/**
 * What one call of `ctx.state` may write. They are the limits of Deno KV with
 * room for keys, and hold on every backend so that code written against one
 * runs on the others.
 */
export const StateLimits = {
  /** The longest key, in characters. */
  keyLength: 1_024,
  /** The largest value, in bytes of its JSON text. */
  valueBytes: 768_000,
  /** The most values in one write; a value over 32,000 characters counts once for each 64 KiB more. */
  writes: 1_000,
  /** The most bytes in one write, values and keys together. */
  writeBytes: 819_200,
  /** The most bytes of keys in one write. */
  writeKeyBytes: 81_920,
  /** The most checks in one write. */
  checks: 100,
  /** The most items on one page of a list. */
  pageSize: 1_000,
} as const;

/** Longer texts are stored by their digest, so that keys stay within the store's limit. */
const LONGEST_PLAIN = 256;

/**
 * Turns any well-formed text into one part of a {@linkcode StateKey}, so that
 * different texts never give the same part.
 *
 * @returns The part; a promise of it for long texts, which need a digest.
 * @throws {URIError} When the text is not well-formed Unicode.
 */
export function keyPart(text: string): string | Promise<string> {
  const plain = encodeURIComponent(text);
  // "#" never comes out of the encoding, so it marks what is not plain.
  if (plain === "") return "#";
  if (plain.length <= LONGEST_PLAIN) return plain;
  return digest(plain);
}

async function digest(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return "#" + Array.from(hash, (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
