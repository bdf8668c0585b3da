/**
 * Options of {@linkcode createRequestStateCodec}.
 *
 * @typeParam C The context that `bind` reads.
 */
export interface RequestStateCodecOptions<C = unknown> {
  /**
   * The secret, at least 32 bytes long; a string counts as UTF-8. Its bytes
   * are copied. Every process that may receive a retry needs the same key.
   */
  readonly key: string | Uint8Array;
  /**
   * How long a token stays valid, in seconds. Finite and greater than 0.
   *
   * @default {600}
   */
  readonly ttlSeconds?: number;
  /**
   * Names what a token is bound to: the caller, say, and the operation. A
   * token minted under one name is refused under another. The name itself is
   * not readable in the token, which holds a keyed tag of it.
   */
  bind?(ctx: C): string;
}

/**
 * Why {@linkcode RequestStateCodec.verify} refused a token. It is the whole
 * message of the error.
 *
 * - `"malformed"`: it does not have the form of a token.
 * - `"mac"`: it was changed, or minted under another key.
 * - `"expired"`: its lifetime is over.
 * - `"bind"`: it is bound to something else, or only one of the two sides
 *   binds.
 */
export type RequestStateRefusal = "malformed" | "mac" | "expired" | "bind";

/**
 * Mints and verifies tokens. The two methods need no `this`, so that `verify`
 * can be handed on as it is.
 *
 * @typeParam T The payload.
 * @typeParam C The context that `bind` reads.
 */
export interface RequestStateCodec<T = unknown, C = unknown> {
  /**
   * Seals a payload into a token, to be returned as `requestState`.
   *
   * @param payload Any JSON value.
   * @param ctx What `bind` reads; only needed with `bind`.
   * @throws {TypeError} When the payload cannot be written as JSON, or `bind`
   * is set and `ctx` is missing.
   */
  mint(payload: T, ctx?: C): Promise<string>;
  /**
   * Gives the payload of a token that came back.
   *
   * @param state What the client sent as `requestState`, of whatever type.
   * @param ctx What `bind` reads; only needed with `bind`.
   * @throws {Error} When the token is refused. The message is one of
   * {@linkcode RequestStateRefusal} and nothing else.
   * @throws {TypeError} When `bind` is set and `ctx` is missing.
   */
  verify(state: unknown, ctx?: C): Promise<T>;
}
