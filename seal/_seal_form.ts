import { decodeBase64Url, encodeBase64Url } from "./_base64url.ts";
import { HmacKey, sameText, textBytes } from "./_hmac_key.ts";

const SIGNED = "v1.";
const ENCRYPTED = "v1e.";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** One way to seal text under one key, bound to a string. */
export interface SealForm {
  /** Seals a text. Takes at most one Web Crypto operation. */
  seal(text: string, binding: string): string | Promise<string>;
  /**
   * Gives the text back, or `undefined` for anything that this key did not
   * seal in this form and under this binding. Takes at most one Web Crypto
   * operation.
   */
  open(
    sealed: string,
    binding: string,
  ): string | undefined | Promise<string | undefined>;
}

/**
 * `"v1." b64url(text) "." b64url(HMAC-SHA256(key, "v1." body "\0" binding))`.
 *
 * The binding goes into the MAC instead of the token, which saves an operation
 * over a tag of its own and leaves nothing of it to read. The NUL cannot occur
 * in the body, so no other body and binding give the same input, and no token
 * of the codec under the same key passes for one of these, or the other way.
 */
export class SignedForm implements SealForm {
  readonly #key: HmacKey;

  constructor(key: Uint8Array<ArrayBuffer>) {
    this.#key = new HmacKey(key);
  }

  seal(text: string, binding: string): string {
    const signed = SIGNED + encodeBase64Url(textBytes(text));
    const mac = this.#key.sign(`${signed}\0${binding}`);
    return `${signed}.${encodeBase64Url(mac)}`;
  }

  open(sealed: string, binding: string): string | undefined {
    const dot = sealed.lastIndexOf(".");
    if (!sealed.startsWith(SIGNED) || dot < SIGNED.length) return undefined;
    const signed = sealed.slice(0, dot);
    const mac = this.#key.sign(`${signed}\0${binding}`);
    // As texts, so that nothing but the one that was written passes.
    if (!sameText(encodeBase64Url(mac), sealed.slice(dot + 1))) {
      return undefined;
    }
    const bytes = decodeBase64Url(signed.slice(SIGNED.length));
    return bytes && decoder.decode(bytes);
  }
}

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
    return ENCRYPTED + encodeBase64Url(joined);
  }

  async open(
    sealed: string,
    binding: string,
  ): Promise<string | undefined> {
    if (!sealed.startsWith(ENCRYPTED)) return undefined;
    const joined = decodeBase64Url(sealed.slice(ENCRYPTED.length));
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
  const additionalData = encoder.encode(`${ENCRYPTED}\0${binding}`);
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
