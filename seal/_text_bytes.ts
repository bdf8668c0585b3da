const encoder = new TextEncoder();
// Made once: memory outside the heap is dear, and a token needs some for each
// of its parts.
const shared = new Uint8Array(8 * 1024);

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
