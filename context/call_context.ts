import type {
  AskFunction,
  ConsentFunction,
  ContextInputs,
} from "../input/mod.ts";
import type { ContextState } from "../state/context_state.ts";
import { createTenantState } from "../state/tenant_state.ts";
import type {
  ClientCapabilities,
  ContentBlock,
  Implementation,
} from "../types.ts";
import type { AuthContext } from "./auth_context.ts";
import type { Call } from "./call.ts";
import {
  type ContentCollect,
  createContentCollect,
  createEnrich,
  createEnrichmentStore,
  type Enrich,
  type EnrichmentStore,
} from "./collected.ts";
import type { Context, McpRequestView, RequestInput } from "./context.ts";
import { failFrom, recoveryFrom, type TypedFail } from "./error_contract.ts";
import { InputRound } from "./input_round.ts";
import { type ContextLogger, createContextLogger } from "./log/logger.ts";
import type { RequestContext } from "./request_context.ts";

/**
 * The {@linkcode Context} of one call. What identifies the call stands in
 * fields of its own, so that `{ ...ctx, extra }` copies it; every other part is
 * made when it is first read, and is in no copy.
 */
export class CallContext implements Context {
  // Remembers nothing but the text of the last timestamp.
  static readonly #isoTime: IsoTime = createIsoTime();
  readonly requestId: string;
  readonly timestamp: string;
  readonly tenantId: string | undefined;
  readonly sessionId: string | undefined;
  readonly traceId: string | undefined;
  readonly spanId: string | undefined;
  readonly auth: AuthContext | undefined;
  readonly operation: string;
  readonly extra: undefined;
  readonly #call: Call;
  #log: ContextLogger | undefined;
  #state: ContextState | undefined;
  #round: InputRound | undefined;
  #enrichment: EnrichmentStore | undefined;
  #enrich: Enrich | undefined;
  #blocks: ContentBlock[] | undefined;
  #content: ContentCollect | undefined;

  constructor(call: Call) {
    this.#call = call;
    const { span } = call;
    this.requestId = call.requestId;
    this.timestamp = CallContext.#isoTime(call.startedAt);
    this.tenantId = call.tenantId;
    this.sessionId = call.sessionId;
    this.traceId = span?.traceId;
    this.spanId = span?.spanId;
    this.auth = call.auth;
    this.operation = `${call.method} ${call.target}`;
    this.extra = undefined;
  }

  /** What a log line or an error shows of it: who calls, without the claims. */
  toJSON(): RequestContext {
    const { auth: _, ...identity } = this;
    return identity;
  }

  get uri(): URL | undefined {
    return this.#call.uri;
  }

  get clientCapabilities(): ClientCapabilities | undefined {
    return this.#call.clientCapabilities;
  }

  get clientInfo(): Implementation | undefined {
    return this.#call.clientInfo;
  }

  get signal(): AbortSignal {
    return this.#call.signal();
  }

  get log(): ContextLogger {
    return this.#log ??= this.#createLog();
  }

  #createLog(): ContextLogger {
    return createContextLogger({
      context: this,
      floor: this.#call.services.logFloor,
      delivery: this.#call.logDelivery(),
    });
  }

  get state(): ContextState {
    return this.#state ??= createTenantState(
      this.#call.services.backend,
      this.#call.tenantId,
      { span: this.#call.stateSpan },
    );
  }

  get inputs(): ContextInputs {
    return this.round.inputs;
  }

  /** The questions and answers of this round. */
  get round(): InputRound {
    return this.#round ??= new InputRound(this.#call);
  }

  /** The round, if the handler touched it. */
  get touchedRound(): InputRound | undefined {
    return this.#round;
  }

  get mcpReq(): McpRequestView {
    const { inputs } = this;
    return {
      inputResponses: inputs.responses,
      requestState: <T>() => inputs.state<T>(),
    };
  }

  // Functions are handed out bound, so that they work when taken apart.
  get requestInput(): RequestInput {
    return (spec, options) => this.round.requestInput(spec, options);
  }

  get ask(): AskFunction {
    return this.round.ask;
  }

  get consent(): ConsentFunction {
    return this.round.consent;
  }

  get enrich(): Enrich {
    return this.#enrich ??= createEnrich(
      this.#enrichment ??= createEnrichmentStore(),
    );
  }

  /** What the handler enriched the result with. */
  get enrichment(): EnrichmentStore | undefined {
    return this.#enrichment;
  }

  get content(): ContentCollect {
    return this.#content ??= createContentCollect(this.#blocks ??= []);
  }

  /** The media blocks the handler collected. */
  get blocks(): readonly ContentBlock[] | undefined {
    return this.#blocks;
  }

  get progress(): Context["progress"] {
    return (progress, total, message) =>
      this.#call.progress(progress, total, message);
  }

  get detach(): () => void {
    return () => this.#call.detach();
  }

  get notifyToolListChanged(): () => void {
    return () => this.#call.services.publish({ kind: "tools_list_changed" });
  }

  get notifyPromptListChanged(): () => void {
    return () => this.#call.services.publish({ kind: "prompts_list_changed" });
  }

  get notifyResourceListChanged(): () => void {
    return () =>
      this.#call.services.publish({ kind: "resources_list_changed" });
  }

  get notifyResourceUpdated(): (uri: string) => void {
    return (uri) =>
      this.#call.services.publish({ kind: "resource_updated", uri });
  }

  get recoveryFor(): Context["recoveryFor"] {
    return (reason) => recoveryFrom(this.#call.contract, reason);
  }

  /** Builds the error of a declared reason; typed on `HandlerContext`. */
  get fail(): TypedFail<string> {
    return (reason, message, data, options) =>
      failFrom(this.#call.contract ?? [], reason, message, data, options);
  }
}

/** Writes a time as ISO 8601 text. */
type IsoTime = (ms: number) => string;

/**
 * Makes an {@linkcode IsoTime} that remembers the last text: many requests
 * begin in the same millisecond, and writing a date takes longer than all
 * else that is known of them.
 */
function createIsoTime(): IsoTime {
  let last = NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) {
      text = new Date(ms).toISOString();
      last = ms;
    }
    return text;
  };
}
