import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  InferOutput,
  Root,
  StandardSchemaV1,
  StandardSchemaWithJSON,
} from "../types.ts";

/** What every question can say besides itself. */
export interface AskOptions {
  /**
   * What a declined or cancelled question does: `"throw"` ends the call with
   * an error; `"return"` gives the handler a {@linkcode DeclinedView} instead
   * of an answer.
   *
   * @default "throw"
   */
  onDecline?: "throw" | "return";
  /**
   * A sentence for callers whose client cannot be asked: how to supply the
   * answer in the call itself. See `RequestInputOptions.fallbackHint`.
   *
   * @default undefined
   */
  fallbackHint?: string;
}

/** A question that the client shows as a form. */
export interface FormAsk<
  S extends StandardSchemaWithJSON = StandardSchemaWithJSON,
> extends AskOptions {
  /** What the person is asked. */
  message: string;
  /** The fields of the form; the answer is what the schema makes of them. */
  schema: S;
}

/** A page that the person is sent to, such as one to sign in on. */
export interface UrlAsk extends AskOptions {
  /** Why the person should go there. */
  message: string;
  /** Where to: an absolute URL. */
  url: string;
}

/** A request to the client's model. */
export interface SamplingAsk extends AskOptions {
  /** What the model is asked. */
  sampling: CreateMessageRequestParams;
}

/** A request for the client's roots. */
export interface RootsAsk extends AskOptions {
  /** Always `true`. */
  roots: true;
}

/** One question of `ctx.ask`, told apart by its members. */
export type AskSpec = FormAsk | UrlAsk | SamplingAsk | RootsAsk;

/** The members that some question has. */
export type AskMember =
  | keyof FormAsk
  | keyof UrlAsk
  | keyof SamplingAsk
  | keyof RootsAsk;

/**
 * Makes any member but these a compile error. A literal gets that check by
 * itself, but not where its type is inferred.
 */
export type Exactly<A, Member extends PropertyKey> =
  & A
  & { [K in Exclude<keyof A, Member>]: never };

/** What `onDecline: "return"` gives for a refused question. */
export interface DeclinedView {
  /** Always `"elicit"`: only people refuse. */
  kind: "elicit";
  /** Whether the person said no, or did not say. */
  action: "decline" | "cancel";
}

/** What an accepted {@linkcode UrlAsk} gives. It says nothing of the outcome. */
export interface AcceptedUrlView {
  /** Always `"elicit"`. */
  kind: "elicit";
  /** Always `"accept"`: the person agreed to open the page. */
  action: "accept";
}

/** What a question gives when it is answered. */
export type AskAnswer<A extends AskSpec = AskSpec> = A extends
  { schema: infer S extends StandardSchemaV1 } ? InferOutput<S>
  : A extends { sampling: CreateMessageRequestParams }
    ? CreateMessageResult | CreateMessageResultWithTools
  : A extends { roots: true } ? Root[]
  : A extends { url: string } ? AcceptedUrlView
  : never;

/** What `ctx.ask` gives for a question, refusals included. */
export type AskResult<A extends AskSpec = AskSpec> =
  | AskAnswer<A>
  | (A extends { onDecline: "return" } ? DeclinedView : never);

/**
 * The type of `ctx.ask`. It gives the answer if there is one, from this round
 * or an earlier one, and otherwise suspends the call until it comes. The
 * handler then **runs again from the top**, so everything before the question
 * happens once more on each round.
 *
 * Questions that are put side by side, as with `Promise.all`, go out in one
 * round. A question that was put suspends the call, whatever becomes of what
 * `ask` threw.
 *
 * Answers travel in the request state, and are validated again in each round;
 * one that no longer holds is asked for anew. Together they may take 64 KiB
 * ({@linkcode MAX_CARRIED_BYTES}): ask for what is larger last, as the last
 * answers of a call travel no further. Without a seal they are the client's word.
 *
 * One key stands for one question of a call.
 */
export interface AskFunction {
  /**
   * Puts one question.
   *
   * @param key Tells the question from the others of this call.
   * @param spec The question.
   * @throws {McpError} `validationError` with `data.reason` `"input_declined"`
   * or `"input_cancelled"`, unless `onDecline` is `"return"`.
   * @throws {TypeError} When the question cannot be expressed, or the key
   * stands for another question of this call or begins with `parley.`.
   */
  <A extends AskSpec>(
    key: string,
    spec: Exactly<A, AskMember>,
  ): Promise<AskResult<A>>;
  /**
   * Puts several questions in one round, and gives their answers by key.
   *
   * @param specs The questions by key.
   * @throws {McpError} `validationError` with `data.reason` `"input_declined"`
   * or `"input_cancelled"`, unless `onDecline` is `"return"`.
   * @throws {TypeError} When a question cannot be expressed, or its key stands
   * for another question of this call or begins with `parley.`.
   */
  <A extends Record<string, AskSpec>>(
    specs: A & { [K in keyof A]: Exactly<A[K], AskMember> },
  ): Promise<{ [K in keyof A]: AskResult<A[K]> }>;
}
