import { decodeBase64Url, encodeBase64Url } from "./_base64url.ts";
import {
  type Envelope,
  expiryAfter,
  isExpired,
  parseEnvelope,
} from "./_envelope.ts";
import { HmacKey, sameText, textBytes } from "./_hmac_key.ts";
import type {
  RequestStateCodec,
  RequestStateRefusal,
} from "./request_state_codec.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });
const PREFIX = "v1.";
/** Keeps the tag of a binding apart from the MAC of a token, under one key. */
const BIND_LABEL = "mcp.requestState.bind:";
const BIND_TAG_BYTES = 16;

/** Options of {@linkcode createTokenCodec}, settled. */
export interface TokenCodecOptions<C> {
  /** How long a token stays valid, in seconds. */
  readonly ttlSeconds: number;
  /** Names what a token is bound to, if it is. */
  readonly bind: ((ctx: C) => string) | undefined;
}

/**
 * Mints and verifies tokens under a key that was checked;
 * `createRequestStateCodec` is what loads this file, and says the rest.
 */
export function createTokenCodec<T, C>(
  keyBytes: Uint8Array<ArrayBuffer>,
  { ttlSeconds, bind }: TokenCodecOptions<C>,
): RequestStateCodec<T, C> {
  const key = new HmacKey(keyBytes);

  function bindTag(ctx: C | undefined): string | undefined {
    if (bind === undefined) return undefined;
    if (ctx === undefined) {
      throw new TypeError(
        "Cannot bind requestState: ctx is missing, want the context that bind reads",
      );
    }
    const tag = key.sign(BIND_LABEL + bind(ctx));
    return encodeBase64Url(tag.subarray(0, BIND_TAG_BYTES));
  }

  return {
    // deno-lint-ignore require-await -- what it throws is to reject
    async mint(payload, ctx) {
      const exp = expiryAfter(ttlSeconds);
      const b = bindTag(ctx);
      const envelope = b === undefined
        ? { p: payload, exp }
        : { p: payload, exp, b };
      const signed = PREFIX + encodeBase64Url(
        textBytes(JSON.stringify(envelope)),
      );
      return `${signed}.${encodeBase64Url(key.sign(signed))}`;
    },

    // deno-lint-ignore require-await -- as above
    async verify(state, ctx) {
      const { signed, body, mac } = split(state);
      if (!key.verify(mac, signed)) throw refusal("mac");
      const envelope = decodeEnvelope(body);
      if (envelope === undefined) throw refusal("malformed");
      if (isExpired(envelope)) throw refusal("expired");
      if (!sameTag(bindTag(ctx), envelope.b)) throw refusal("bind");
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
  return typeof actual === "string" && sameText(expected, actual);
}

/** Reads an envelope. Gives `undefined` for bytes that are not JSON in UTF-8. */
function decodeEnvelope(bytes: Uint8Array): Envelope | undefined {
  try {
    return parseEnvelope(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

function refusal(reason: RequestStateRefusal): Error {
  return new Error(reason);
}
