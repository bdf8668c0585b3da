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
