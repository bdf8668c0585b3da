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
