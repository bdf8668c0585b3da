import type { ClientCapabilities, Implementation } from "../types.ts";
import type { AuthContext } from "../context/auth_context.ts";
import type { Call, RefuseQuestions, SpanIds } from "../context/call.ts";
import type { FilteredResponses } from "../input/responses.ts";
import type { StateSpan } from "../state/mod.ts";
import type { ErrorContract } from "../context/error_contract.ts";
import { levelRank, type LogLevel } from "../context/log/levels.ts";
import type { ClientPayload, LogDelivery } from "../context/log/logger.ts";
import {
  type JsonObject,
  notificationMessage,
  type RequestId,
  wellFormed,
} from "./json_rpc.ts";
import type { Era } from "./protocol.ts";
import type { CallServices, StoppableCall } from "./running_calls.ts";

/** The way back to the client of one request, as the exchange uses it. */
export interface ReplyPort {
  /** What the request came by; HTTP by default. */
  readonly transport?: "http" | "stdio";
  /** Whether something was sent, so that a status can no longer be chosen. */
  readonly committed?: boolean;
  /** Sends a message that belongs to the request, ahead of its answer. */
  send(message: string): void;
  /** Called once, when someone wants to know of the client's leaving. */
  watch?(): void;
  /** Lets the client go, where it can come back for the answer. */
  detach?(): void;
}

/** Who sends a request, and as what. */
export interface Caller {
  /** The family of revisions it speaks. */
  readonly era: Era;
  /** What its credentials say. */
  readonly auth: AuthContext | undefined;
  /** Whose state it works on. */
  readonly tenantId: string | undefined;
  /** Its session, where handlers may see it. */
  readonly sessionId: string | undefined;
  /** What it can do; `undefined` when nobody knows. */
  readonly clientCapabilities: ClientCapabilities | undefined;
  /** Who it says it is. */
  readonly clientInfo: Implementation | undefined;
  /** The level from which it wants log messages; none when undefined. */
  readonly logLevel: LogLevel | undefined;
  /** The revision it speaks. */
  readonly version?: string | undefined;
  /** Refuses questions that it cannot be asked, where the handler stands. */
  readonly refuse?: RefuseQuestions | undefined;
}

/** What came back with a retry: answers, and the state they belong to. */
export interface ReceivedInput {
  /** `inputResponses` as sent. */
  readonly responses: unknown;
  /** The handler's own state, verified and opened. */
  readonly state: unknown;
  /** The same as the handler sent it, before a verifier read it. */
  readonly sentState: string | undefined;
  /** Answers of earlier rounds. */
  readonly carried: Readonly<Record<string, unknown>>;
}

/** A failure, as telemetry tells of it. */
export interface RecordedFailure {
  /** What the client is told. */
  readonly message: string;
  /** What was thrown, where it was a fault of the server. */
  readonly fault: unknown;
}

const NO_ARGUMENTS: JsonObject = {};

const NOTHING_RECEIVED: ReceivedInput = {
  responses: undefined,
  state: undefined,
  sentState: undefined,
  carried: {},
};

/**
 * One request from its arrival to its answer: what the transport knows of it,
 * and the only way for a handler to reach the client.
 */
export class Exchange implements Call, StoppableCall {
  readonly startedAt: number = Date.now();
  target = "";
  /** The arguments of the call, to which request state is bound. */
  args: JsonObject = NO_ARGUMENTS;
  uri: URL | undefined;
  contract: readonly ErrorContract[] | undefined;
  span: SpanIds | undefined;
  stateSpan: StateSpan | undefined;
  /** The id of the JSON-RPC request. */
  rpcId: RequestId | undefined;
  /** How the last run of the handler failed, where it did. */
  failure: RecordedFailure | undefined;
  received: ReceivedInput = NOTHING_RECEIVED;
  /** Makes what the client is told of a log line; without it, it is told none. */
  payloadOf: ClientPayload | undefined;
  /** The answers that were received, and that handlers may see. */
  answers: FilteredResponses | undefined;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #reason: unknown;
  /** Cancelled: the client is gone, or wants no answer. */
  #aborted = false;
  /** Told to stop: the client still gets an answer. */
  #stopped = false;
  #done = false;
  #lastProgress = -Infinity;

  constructor(
    readonly services: CallServices,
    readonly caller: Caller,
    readonly method: string,
    readonly progressToken: string | number | undefined,
    readonly port: ReplyPort | undefined,
  ) {}

  get requestId(): string {
    return this.#requestId ??= crypto.randomUUID();
  }

  get era(): Era {
    return this.caller.era;
  }

  get auth(): AuthContext | undefined {
    return this.caller.auth;
  }

  get tenantId(): string | undefined {
    return this.caller.tenantId;
  }

  get sessionId(): string | undefined {
    return this.caller.sessionId;
  }

  get clientInfo(): Implementation | undefined {
    return this.caller.clientInfo;
  }

  get clientCapabilities(): ClientCapabilities | undefined {
    return this.caller.clientCapabilities;
  }

  get refuse(): RefuseQuestions | undefined {
    return this.caller.refuse;
  }

  get inputResponses(): FilteredResponses | undefined {
    return this.answers;
  }

  get requestState(): unknown {
    return this.received.state;
  }

  get sentState(): string | undefined {
    return this.received.sentState;
  }

  get carriedAnswers(): Readonly<Record<string, unknown>> {
    return this.received.carried;
  }

  /** Whether the call was cancelled before it was answered. */
  get cancelled(): boolean {
    return this.#aborted;
  }

  signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted || this.#stopped) {
        this.#controller.abort(this.#reason);
      } else if (!this.#done) {
        this.services.running.watch(this);
        this.port?.watch?.();
      }
    }
    return this.#controller.signal;
  }

  /** Cancels the call; nothing more is sent for it. Too late, it does nothing. */
  cancel(reason: unknown): void {
    if (this.#done || this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    if (this.#controller === undefined) return;
    this.services.running.forget(this);
    this.#controller.abort(reason);
  }

  /** Aborts the signal of the handler; the call is still answered. */
  abort(reason: unknown): void {
    if (this.#done || this.#aborted || this.#stopped) return;
    this.#stopped = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }

  /** Marks the call as answered; what is sent afterwards goes nowhere. */
  finish(): void {
    this.#done = true;
    if (this.#controller !== undefined) this.services.running.forget(this);
  }

  /** Sends a notification that belongs to this request. */
  notify(method: string, params: JsonObject): void {
    if (this.#done || this.#aborted) return;
    this.port?.send(
      wellFormed(notificationMessage(method, JSON.stringify(params))),
    );
  }

  detach(): void {
    if (!this.#done && !this.#aborted) this.port?.detach?.();
  }

  logDelivery(): LogDelivery | undefined {
    const { caller: { logLevel }, port, payloadOf } = this;
    if (
      logLevel === undefined || port === undefined || payloadOf === undefined
    ) return undefined;
    const rank = levelRank(logLevel);
    return {
      payloadOf,
      allows: (level) => levelRank(level) >= rank,
      send: (level, data) =>
        this.notify("notifications/message", { level, data }),
    };
  }

  progress(progress: number, total?: number, message?: string): void {
    // 2025-03-26 and later: the value must increase with each notification.
    if (this.progressToken === undefined || !(progress > this.#lastProgress)) {
      return;
    }
    // JSON has no other numbers.
    if (!Number.isFinite(progress)) return;
    this.#lastProgress = progress;
    this.notify("notifications/progress", {
      progressToken: this.progressToken,
      progress,
      total: Number.isFinite(total) ? total : undefined,
      message,
    });
  }
}
