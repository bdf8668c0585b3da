import { decodeBase64Url, encodeBase64Url } from "./_base64url.ts";
import type { SealForm } from "./_seal_form.ts";

const PREFIX = "v1e.";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * `"v1e." b64url(iv || ciphertext || tag)`: AES-256-GCM with a random 12-byte
 * `iv`, a 16-byte tag, and `"v1e.\0" binding` as additional authenticated
 * data.
 *
 * The AES key is HKDF-SHA256 of the configured key, with an empty salt and the
 * info `"parley.requestState.encrypt.v1"`: never the bytes that sign.
 */
export class EncryptedForm implements SealForm {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #derived: Promise<CryptoKey> | undefined;

  constructor(key: Uint8Array<ArrayBuffer>) {
    this.#bytes = key;
  }

  async seal(text: string, binding: string): Promise<string> {
    const key = await this.#key();
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const encrypted = await crypto.subtle.encrypt(
      gcm(iv, binding),
      key,
      encoder.encode(text),
    );
    const joined = new Uint8Array(IV_BYTES + encrypted.byteLength);
    joined.set(iv);
    joined.set(new Uint8Array(encrypted), IV_BYTES);
    return PREFIX + encodeBase64Url(joined);
  }

  async open(
    sealed: string,
    binding: string,
  ): Promise<string | undefined> {
    if (!sealed.startsWith(PREFIX)) return undefined;
    const joined = decodeBase64Url(sealed.slice(PREFIX.length));
    if (joined === undefined || joined.length < IV_BYTES + TAG_BYTES) {
      return undefined;
    }
    const key = await this.#key();
    const algorithm = gcm(joined.subarray(0, IV_BYTES), binding);
    try {
      return decoder.decode(
        await crypto.subtle.decrypt(algorithm, key, joined.subarray(IV_BYTES)),
      );
    } catch {
      // The one error that decryption has: the tag does not fit.
      return undefined;
    }
  }

  #key(): Promise<CryptoKey> {
    return this.#derived ??= deriveKey(this.#bytes);
  }
}

function gcm(iv: Uint8Array<ArrayBuffer>, binding: string): AesGcmParams {
  const additionalData = encoder.encode(`${PREFIX}\0${binding}`);
  return { name: "AES-GCM", iv, additionalData };
}

async function deriveKey(bytes: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return await crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode("parley.requestState.encrypt.v1"),
    },
    await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]),
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}
