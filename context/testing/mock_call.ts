import type { ClientCapabilities, Implementation } from "../../types.ts";
import {
  memoryState,
  type StateBackend,
  type StateSpan,
} from "../../state/mod.ts";
import { refuseQuestions } from "../../input/capabilities.ts";
import { unpackCarry } from "../../input/carry.ts";
import { filterResponses } from "../../input/filter_responses.ts";
import type { FilteredResponses } from "../../input/responses.ts";
import type { AuthContext } from "../auth_context.ts";
import type {
  AppServices,
  Call,
  RefuseQuestions,
  ServerEvent,
  SpanIds,
} from "../call.ts";
import type { ErrorContract } from "../error_contract.ts";
import { clientPayload } from "../log/client_payload.ts";
import { createLogFloor, type LogLevel } from "../log/levels.ts";
import * as logTape from "../log/log_tape.ts";
import type { LogDelivery } from "../log/logger.ts";
import { useWriter } from "../log/process_log.ts";
import type { JsonObject } from "../log/to_json.ts";
import type { MockContextOptions } from "./mock_context_options.ts";

/** One line that a handler logged, as a client would get it: secrets masked. */
export interface CapturedLog {
  /** How severe it is. */
  readonly level: LogLevel;
  /** The message. */
  readonly message: string;
  /** Its fields, `error` among them. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** One report of progress. */
export interface CapturedProgress {
  /** How far it is. */
  readonly progress: number;
  /** How far it goes, where that was said. */
  readonly total?: number;
  /** What is being done, where that was said. */
  readonly message?: string;
}

const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/** A call without a transport: what would be sent is kept. */
export class MockCall implements Call {
  readonly services: AppServices;
  readonly era: "modern" | "legacy";
  readonly method: string;
  readonly target: string;
  readonly requestId: string;
  readonly startedAt: number = Date.now();
  readonly tenantId: string | undefined;
  readonly auth: AuthContext | undefined;
  readonly sessionId: string | undefined;
  readonly span: SpanIds | undefined;
  readonly stateSpan: StateSpan | undefined = undefined;
  readonly clientInfo: Implementation | undefined;
  readonly clientCapabilities: ClientCapabilities | undefined;
  readonly uri: URL | undefined;
  readonly contract: readonly ErrorContract[] | undefined;
  readonly refuse: RefuseQuestions | undefined;
  readonly inputResponses: FilteredResponses;
  readonly requestState: unknown;
  readonly sentState: string | undefined;
  readonly carriedAnswers: Readonly<Record<string, unknown>>;
  readonly logs: CapturedLog[] = [];
  readonly events: ServerEvent[] = [];
  readonly reports: CapturedProgress[] = [];
  readonly #options: MockContextOptions;
  readonly #signal: AbortSignal;

  constructor(options: MockContextOptions) {
    const { uri, auth } = options;
    this.#options = options;
    // A test reads what was logged at once.
    useWriter(logTape);
    this.#signal = options.signal ?? new AbortController().signal;
    this.services = this.#services(options.state ?? memoryState());
    this.era = options.era ?? "modern";
    this.method = options.method ??
      (uri === undefined ? "tools/call" : "resources/read");
    this.uri = uri === undefined ? undefined : new URL(uri);
    this.target = options.target ?? this.uri?.href ?? "test";
    this.requestId = options.requestId ?? crypto.randomUUID();
    this.tenantId = "tenantId" in options
      ? options.tenantId
      : auth === undefined
      ? "default"
      : auth.tenantId;
    this.auth = auth;
    this.sessionId = options.sessionId;
    const { traceId, spanId } = options;
    this.span = traceId !== undefined && spanId !== undefined
      ? { traceId, spanId }
      : undefined;
    this.clientInfo = options.clientInfo;
    this.clientCapabilities = "clientCapabilities" in options
      ? options.clientCapabilities
      : EVERYTHING;
    this.contract = options.errors;
    this.refuse = this.era === "legacy" ? refuseQuestions : undefined;
    this.inputResponses = filterResponses(
      options.inputResponses,
      this.clientCapabilities,
    );
    const { requestState, carriedAnswers } = options;
    const carry = unpackCarry(
      typeof requestState === "string" ? requestState : undefined,
    );
    this.sentState = carry.state;
    this.requestState = typeof requestState === "string"
      ? carry.state
      : requestState;
    this.carriedAnswers = { ...carry.answers, ...carriedAnswers };
  }

  #services(backend: StateBackend): AppServices {
    return {
      backend,
      logFloor: createLogFloor(this.#options.logLevel ?? "debug"),
      publish: (event) => this.#publish(event),
    };
  }

  signal(): AbortSignal {
    return this.#signal;
  }

  /** There is no client to let go. */
  detach(): void {}

  logDelivery(): LogDelivery {
    return {
      allows: () => true,
      payloadOf: clientPayload,
      send: (level, { message, ...data }: JsonObject) => {
        this.logs.push({ level, message: String(message), data });
      },
    };
  }

  progress(progress: number, total?: number, message?: string): void {
    const last = this.reports.at(-1)?.progress ?? -Infinity;
    if (!(progress > last)) return;
    this.reports.push({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }

  #publish(event: ServerEvent): void {
    this.events.push(event);
    const options = this.#options;
    switch (event.kind) {
      case "tools_list_changed":
        return options.notifyToolListChanged?.();
      case "prompts_list_changed":
        return options.notifyPromptListChanged?.();
      case "resources_list_changed":
        return options.notifyResourceListChanged?.();
      case "resource_updated":
        return options.notifyResourceUpdated?.(event.uri);
    }
  }
}
