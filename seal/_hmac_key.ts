const encoder = new TextEncoder();

/** An HMAC-SHA256 key over text, imported once, when it is first used. */
export class HmacKey {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #imported: Promise<CryptoKey> | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  /** Gives the 32 bytes that authenticate `text`. */
  async sign(text: string): Promise<Uint8Array<ArrayBuffer>> {
    const data = encoder.encode(text);
    return new Uint8Array(
      await crypto.subtle.sign("HMAC", await this.#key(), data),
    );
  }

  /** Tells whether `mac` authenticates `text`, in constant time. */
  async verify(mac: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
    const data = encoder.encode(text);
    return await crypto.subtle.verify("HMAC", await this.#key(), mac, data);
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
