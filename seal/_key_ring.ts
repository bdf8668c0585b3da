import { invalidParams, type McpError } from "../errors.ts";
import { EncryptedForm } from "./_encrypted_form.ts";
import {
  decodeEnvelope,
  encodeEnvelope,
  expiryAfter,
  isExpired,
} from "./_envelope.ts";
import type { SealForm } from "./_seal_form.ts";
import type { Sealer, SealerOptions } from "./sealer.ts";
import { SignedForm } from "./_signed_form.ts";

/** Bounds the work that a stranger can cause: 256 KiB of text. */
const MAX_SEALED_LENGTH = 256 * 1024;

/** Seals under the first of its keys, and opens what any of them sealed. */
export class KeyRingSealer implements Sealer {
  readonly #sealing: SealForm;
  readonly #opening: readonly SealForm[];
  readonly #ttlSeconds: number;

  /**
   * @param keys At least one, each checked and of its own.
   * @param options The lifetime and the form.
   */
  constructor(
    keys: readonly Uint8Array<ArrayBuffer>[],
    { ttlSeconds, encrypt }: Required<Omit<SealerOptions, "keys">>,
  ) {
    const forms = keys.map((bytes): SealForm =>
      encrypt ? new EncryptedForm(bytes) : new SignedForm(bytes)
    );
    this.#sealing = forms[0]!;
    this.#opening = forms;
    this.#ttlSeconds = ttlSeconds;
  }

  async seal(state: string, binding: string): Promise<string> {
    if (typeof state !== "string") {
      throw new TypeError(
        `Cannot seal requestState: it is of type "${typeof state}", want a string`,
      );
    }
    if (!isWellFormed(binding)) {
      throw new TypeError(
        "Cannot seal requestState: its binding is not a well-formed string",
      );
    }
    const exp = expiryAfter(this.#ttlSeconds);
    const envelope = encodeEnvelope({ p: state, exp });
    const sealed = await this.#sealing.seal(envelope, binding);
    if (sealed.length > MAX_SEALED_LENGTH) {
      throw new RangeError(
        `Cannot seal requestState: sealed it has ${sealed.length} characters, want at most ${MAX_SEALED_LENGTH}`,
      );
    }
    return sealed;
  }

  async open(sealed: unknown, binding: string): Promise<string> {
    if (
      typeof sealed !== "string" || sealed.length > MAX_SEALED_LENGTH ||
      !isWellFormed(binding)
    ) {
      throw refusal("malformed");
    }
    const bytes = await this.#unseal(sealed, binding);
    if (bytes === undefined) throw refusal("mac");
    const envelope = decodeEnvelope(bytes);
    if (typeof envelope?.p !== "string") throw refusal("malformed");
    if (isExpired(envelope)) throw refusal("expired");
    return envelope.p;
  }

  async #unseal(
    sealed: string,
    binding: string,
  ): Promise<Uint8Array | undefined> {
    for (const form of this.#opening) {
      const bytes = await form.open(sealed, binding);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }
}

// UTF-8 has no lone surrogates: two bindings that differ in one would be equal.
function isWellFormed(binding: unknown): boolean {
  return typeof binding === "string" && binding.isWellFormed();
}

function refusal(cause: "malformed" | "mac" | "expired"): McpError {
  return invalidParams(
    "Invalid or expired requestState",
    { reason: "invalid_request_state" },
    { cause },
  );
}
