import { invalidParams, type McpError } from "../errors.ts";
import { expiryAfter, isExpired, parseEnvelope } from "./_envelope.ts";
import { EncryptedForm, type SealForm, SignedForm } from "./_seal_form.ts";

/** Bounds the work that a stranger can cause: 256 KiB of text. */
const MAX_SEALED_LENGTH = 256 * 1024;

/** The settings of a {@linkcode KeyRing}, checked. */
export interface KeyRingOptions {
  /** The keys, at least one, all different. */
  readonly keys: readonly Uint8Array<ArrayBuffer>[];
  /** How long sealed state stays valid, in seconds. */
  readonly ttlSeconds: number;
  /** Whether the state is encrypted. */
  readonly encrypt: boolean;
}

/**
 * Seals under the first of its keys, and opens what any of them sealed. It is
 * a `Sealer` that gives, and throws, at once what it has at once: signed state.
 */
export class KeyRing {
  readonly #forms: readonly SealForm[];
  readonly #ttlSeconds: number;

  constructor({ keys, ttlSeconds, encrypt }: KeyRingOptions) {
    this.#forms = keys.map((bytes): SealForm =>
      encrypt ? new EncryptedForm(bytes) : new SignedForm(bytes)
    );
    this.#ttlSeconds = ttlSeconds;
  }

  /** Seals a string. Throws or rejects as the method of `Sealer` does. */
  seal(state: string, binding: string): string | Promise<string> {
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
    const envelope = JSON.stringify({ p: state, exp });
    const sealed = this.#forms[0]!.seal(envelope, binding);
    return typeof sealed === "string"
      ? checkSize(sealed)
      : sealed.then(checkSize);
  }

  /** Gives a string back. Throws or rejects as the method of `Sealer` does. */
  open(sealed: unknown, binding: string): string | Promise<string> {
    if (
      typeof sealed !== "string" || sealed.length > MAX_SEALED_LENGTH ||
      !isWellFormed(binding)
    ) {
      throw refusal("malformed");
    }
    const envelope = this.#unseal(sealed, binding, 0);
    return envelope instanceof Promise
      ? envelope.then(stateOf)
      : stateOf(envelope);
  }

  /** Tries the keys, from one of them on. */
  #unseal(
    sealed: string,
    binding: string,
    first: number,
  ): string | undefined | Promise<string | undefined> {
    for (let index = first; index < this.#forms.length; index++) {
      const opened = this.#forms[index]!.open(sealed, binding);
      if (opened instanceof Promise) {
        return opened.then((text) =>
          text ?? this.#unseal(sealed, binding, index + 1)
        );
      }
      if (opened !== undefined) return opened;
    }
    return undefined;
  }
}

function checkSize(sealed: string): string {
  if (sealed.length <= MAX_SEALED_LENGTH) return sealed;
  throw new RangeError(
    `Cannot seal requestState: sealed it has ${sealed.length} characters, want at most ${MAX_SEALED_LENGTH}`,
  );
}

function stateOf(text: string | undefined): string {
  if (text === undefined) throw refusal("mac");
  const envelope = parseEnvelope(text);
  if (typeof envelope?.p !== "string") throw refusal("malformed");
  if (isExpired(envelope)) throw refusal("expired");
  return envelope.p;
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
