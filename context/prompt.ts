import type {
  GetPromptResult,
  Icon,
  InferOutput,
  InputRequiredResult,
  PromptMessage,
  StandardSchemaV1,
} from "../types.ts";
import type { CompletionCallbacks } from "./completion.ts";
import type { HandlerContext } from "./context.ts";
import type { ErrorContract, ReasonOf } from "./error_contract.ts";

import type { Awaitable } from "./tool.ts";

/** What a prompt's handler may return. */
export type PromptReturn =
  | string
  | PromptMessage
  | readonly PromptMessage[]
  | GetPromptResult;

/** What a prompt's handler is given: the validated arguments. */
export type PromptArgs<A> = A extends StandardSchemaV1 ? InferOutput<A>
  : Record<string, never>;

/** What {@linkcode prompt} takes. */
export interface PromptOptions<
  A extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
> {
  /** What the prompt is for. */
  description?: string;
  /** A name for people. */
  title?: string;
  /** The arguments; an object schema whose values are strings. */
  args?: A;
  /** The failures it may answer with. */
  errors?: C;
  /** Pictures for people. */
  icons?: readonly Icon[];
  /** Further metadata, sent with the definition. */
  _meta?: Readonly<Record<string, unknown>>;
  /** Scopes the caller must have. Checked before the handler runs. */
  auth?: readonly string[];
  /** Completes the arguments. */
  complete?: CompletionCallbacks;
  /**
   * Writes the prompt. Runs again from the top after each round of input.
   *
   * @param args The validated arguments.
   * @param ctx Who calls, and everything else a handler needs.
   */
  handler(
    args: PromptArgs<A>,
    ctx: HandlerContext<ReasonOf<C>>,
  ): Awaitable<PromptReturn | InputRequiredResult>;
}

/**
 * A prompt with the types of its schema, so that a test can call its handler
 * as it is.
 */
export interface TypedPrompt<
  A extends StandardSchemaV1 | undefined,
  C extends readonly ErrorContract[],
> extends Omit<PromptOptions<A, C>, "args"> {
  /** Tells the families of definitions apart. */
  readonly kind: "prompt";
  /** The name it is fetched by. */
  readonly name: string;
  /** The arguments. */
  readonly args: A;
}

/** A prompt, as {@linkcode prompt} makes it. */
export interface PromptDefinition {
  /** Tells the families of definitions apart. */
  readonly kind: "prompt";
  /** The name it is fetched by. */
  readonly name: string;
  /** What the prompt is for. */
  readonly description?: string | undefined;
  /** A name for people. */
  readonly title?: string | undefined;
  /** The arguments. */
  readonly args?: StandardSchemaV1 | undefined;
  /** The failures it may answer with. */
  readonly errors?: readonly ErrorContract[] | undefined;
  /** Pictures for people. */
  readonly icons?: readonly Icon[] | undefined;
  /** Further metadata. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** Scopes the caller must have. */
  readonly auth?: readonly string[] | undefined;
  /** Completes the arguments. */
  readonly complete?: CompletionCallbacks | undefined;
  /** Writes the prompt. */
  readonly handler: (args: never, ctx: never) => unknown;
}
