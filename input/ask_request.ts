import type { InputRequest } from "../types.ts";
import type { AskSpec } from "./ask.ts";
import { inputRequired } from "./input_required.ts";

/**
 * Builds the request that puts a question.
 *
 * @throws {TypeError} When the question cannot be expressed.
 */
export function buildAskRequest(spec: AskSpec): InputRequest {
  if ("schema" in spec) {
    const { message, schema } = spec;
    return inputRequired.elicit({ message, requestedSchema: schema });
  }
  if ("url" in spec) {
    return inputRequired.elicitUrl({ message: spec.message, url: spec.url });
  }
  return "sampling" in spec
    ? inputRequired.createMessage(spec.sampling)
    : inputRequired.listRoots();
}
