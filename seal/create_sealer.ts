import { keyBytes } from "./seal_keys.ts";
import type { KeyRing, KeyRingOptions } from "./key_ring.ts";
import type { Sealer, SealerOptions } from "./sealer.ts";

/** How long sealed state is valid unless told otherwise, in seconds. */
export const TTL_SECONDS = 900;

/**
 * Creates a sealer for `requestState`: what keeps a client from forging it,
 * changing it, or sending it with another call than its own (2026-07-28,
 * basic/patterns/mrtr, server requirements).
 *
 * Signing takes no Web Crypto operation, encrypting one for each key tried.
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
  const settings = checkSealerOptions(options);
  // Loaded with the first state: most calls have none.
  let ring: KeyRing | undefined;
  async function load(): Promise<KeyRing> {
    const { KeyRing } = await import("./key_ring.ts");
    return ring ??= new KeyRing(settings);
  }
  return {
    async seal(state, binding) {
      return (ring ?? await load()).seal(state, binding);
    },
    async open(sealed, binding) {
      return (ring ?? await load()).open(sealed, binding);
    },
  };
}

/**
 * Checks the options of a sealer, and fills in what is left out.
 *
 * @throws {RangeError | TypeError} As {@linkcode createSealer}.
 */
export function checkSealerOptions(options: SealerOptions): KeyRingOptions {
  const { ttlSeconds = TTL_SECONDS, encrypt = false } = options;
  checkTtlSeconds(ttlSeconds);
  const keys = distinctKeys(options.keys);
  if (keys.length === 0) {
    throw new RangeError(
      "Cannot create a sealer: it has no key, want 1 or more",
    );
  }
  return { keys, ttlSeconds, encrypt };
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

/**
 * Refuses a lifetime that no token could have.
 *
 * @throws {RangeError} When it is not a finite number greater than 0.
 */
export function checkTtlSeconds(ttlSeconds: number): void {
  if (Number.isFinite(ttlSeconds) && ttlSeconds > 0) return;
  throw new RangeError(
    `Cannot seal requestState: ttlSeconds is ${ttlSeconds}, want a finite number greater than 0`,
  );
}
