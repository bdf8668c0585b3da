/**
 * MCP servers whose handlers can stop in the middle of a call, ask the person
 * at the other end, and go on safely with the answer.
 *
 * ```ts
 * import { createApp, tool, z } from "@parley/mcp";
 *
 * export const greet = tool("greet", {
 *   description: "Greet someone.",
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler({ name }, ctx) {
 *     ctx.log.info("greeting", { name });
 *     return { greeting: `Hello, ${name}` };
 *   },
 * });
 *
 * export default createApp({ name: "hello", version: "1.0.0", tools: [greet] });
 * ```
 *
 * @module
 */
import "./transport/at_start.ts";
export { z } from "zod";
export * from "./errors.ts";

// From where they are: a start has the fewer modules to load.
export { checkScopes } from "./context/auth_context.ts";
export { prompt, resource, tool } from "./context/define.ts";
export { getLogLevel, setLogLevel } from "./context/log/levels.ts";
export { logger } from "./context/log/logger.ts";
export { configureLogging } from "./context/log/process_log.ts";
export { setSensitiveFields } from "./context/log/sensitive_fields.ts";
export { createRequestContext, withExtra } from "./context/request_context.ts";
export { formSchema } from "./input/form_schema.ts";
export {
  inputRequired,
  InputRequiredSignal,
  isInputRequiredResult,
} from "./input/input_required.ts";
export {
  acceptedContent,
  CONSENT_TTL_SECONDS,
  inputResponse,
  MAX_CARRIED_BYTES,
} from "./input/responses.ts";
export { createRequestStateCodec } from "./seal/create_request_state_codec.ts";
export { createSealer } from "./seal/create_sealer.ts";
export { canonicalJson, requestBinding } from "./seal/request_binding.ts";
export { generateSealKey, parseSealKeys } from "./seal/seal_keys.ts";
export { defaultState, parseStateTarget } from "./state/default_state.ts";
export { kvState } from "./state/kv.ts";
export { keyPart, StateLimits } from "./state/limits.ts";
export { memoryState } from "./state/memory.ts";
export { createTenantState } from "./state/tenant_state.ts";
export { createApp } from "./transport/create_app.ts";
export { createEventBus, createSharedBus } from "./transport/event_bus.ts";

export type * from "./context/mod.ts";
export type * from "./input/mod.ts";
export type * from "./seal/mod.ts";
export type * from "./state/mod.ts";
export type * from "./transport/mod.ts";
export type * from "./types.ts";
