import { decodeBase64Url, encodeBase64Url } from "./_base64url.ts";
import { HmacKey } from "./_hmac_key.ts";
import { sameText } from "./_same_text.ts";
import type { SealForm } from "./_seal_form.ts";
import { textBytes } from "./_text_bytes.ts";

const PREFIX = "v1.";
const decoder = new TextDecoder();

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
    const signed = PREFIX + encodeBase64Url(textBytes(text));
    const mac = this.#key.sign(`${signed}\0${binding}`);
    return `${signed}.${encodeBase64Url(mac)}`;
  }

  open(sealed: string, binding: string): string | undefined {
    const dot = sealed.lastIndexOf(".");
    if (!sealed.startsWith(PREFIX) || dot < PREFIX.length) return undefined;
    const signed = sealed.slice(0, dot);
    const mac = this.#key.sign(`${signed}\0${binding}`);
    // As texts, so that nothing but the one that was written passes.
    if (!sameText(encodeBase64Url(mac), sealed.slice(dot + 1))) {
      return undefined;
    }
    const bytes = decodeBase64Url(signed.slice(PREFIX.length));
    return bytes && decoder.decode(bytes);
  }
}
