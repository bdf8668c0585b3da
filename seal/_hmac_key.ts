const encoder = new TextEncoder();

/** A MAC that has taken in its key, and is copied for each text. */
interface KeyedMac {
  clone(): {
    update(data: Uint8Array): { digest(): Uint8Array<ArrayBuffer> };
  };
}

/**
 * An HMAC-SHA256 key over text.
 *
 * The MAC of a few hundred bytes takes longer to hand to another thread, as
 * Web Crypto does, than to compute: a library that computes it in place, from a
 * state that has taken in the key once, is several times faster on every
 * runtime. It is loaded when a key is first used.
 */
export class HmacKey {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #mac: KeyedMac | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  /** Gives the 32 bytes that authenticate `text`. */
  async sign(text: string): Promise<Uint8Array<ArrayBuffer>> {
    const mac = this.#mac ??= await keyed(this.#bytes);
    return mac.clone().update(encoder.encode(text)).digest();
  }

  /** Tells whether `mac` authenticates `text`, in constant time. */
  async verify(mac: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
    return equal(mac, await this.sign(text));
  }
}

async function keyed(key: Uint8Array): Promise<KeyedMac> {
  const [{ hmac }, { sha256 }] = await Promise.all([
    import("@noble/hashes/hmac.js"),
    import("@noble/hashes/sha2.js"),
  ]);
  return hmac.create(sha256, key);
}

/** Looks at every byte, wherever the first difference is. */
function equal(given: Uint8Array, right: Uint8Array): boolean {
  if (given.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < right.length; i++) difference |= given[i]! ^ right[i]!;
  return difference === 0;
}
