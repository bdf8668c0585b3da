import type {
  CreateMessageResult,
  CreateMessageResultWithTools,
  InferOutput,
  Root,
  StandardSchemaV1,
} from "../types.ts";
import { isJsonObject, type JsonObject, ownValue } from "./_json_schema.ts";

/** How long a consent record waits for its answer unless told, in seconds. */
export const CONSENT_TTL_SECONDS = 600;

/**
 * How much the answers that a call carries from round to round may take: 64 KiB
 * (65,536 bytes) of JSON in UTF-8. A form of a few fields takes 100 bytes or so.
 */
export const MAX_CARRIED_BYTES = 65_536;

/**
 * One answer, told apart by `kind`:
 *
 * - `missing`: there is none under the key, or it is of no known kind;
 * - `elicit`: a form or a page was accepted, declined or cancelled. `content`
 *   is there for an accepted form only;
 * - `sampling`: what the client's model said;
 * - `roots`: the client's roots.
 */
export type InputResponseView =
  | { kind: "missing" }
  | {
    kind: "elicit";
    action: "accept" | "decline" | "cancel";
    content?: Record<string, unknown>;
  }
  | {
    kind: "sampling";
    result: CreateMessageResult | CreateMessageResultWithTools;
  }
  | { kind: "roots"; roots: Root[] };

/** The answers of a call, by the key of their question. Untrusted. */
export type InputResponseMap = Readonly<Record<string, unknown>> | undefined;

/** Reads one entry of the answers by its shape. */
export function viewOf(entry: unknown): InputResponseView {
  if (!isJsonObject(entry)) return { kind: "missing" };
  const action = ownValue(entry, "action");
  if (action === "accept") {
    const content = ownValue(entry, "content");
    return isJsonObject(content)
      ? { kind: "elicit", action, content }
      : { kind: "elicit", action };
  }
  // Whatever comes with a refusal was not agreed to, so nobody gets to see it.
  if (action === "decline" || action === "cancel") {
    return { kind: "elicit", action };
  }
  const roots = ownValue(entry, "roots");
  if (Array.isArray(roots)) return { kind: "roots", roots };
  return isSamplingResult(entry)
    ? { kind: "sampling", result: entry }
    : { kind: "missing" };
}

function isSamplingResult(
  entry: JsonObject,
): entry is
  & JsonObject
  & (CreateMessageResult | CreateMessageResultWithTools) {
  return typeof ownValue(entry, "role") === "string" &&
    ownValue(entry, "content") !== undefined;
}

/**
 * Reads the answer under a key and says of which kind it is. This is the way
 * to tell a refusal from a question that was not put yet, and to read sampling
 * and roots answers.
 *
 * What it gives came from the client and is not checked any further.
 *
 * @param responses The answers of the call, such as `ctx.inputs.responses`.
 * @param key The key the question was put under.
 */
export function inputResponse(
  responses: InputResponseMap,
  key: string,
): InputResponseView {
  return isJsonObject(responses)
    ? viewOf(ownValue(responses, key))
    : { kind: "missing" };
}

/**
 * Reads the content of an accepted form. Gives `undefined` when there is none:
 * missing, declined, cancelled, or of another kind.
 *
 * What it gives came from the client and is not checked; give a schema to have
 * it checked.
 *
 * @typeParam T What the caller takes the content to be.
 * @param responses The answers of the call, such as `ctx.inputs.responses`.
 * @param key The key the question was put under.
 */
export function acceptedContent<
  T extends Record<string, unknown> = Record<string, unknown>,
>(responses: InputResponseMap, key: string): T | undefined;
/**
 * Reads the content of an accepted form through a schema. Gives `undefined`
 * when there is none, and also when it does not pass the schema.
 *
 * @typeParam S The schema.
 * @param responses The answers of the call, such as `ctx.inputs.responses`.
 * @param key The key the question was put under.
 * @param schema What the content must be: any Standard Schema.
 * @throws {TypeError} When the schema validates asynchronously.
 */
export function acceptedContent<S extends StandardSchemaV1>(
  responses: InputResponseMap,
  key: string,
  schema: S,
): InferOutput<S> | undefined;
export function acceptedContent(
  responses: InputResponseMap,
  key: string,
  schema?: StandardSchemaV1,
): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.content === undefined) return undefined;
  if (schema === undefined) return view.content;
  const outcome = schema["~standard"].validate(view.content);
  if (outcome instanceof Promise) {
    // Nobody will wait for it, and its failure must not end the process.
    outcome.catch(() => {});
    throw new TypeError(
      `Cannot read the answer "${key}": its schema validates asynchronously, and acceptedContent() needs one that does not`,
    );
  }
  return outcome.issues === undefined ? outcome.value : undefined;
}

/** The type of `ctx.inputs`: what the caller sent along with a call. */
export interface ContextInputs {
  /**
   * The answers of this round, by the key of their question, limited to what
   * the client declared it can give. Untrusted, and empty when there are none.
   */
  readonly responses: Readonly<Record<string, unknown>>;

  /**
   * The keys of the answers that were left out of
   * {@linkcode ContextInputs.responses}: wrapped in a message, of no known
   * kind, or of a kind that the client did not declare.
   */
  readonly dropped: readonly string[];

  /** Reads one answer and says of which kind it is. */
  view(key: string): InputResponseView;

  /**
   * Reads the content of an accepted form, unchecked. Gives `undefined` when
   * there is none.
   */
  accepted<T extends Record<string, unknown> = Record<string, unknown>>(
    key: string,
  ): T | undefined;

  /**
   * Reads the content of an accepted form through a schema. Gives `undefined`
   * when there is none, and also when it does not pass the schema.
   *
   * @throws {TypeError} When the schema validates asynchronously.
   */
  accepted<S extends StandardSchemaV1>(
    key: string,
    schema: S,
  ): InferOutput<S> | undefined;

  /**
   * Reads the state that the last round sent along with its questions: the
   * string as it was, or what a codec made of it. `undefined` on a first call.
   */
  state<T = string>(): T | undefined;
}

/** What `filterResponses` kept and what it did not. */
export interface FilteredResponses {
  /** The answers a handler may see. It has no prototype. */
  responses: Record<string, unknown>;
  /** The keys of all the others, in the order they came. */
  dropped: string[];
}

/** What {@linkcode createContextInputs} takes. */
export interface ContextInputsSource {
  /** The answers of the call, filtered; `undefined` when it came with none. */
  received: FilteredResponses | undefined;
  /** The state of the last round, verified if it was sealed. */
  state?: unknown;
}

/** Makes the `ctx.inputs` of one call. */
export function createContextInputs(
  source: ContextInputsSource,
): ContextInputs {
  return new RequestInputs(source);
}

class RequestInputs implements ContextInputs {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly dropped: readonly string[];
  readonly #state: unknown;

  constructor({ received, state }: ContextInputsSource) {
    this.responses = received?.responses ?? Object.create(null);
    this.dropped = received?.dropped ?? [];
    this.#state = state;
  }

  view(key: string): InputResponseView {
    return inputResponse(this.responses, key);
  }

  accepted<T extends Record<string, unknown>>(key: string): T | undefined;
  accepted<S extends StandardSchemaV1>(
    key: string,
    schema: S,
  ): InferOutput<S> | undefined;
  accepted(key: string, schema?: StandardSchemaV1): unknown {
    return schema === undefined
      ? acceptedContent(this.responses, key)
      : acceptedContent(this.responses, key, schema);
  }

  // What the state is of is known to the handler that sent it, and to no one here.
  state<T>(): T | undefined {
    return this.#state as T | undefined;
  }
}
