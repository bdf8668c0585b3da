import { type McpError, validationError } from "../errors.ts";
import type { AskAnswer, AskSpec, DeclinedView } from "./ask.ts";
import {
  inputResponse,
  type InputResponseMap,
  type InputResponseView,
} from "./responses.ts";

/** What {@linkcode readAnswer} found. */
export type AnswerReading<A extends AskSpec = AskSpec> =
  /** There is a valid answer. */
  | { status: "answered"; value: AskAnswer<A> }
  /** There is none, none of this kind, or none that passes the schema. */
  | { status: "missing" }
  /** The person refused. */
  | { status: "declined" | "cancelled"; view: DeclinedView };

/**
 * Reads the answer to a question. One that does not pass the schema is no
 * answer, and neither is one of another kind: the question stands.
 *
 * @param spec The question.
 * @param key The key it was put under.
 * @param responses The answers, limited to what the client declared.
 */
export function readAnswer<A extends AskSpec>(
  spec: A,
  key: string,
  responses: InputResponseMap,
): Promise<AnswerReading<A>>;
export function readAnswer(
  spec: AskSpec,
  key: string,
  responses: InputResponseMap,
): Promise<AnswerReading<AskSpec>> {
  return readView(spec, inputResponse(responses, key));
}

async function readView(
  spec: AskSpec,
  view: InputResponseView,
): Promise<AnswerReading<AskSpec>> {
  if ("sampling" in spec || "roots" in spec) {
    if ("sampling" in spec && view.kind === "sampling") {
      return { status: "answered", value: view.result };
    }
    return "roots" in spec && view.kind === "roots"
      ? { status: "answered", value: view.roots }
      : { status: "missing" };
  }
  if (view.kind !== "elicit") return { status: "missing" };
  const { kind, action, content } = view;
  if (action !== "accept") {
    const status = action === "decline" ? "declined" : "cancelled";
    return { status, view: { kind, action } };
  }
  if ("url" in spec) return { status: "answered", value: { kind, action } };
  if (content === undefined) return { status: "missing" };
  const outcome = await spec.schema["~standard"].validate(content);
  return outcome.issues === undefined
    ? { status: "answered", value: outcome.value }
    : { status: "missing" };
}

/**
 * Builds the error with which a refused question ends a call: a
 * `validationError` whose data carries `reason`, `"input_declined"` or
 * `"input_cancelled"`, and the `key` of the question.
 *
 * @param key The key the question was put under.
 * @param view What the person did.
 */
export function declineError(key: string, view: DeclinedView): McpError {
  const did = view.action === "decline" ? "declined" : "cancelled";
  return validationError(`The user ${did} the question "${key}"`, {
    reason: `input_${did}`,
    key,
  });
}
