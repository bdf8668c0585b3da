import { type NodeCrypto, nodeCrypto } from "./_node_crypto.ts";

const encoder = new TextEncoder();

/**
 * An HMAC-SHA256 key over text. It works through `node:crypto` where there is
 * one, and through Web Crypto elsewhere; the MACs are the same.
 */
export class HmacKey {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #node: NodeCrypto | undefined | null = null;
  #imported: Promise<CryptoKey> | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  /** Gives the 32 bytes that authenticate `text`. */
  async sign(text: string): Promise<Uint8Array<ArrayBuffer>> {
    const node = this.#native();
    if (node !== undefined) return this.#mac(node, text);
    const data = encoder.encode(text);
    return new Uint8Array(
      await crypto.subtle.sign("HMAC", await this.#key(), data),
    );
  }

  /** Tells whether `mac` authenticates `text`, in constant time. */
  async verify(mac: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
    const node = this.#native();
    if (node !== undefined) {
      const right = this.#mac(node, text);
      return mac.length === right.length && node.timingSafeEqual(mac, right);
    }
    const data = encoder.encode(text);
    return await crypto.subtle.verify("HMAC", await this.#key(), mac, data);
  }

  #mac(node: NodeCrypto, text: string): Uint8Array<ArrayBuffer> {
    return node.createHmac("sha256", this.#bytes).update(text, "utf8").digest();
  }

  #native(): NodeCrypto | undefined {
    if (this.#node === null) this.#node = nodeCrypto();
    return this.#node;
  }

  #key(): Promise<CryptoKey> {
    return this.#imported ??= crypto.subtle.importKey(
      "raw",
      this.#bytes,
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["sign", "verify"],
    );
  }
}
