import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";

/** The size of a MAC, in bytes. */
const MAC_BYTES = 32;

const encoder = new TextEncoder();
// Made once: memory outside the heap is dear, and a token needs some for each
// of its parts.
const shared = new Uint8Array(8 * 1024);

/**
 * An HMAC-SHA256 key over text.
 *
 * The MAC of a few hundred bytes takes longer to hand to another thread, as
 * Web Crypto does, than to compute: a library that computes it in place, from a
 * state that has taken in the key once, is several times faster on every
 * runtime.
 */
export class HmacKey {
  readonly #keyed;
  readonly #working;
  readonly #mac = new Uint8Array(MAC_BYTES);

  /** @param bytes The key. */
  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#keyed = hmac.create(sha256, bytes);
    // Copied over before each use, as a copy of its own would have buffers
    // outside the heap.
    this.#working = this.#keyed.clone();
  }

  /** Gives the 32 bytes that authenticate `text`. */
  sign(text: string): Uint8Array<ArrayBuffer> {
    const working = this.#keyed._cloneInto(this.#working);
    working.update(textBytes(text)).digestInto(this.#mac);
    return this.#mac.slice();
  }

  /** Tells whether `mac` authenticates `text`, in constant time. */
  verify(mac: Uint8Array<ArrayBuffer>, text: string): boolean {
    return equal(mac, this.sign(text));
  }
}

/** Looks at every byte, wherever the first difference is. */
function equal(given: Uint8Array, right: Uint8Array): boolean {
  if (given.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < right.length; i++) difference |= given[i]! ^ right[i]!;
  return difference === 0;
}

/**
 * Compares two texts, of which one may be a guess, in a time that does not tell
 * where they differ.
 */
export function sameText(right: string, given: string): boolean {
  if (given.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < right.length; i++) {
    difference |= right.charCodeAt(i) ^ given.charCodeAt(i);
  }
  return difference === 0;
}

/**
 * Gives the UTF-8 of a text, ill-formed Unicode in it replaced, until the next
 * call: whoever keeps the bytes copies them.
 */
export function textBytes(text: string): Uint8Array<ArrayBuffer> {
  // No code unit takes more than three bytes.
  return text.length * 3 > shared.length
    ? encoder.encode(text)
    : shared.subarray(0, encoder.encodeInto(text, shared).written);
}
