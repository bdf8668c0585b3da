import type { InferOutput, StandardSchemaV1 } from "../types.ts";
import type { FilteredResponses } from "./filter_responses.ts";
import {
  acceptedContent,
  inputResponse,
  type InputResponseView,
} from "./responses.ts";

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
