import { decodeBase64Url, encodeBase64Url } from "./_base64url.ts";
import {
  checkTtlSeconds,
  decodeEnvelope,
  encodeEnvelope,
  expiryAfter,
  isExpired,
} from "./_envelope.ts";
import { HmacKey } from "./_hmac_key.ts";
import { keyBytes } from "./_key_bytes.ts";

const PREFIX = "v1.";
/** Keeps the tag of a binding apart from the MAC of a token, under one key. */
const BIND_LABEL = "mcp.requestState.bind:";
const BIND_TAG_BYTES = 16;

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

/**
 * Creates a codec that protects the integrity of `requestState`, which passes
 * through the client (2026-07-28, basic/patterns/mrtr, server requirements).
 *
 * Tokens are those of the codec of the same name in
 * `@modelcontextprotocol/server`: either side verifies what the other minted.
 *
 * ```text
 * "v1." b64url({"p": payload, "exp": unixSeconds, "b"?: tag}) "." b64url(mac)
 * mac = HMAC-SHA256(key, all before the last ".")
 * tag = b64url(first 16 bytes of HMAC-SHA256(key, "mcp.requestState.bind:" + bind(ctx)))
 * ```
 *
 * A token is signed, not encrypted: the client can read the payload. It can
 * also send it again until it expires; what must happen once only needs a
 * record on the server.
 *
 * ```ts
 * import { createRequestStateCodec } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const codec = createRequestStateCodec<{ step: string }>({
 *   key: crypto.getRandomValues(new Uint8Array(32)),
 *   bind: (ctx: { clientId?: string }) => ctx.clientId ?? "",
 * });
 * const state = await codec.mint({ step: "confirmed" }, { clientId: "a" });
 *
 * assert.deepEqual(await codec.verify(state, { clientId: "a" }), {
 *   step: "confirmed",
 * });
 * await assert.rejects(codec.verify(state, { clientId: "b" }), /^Error: bind$/);
 * ```
 *
 * @typeParam T The payload.
 * @typeParam C The context that `bind` reads.
 * @param options The key, the lifetime and the binding.
 * @returns The codec.
 * @throws {RangeError} When the key is shorter than 32 bytes, or `ttlSeconds`
 * is not a finite number greater than 0.
 * @throws {TypeError} When the key is neither a string nor a `Uint8Array`.
 */
export function createRequestStateCodec<T = unknown, C = unknown>(
  options: RequestStateCodecOptions<C>,
): RequestStateCodec<T, C> {
  const key = new HmacKey(keyBytes(options.key, "the requestState key"));
  const { ttlSeconds = 600 } = options;
  checkTtlSeconds(ttlSeconds);
  const bind = options.bind?.bind(options);

  async function bindTag(ctx: C | undefined): Promise<string | undefined> {
    if (bind === undefined) return undefined;
    if (ctx === undefined) {
      throw new TypeError(
        "Cannot bind requestState: ctx is missing, want the context that bind reads",
      );
    }
    const tag = await key.sign(BIND_LABEL + bind(ctx));
    return encodeBase64Url(tag.subarray(0, BIND_TAG_BYTES));
  }

  return {
    async mint(payload, ctx) {
      const exp = expiryAfter(ttlSeconds);
      const b = await bindTag(ctx);
      const envelope = b === undefined
        ? { p: payload, exp }
        : { p: payload, exp, b };
      const signed = PREFIX + encodeBase64Url(encodeEnvelope(envelope));
      return `${signed}.${encodeBase64Url(await key.sign(signed))}`;
    },

    async verify(state, ctx) {
      const { signed, body, mac } = split(state);
      if (!await key.verify(mac, signed)) throw refusal("mac");
      const envelope = decodeEnvelope(body);
      if (envelope === undefined) throw refusal("malformed");
      if (isExpired(envelope)) throw refusal("expired");
      if (!sameTag(await bindTag(ctx), envelope.b)) throw refusal("bind");
      // The MAC shows that a holder of the key minted it, as a T.
      return envelope.p as T;
    },
  };
}

interface TokenParts {
  readonly signed: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly mac: Uint8Array<ArrayBuffer>;
}

function split(state: unknown): TokenParts {
  if (typeof state !== "string" || !state.startsWith(PREFIX)) {
    throw refusal("malformed");
  }
  const dot = state.lastIndexOf(".");
  if (dot <= PREFIX.length) throw refusal("malformed");
  const body = decodeBase64Url(state.slice(PREFIX.length, dot));
  const mac = decodeBase64Url(state.slice(dot + 1));
  if (body === undefined || mac === undefined) throw refusal("malformed");
  return { signed: state.slice(0, dot), body, mac };
}

/**
 * Compares tags in constant time. A tag on one side only is a difference: a
 * bound token is worth nothing to a server that has lost its `bind`.
 */
function sameTag(expected: string | undefined, actual: unknown): boolean {
  if (expected === undefined) return actual === undefined;
  if (typeof actual !== "string" || actual.length !== expected.length) {
    return false;
  }
  let difference = 0;
  for (let i = 0; i < expected.length; i++) {
    difference |= expected.charCodeAt(i) ^ actual.charCodeAt(i);
  }
  return difference === 0;
}

function refusal(reason: RequestStateRefusal): Error {
  return new Error(reason);
}
