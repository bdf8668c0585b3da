/**
 * Questions in the middle of a call: what a handler asks the person at the
 * other end, and how it reads the answers that come back with the retry.
 *
 * A handler that asks **runs again from the top on every round**. Read what is
 * there first, ask for what is missing, and act once nothing is.
 *
 * ```ts
 * import { acceptedContent, inputRequired } from "@parley/mcp/input";
 * import { z } from "zod";
 * import assert from "node:assert/strict";
 *
 * const Confirm = z.object({ confirm: z.boolean() });
 *
 * function deploy(env: string, responses: Record<string, unknown>): unknown {
 *   const answer = acceptedContent(responses, "confirm", Confirm);
 *   if (answer?.confirm !== true) {
 *     return inputRequired({
 *       inputRequests: {
 *         confirm: inputRequired.elicit({
 *           message: `Deploy to ${env}?`,
 *           requestedSchema: Confirm,
 *         }),
 *       },
 *     });
 *   }
 *   return `Deployed to ${env}`;
 * }
 *
 * const confirm = { action: "accept", content: { confirm: true } };
 * assert.equal(deploy("prod", { confirm }), "Deployed to prod");
 * ```
 *
 * Everything that comes from a client is untrusted: {@linkcode filterResponses}
 * keeps what the client declared it can give, and the schema given to
 * {@linkcode acceptedContent} decides what reaches a handler.
 *
 * @module
 */

export {
  inputRequired,
  InputRequiredSignal,
  isInputRequiredResult,
} from "./input_required.ts";
export type {
  ElicitFormSpec,
  ElicitUrlSpec,
  InputRequiredBuilder,
  InputRequiredSpec,
  RequestInputOptions,
} from "./input_required.ts";
export { formSchema } from "./form_schema.ts";
export type { FormSchema } from "./form_schema.ts";
export {
  acceptedContent,
  CONSENT_TTL_SECONDS,
  inputResponse,
  MAX_CARRIED_BYTES,
} from "./responses.ts";
export type {
  ContextInputs,
  InputResponseMap,
  InputResponseView,
} from "./responses.ts";
export type {
  AcceptedUrlView,
  AskAnswer,
  AskFunction,
  AskMember,
  AskOptions,
  AskResult,
  AskSpec,
  DeclinedView,
  Exactly,
  FormAsk,
  RootsAsk,
  SamplingAsk,
  UrlAsk,
} from "./ask.ts";
export type {
  Consent,
  ConsentFunction,
  ConsentResult,
  ConsentSpec,
} from "./consent.ts";
