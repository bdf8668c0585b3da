import { invalidParams, type McpError } from "../errors.ts";
import {
  checkTtlSeconds,
  decodeEnvelope,
  encodeEnvelope,
  expiryAfter,
  isExpired,
} from "./_envelope.ts";
import { EncryptedForm } from "./_encrypted_form.ts";
import { keyBytes } from "./_key_bytes.ts";
import type { SealForm } from "./_seal_form.ts";
import { SignedForm } from "./_signed_form.ts";

/** Bounds the work that a stranger can cause: 256 KiB of text. */
const MAX_SEALED_LENGTH = 256 * 1024;

/** Options of {@linkcode createSealer}. */
export interface SealerOptions {
  /**
   * The secrets, each at least 32 bytes long; a string counts as UTF-8. The
   * first one seals and all of them open, so a key is retired by putting a new
   * one before it, and removed once the lifetime of its last token is over.
   * Their bytes are copied.
   */
  readonly keys: readonly (string | Uint8Array)[];
  /**
   * How long sealed state stays valid, in seconds. Finite and greater than 0.
   * Each round seals anew and so starts a new lifetime.
   *
   * @default {900}
   */
  readonly ttlSeconds?: number;
  /**
   * Whether the state is encrypted, so that the client cannot read it. A
   * sealer opens only the form that it seals: with `true`, signed state is
   * refused, and with `false`, encrypted state.
   *
   * @default {false}
   */
  readonly encrypt?: boolean;
}

/** Seals strings that travel through a client, and opens them again. */
export interface Sealer {
  /**
   * Seals a string. Ill-formed Unicode in it comes back as it was.
   *
   * @param state The string to seal.
   * @param binding What it is bound to, as {@linkcode requestBinding} gives
   * it. It is authenticated, and no part of it is in the result.
   * @returns The sealed state, at most 262,144 characters long.
   * @throws {TypeError} When `state` is not a string, or `binding` is not a
   * well-formed one.
   * @throws {RangeError} When the sealed state would be longer than that.
   */
  seal(state: string, binding: string): Promise<string>;
  /**
   * Gives the string that was sealed under the same binding.
   *
   * @param sealed What the client sent, of whatever type.
   * @param binding What it has to be bound to.
   * @throws {McpError} When it is not what one of the keys sealed under this
   * binding, or has expired: always -32602 with the message
   * `Invalid or expired requestState` and the data
   * `{ reason: "invalid_request_state" }`. The `cause`, which is for the log,
   * is `"malformed"`, `"mac"` or `"expired"`.
   */
  open(sealed: unknown, binding: string): Promise<string>;
}

/**
 * Creates a sealer for `requestState`: what keeps a client from forging it,
 * changing it, or sending it with another call than its own (2026-07-28,
 * basic/patterns/mrtr, server requirements).
 *
 * Sealing and opening under the first key take one Web Crypto operation each.
 * Signed state has the outer form of {@linkcode createRequestStateCodec}'s
 * tokens:
 *
 * ```text
 * signed:    "v1."  b64url({"p": state, "exp": unixSeconds}) "." b64url(mac)
 * encrypted: "v1e." b64url(iv || AES-256-GCM of the same JSON)
 * ```
 *
 * Sealed state can be sent again with the same call until it expires. What
 * must happen once only needs a record on the server. Encryption hides what the
 * state says and not how long it is; an encrypting key is good for about four
 * billion seals, as its 96-bit initialization vectors are random.
 *
 * ```ts
 * import { createSealer, generateSealKey, requestBinding } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const sealer = createSealer({ keys: [generateSealKey()] });
 * const call = { method: "tools/call", target: "wipe", args: { path: "/a" } };
 * const sealed = await sealer.seal("job-7", requestBinding(call));
 *
 * assert.equal(await sealer.open(sealed, requestBinding(call)), "job-7");
 * await assert.rejects(
 *   sealer.open(sealed, requestBinding({ ...call, args: { path: "/b" } })),
 *   { code: -32602, data: { reason: "invalid_request_state" } },
 * );
 * ```
 *
 * @param options The keys, the lifetime and the form.
 * @returns The sealer.
 * @throws {RangeError} When `keys` is empty, a key is shorter than 32 bytes or
 * given twice, or `ttlSeconds` is not a finite number greater than 0.
 * @throws {TypeError} When `keys` is not an array, or a key is neither a
 * well-formed string nor a `Uint8Array`.
 */
export function createSealer(options: SealerOptions): Sealer {
  const { keys, ttlSeconds = 900, encrypt = false } = options;
  checkTtlSeconds(ttlSeconds);
  const forms = distinctKeys(keys).map((bytes): SealForm =>
    encrypt ? new EncryptedForm(bytes) : new SignedForm(bytes)
  );
  const [first] = forms;
  if (first === undefined) {
    throw new RangeError(
      "Cannot create a sealer: it has no key, want 1 or more",
    );
  }
  return new KeyRingSealer(first, forms, ttlSeconds);
}

class KeyRingSealer implements Sealer {
  readonly #sealing: SealForm;
  readonly #opening: readonly SealForm[];
  readonly #ttlSeconds: number;

  constructor(
    sealing: SealForm,
    opening: readonly SealForm[],
    ttlSeconds: number,
  ) {
    this.#sealing = sealing;
    this.#opening = opening;
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

function distinctKeys(
  keys: readonly (string | Uint8Array)[],
): Uint8Array<ArrayBuffer>[] {
  if (!Array.isArray(keys)) {
    throw new TypeError(
      `Cannot create a sealer: keys is of type "${typeof keys}", want an array`,
    );
  }
  const positions = new Map<string, number>();
  return Array.from(keys, (key: string | Uint8Array, index) => {
    const position = index + 1;
    const name = `requestState key ${position} of ${keys.length}`;
    if (typeof key === "string" && !key.isWellFormed()) {
      throw new TypeError(`Cannot use ${name}: it is not well-formed Unicode`);
    }
    const bytes = keyBytes(key, name);
    const earlier = positions.get(String(bytes));
    if (earlier !== undefined) {
      throw new RangeError(
        `Cannot use ${name}: it is the same as key ${earlier}, want distinct keys`,
      );
    }
    positions.set(String(bytes), position);
    return bytes;
  });
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
