import type {
  ClientCapabilities,
  ContentBlock,
  Implementation,
} from "../types.ts";
import type {
  AskFunction,
  ConsentFunction,
  ContextInputs,
} from "../input/mod.ts";
import { type ContextState, createTenantState } from "../state/mod.ts";
import type { AuthContext } from "./auth_context.ts";
import type { Call } from "./call.ts";
import { type ContentCollect, createContentCollect } from "./content.ts";
import type { Context, McpRequestView, RequestInput } from "./context.ts";
import {
  createEnrich,
  createEnrichmentStore,
  type Enrich,
  type EnrichmentStore,
} from "./enrich.ts";
import { failFrom, recoveryFrom, type TypedFail } from "./error_contract.ts";
import { InputRound } from "./input_round.ts";
import { type ContextLogger, createContextLogger } from "./log/logger.ts";

/**
 * The {@linkcode Context} of one call. Every part is made when it is first
 * read, so that a handler pays for nothing it does not use.
 */
export class CallContext implements Context {
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
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get timestamp(): string {
    return new Date(this.#call.startedAt).toISOString();
  }

  get tenantId(): string | undefined {
    return this.#call.tenantId;
  }

  get sessionId(): string | undefined {
    return this.#call.sessionId;
  }

  get traceId(): string | undefined {
    return this.#call.span?.traceId;
  }

  get spanId(): string | undefined {
    return this.#call.span?.spanId;
  }

  get auth(): AuthContext | undefined {
    return this.#call.auth;
  }

  get operation(): string {
    return `${this.#call.method} ${this.#call.target}`;
  }

  get extra(): undefined {
    return undefined;
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
    const { logFloor, redactor } = this.#call.services;
    const sink = this.#call.logSink();
    return createContextLogger({
      context: this,
      floor: logFloor,
      redactor,
      ...(sink !== undefined && {
        send: (level, payload) => sink.send(level, payload),
        sendAllows: (level) => sink.allows(level),
      }),
    });
  }

  get state(): ContextState {
    return this.#state ??= createTenantState(
      this.#call.services.backend,
      this.#call.tenantId,
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
