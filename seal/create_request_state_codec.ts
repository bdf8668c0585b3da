import { checkTtlSeconds } from "./create_sealer.ts";
import { keyBytes } from "./seal_keys.ts";
import type {
  RequestStateCodec,
  RequestStateCodecOptions,
} from "./request_state_codec.ts";

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
  const key = keyBytes(options.key, "the requestState key");
  const { ttlSeconds = 600 } = options;
  checkTtlSeconds(ttlSeconds);
  const bind = options.bind?.bind(options);
  // Loaded with the first token: a handler that has one may never run.
  let codec: RequestStateCodec<T, C> | undefined;
  async function load(): Promise<RequestStateCodec<T, C>> {
    const { createTokenCodec } = await import("./_token_codec.ts");
    return codec ??= createTokenCodec<T, C>(key, { ttlSeconds, bind });
  }
  return {
    mint: (payload, ctx) =>
      codec?.mint(payload, ctx) ??
        load().then((loaded) => loaded.mint(payload, ctx)),
    verify: (state, ctx) =>
      codec?.verify(state, ctx) ??
        load().then((loaded) => loaded.verify(state, ctx)),
  };
}
