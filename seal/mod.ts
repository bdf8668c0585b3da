/**
 * Protects the `requestState` that travels through a client: signed or
 * encrypted, bound to its caller and its call, and short-lived.
 *
 * {@linkcode createSealer} does what an app does around every handler;
 * {@linkcode createRequestStateCodec} is for handlers that mint their own
 * tokens, and works together with the official SDK's. Signatures are computed
 * in place; only encryption needs Web Crypto.
 *
 * ```ts
 * import { createSealer, parseSealKeys, requestBinding } from "@parley/mcp/seal";
 * import assert from "node:assert/strict";
 *
 * const keys = parseSealKeys("0123456789abcdef0123456789abcdef");
 * const sealer = createSealer({ keys, encrypt: true });
 * const binding = requestBinding({
 *   subject: "ann",
 *   method: "tools/call",
 *   target: "delete_file",
 *   args: { path: "/a" },
 * });
 *
 * const sealed = await sealer.seal("job-7", binding);
 * assert.equal(await sealer.open(sealed, binding), "job-7");
 * ```
 *
 * @module
 */

export { createRequestStateCodec } from "./create_request_state_codec.ts";
export { createSealer } from "./create_sealer.ts";
export {
  canonicalJson,
  requestBinding,
  type RequestBindingParts,
} from "./request_binding.ts";
export type {
  RequestStateCodec,
  RequestStateCodecOptions,
  RequestStateRefusal,
} from "./request_state_codec.ts";
export { generateSealKey, parseSealKeys } from "./seal_keys.ts";
export type { Sealer, SealerOptions } from "./sealer.ts";
