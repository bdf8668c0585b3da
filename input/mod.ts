/**
 * Questions in the middle of a call: what a handler asks, and how it reads the
 * answers that come back with the retry.
 *
 * @module
 */
export { inputRequired } from "./input_required.ts";
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
