/**
 * Questions in the middle of a call: what a handler asks, and how it reads the
 * answers that come back with the retry.
 *
 * @module
 */
export { assertInputRequired, inputRequired } from "./input_required.ts";
export type {
  ElicitFormSpec,
  ElicitUrlSpec,
  InputRequiredBuilder,
  InputRequiredSpec,
} from "./input_required.ts";
export { formSchema } from "./form_schema.ts";
export type { FormSchema } from "./form_schema.ts";
export { acceptedContent, inputResponse } from "./responses.ts";
export type { InputResponseMap, InputResponseView } from "./responses.ts";
export { InputRequiredSignal, isInputRequiredResult } from "./signal.ts";
export type { RequestInputOptions } from "./signal.ts";
export {
  capabilityRefusal,
  describeCapability,
  missingCapabilities,
  missingCapabilityError,
} from "./capabilities.ts";
export type { CapabilityRefusalOptions } from "./capabilities.ts";
export { filterResponses } from "./filter_responses.ts";
export type { FilteredResponses } from "./filter_responses.ts";
export { createContextInputs } from "./context_inputs.ts";
export type { ContextInputs, ContextInputsSource } from "./context_inputs.ts";
export { MAX_CARRIED_BYTES, packCarry, unpackCarry } from "./carry.ts";
export type { Carry, UnpackedCarry } from "./carry.ts";
export { buildAskRequest, declineError, readAnswer } from "./ask.ts";
export type {
  AcceptedUrlView,
  AnswerReading,
  AskAnswer,
  AskFunction,
  AskOptions,
  AskResult,
  AskSpec,
  DeclinedView,
  FormAsk,
  RootsAsk,
  SamplingAsk,
  UrlAsk,
} from "./ask.ts";
export {
  CONSENT_TTL_SECONDS,
  consentRecord,
  hashContent,
  recordsEqual,
} from "./consent.ts";
export type {
  Consent,
  ConsentFunction,
  ConsentRecord,
  ConsentRecordParts,
  ConsentResult,
  ConsentSpec,
} from "./consent.ts";
