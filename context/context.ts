import type {
  ClientCapabilities,
  Implementation,
  InferOutput,
  StandardSchemaV1,
} from "../types.ts";
import type {
  AskFunction,
  ConsentFunction,
  ContextInputs,
  InputRequiredSpec,
  RequestInputOptions,
} from "../input/mod.ts";
import type { ContextState } from "../state/mod.ts";
import type { ContentCollect, Enrich } from "./collected.ts";
import type {
  Recovery,
  TypedFail,
  TypedRecoveryFor,
} from "./error_contract.ts";
import type { ContextLogger } from "./log/logger.ts";
import type { RequestContext } from "./request_context.ts";

/** Suspends the call and asks the client; never returns. */
export type RequestInput = (
  spec: InputRequiredSpec,
  options?: RequestInputOptions,
) => never;

/** The part of the official SDK's handler context that concerns input. */
export interface McpRequestView {
  /** The answers of this round, limited to what the client declared. */
  readonly inputResponses: Readonly<Record<string, unknown>>;
  /** The state that came back, as the verifier decoded it. */
  requestState<T = string>(): T | undefined;
}

/**
 * What a tool, resource or prompt handler is given: who calls, a log, state,
 * input, cancellation. Parts that a handler does not touch are never made.
 */
export interface Context extends RequestContext {
  /** Logs to the process, and to the client when it wants log messages. */
  readonly log: ContextLogger;
  /** Key-value state of the caller's tenant. */
  readonly state: ContextState;
  /**
   * Suspends the call and asks the client. Never returns: the handler runs
   * again, from the top, with the answers on `inputs`.
   *
   * @throws {McpError} To a 2025-era client that cannot answer: -32600 with
   * `data.reason` `"client_capability_missing"`.
   */
  readonly requestInput: RequestInput;
  /** The answers that came with this round. */
  readonly inputs: ContextInputs;
  /**
   * Asks one question, or several at once, and gives the validated answers.
   *
   * **The handler runs again from the top in each round**: whatever stands
   * before an `ask` runs more than once, so make it idempotent.
   *
   * @throws {McpError} When the person declined or cancelled, with
   * `data.reason` `"input_declined"` or `"input_cancelled"`.
   */
  readonly ask: AskFunction;
  /**
   * Asks for consent to one thing, and returns only when this very question was
   * answered: once, to this caller, about this target and content. An answer may
   * still be a no.
   *
   * Act when nothing is left to ask: see {@linkcode ConsentFunction}.
   *
   * @throws {McpError} When the person declined or cancelled, as with `ask`;
   * `invalidRequest` for a caller without a tenant.
   */
  readonly consent: ConsentFunction;
  /** What the client declared it can do; `undefined` when nobody knows. */
  readonly clientCapabilities: ClientCapabilities | undefined;
  /** Name and version as the client declared them. Not verified. */
  readonly clientInfo: Implementation | undefined;
  /** Aborts when the call is cancelled, or a 2026-07-28 client is gone. */
  readonly signal: AbortSignal;
  /** The URI that is read; resource handlers only. */
  readonly uri?: URL | undefined;
  /** Adds facts about the result for the model. */
  readonly enrich: Enrich;
  /** Adds media blocks for the model. */
  readonly content: ContentCollect;
  /** What the official SDK calls `ctx.mcpReq`: answers and state. */
  readonly mcpReq: McpRequestView;
  /**
   * Reports progress, to a client that sent a progress token; else nothing
   * happens. A value that is not greater than the last one is left out.
   */
  progress(progress: number, total?: number, message?: string): void;
  /**
   * Lets the client go and come back for the answer, instead of holding its
   * connection for the length of a long call. A client of 2025-11-25 or later
   * in a resumable session is disconnected and reconnects by itself; what is
   * sent meanwhile waits for it. With any other client nothing happens.
   *
   * Specification: 2025-11-25, basic, transports, sending messages to the server.
   */
  detach(): void;
  /** Tells listeners that the list of tools changed. */
  notifyToolListChanged(): void;
  /** Tells listeners that the list of prompts changed. */
  notifyPromptListChanged(): void;
  /** Tells listeners that the list of resources changed. */
  notifyResourceListChanged(): void;
  /** Tells those who subscribed to `uri` that it changed. */
  notifyResourceUpdated(uri: string): void;
  /** The hint the definition declares for a reason; `{}` when there is none. */
  recoveryFor(reason: string): Recovery | Record<never, never>;
}

/** The fields a definition declares as enrichment. */
export type EnrichmentShape = Readonly<Record<string, StandardSchemaV1>>;

/** What a handler may write to declared enrichment fields. */
export type EnrichmentFields<E extends EnrichmentShape> = {
  [K in keyof E]?: InferOutput<E[K]> | undefined;
};

/**
 * The context of a handler whose definition declares errors or enrichment:
 * `fail`, `recoveryFor` and `enrich` know the declared names.
 *
 * @typeParam R The declared reasons.
 * @typeParam E The declared enrichment.
 */
export type HandlerContext<
  R extends string = never,
  E extends EnrichmentShape = Record<never, never>,
> =
  & Omit<Context, "enrich" | "recoveryFor">
  & {
    /** Adds facts about the result for the model. */
    readonly enrich: [keyof E] extends [never] ? Enrich
      : Enrich<EnrichmentFields<E>>;
  }
  & ([R] extends [never] ? Pick<Context, "recoveryFor"> : {
    /** Builds the error of a declared reason. */
    readonly fail: TypedFail<R>;
    /** The declared hint of a reason. */
    readonly recoveryFor: TypedRecoveryFor<R>;
  });
