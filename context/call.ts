import type { McpError } from "../errors.ts";
import type { FilteredResponses } from "../input/responses.ts";
import type {
  ClientCapabilities,
  Implementation,
  InputRequests,
} from "../types.ts";
import type { StateBackend, StateSpan } from "../state/mod.ts";
import type { AuthContext } from "./auth_context.ts";
import type { ErrorContract } from "./error_contract.ts";
import type { LogFloor } from "./log/levels.ts";
import type { LogDelivery } from "./log/logger.ts";

/** Something that changed, as listeners hear of it. */
export type ServerEvent =
  | {
    readonly kind:
      | "tools_list_changed"
      | "prompts_list_changed"
      | "resources_list_changed";
  }
  | { readonly kind: "resource_updated"; readonly uri: string };

/** Gives the error of questions that a client cannot be asked. */
export type RefuseQuestions = (
  requests: InputRequests,
  capabilities: ClientCapabilities | undefined,
  fallbackHint?: string,
) => McpError | undefined;

/** What all calls of one app share. */
export interface AppServices {
  /** Where state is kept. */
  readonly backend: StateBackend;
  /** The floor of both log sinks. */
  readonly logFloor: LogFloor;
  /** Tells everyone who listens that something changed. */
  publish(event: ServerEvent): void;
}

/**
 * One request on its way through a handler, as the transport knows it. The
 * {@linkcode Context} is made of it; nothing in it is computed before it is
 * asked for.
 */
export interface Call {
  /** What the app gives every call. */
  readonly services: AppServices;
  /** The family of protocol revisions it came by. */
  readonly era: "modern" | "legacy";
  /** The JSON-RPC method. */
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string;
  /** Unique per request. */
  readonly requestId: string;
  /** When it began, ms since the epoch. */
  readonly startedAt: number;
  /** Whose state it works on. */
  readonly tenantId: string | undefined;
  /** Who calls. */
  readonly auth: AuthContext | undefined;
  /** The session it belongs to, where handlers may see it. */
  readonly sessionId: string | undefined;
  /** The span around the handler. */
  readonly span: SpanIds | undefined;
  /** Puts a span around operations on state; `undefined` with tracing off. */
  readonly stateSpan: StateSpan | undefined;
  /** Who the client says it is. */
  readonly clientInfo: Implementation | undefined;
  /** What the client can do; `undefined` when nobody knows. */
  readonly clientCapabilities: ClientCapabilities | undefined;
  /** The URI of a resource read. */
  readonly uri: URL | undefined;
  /** The failures the definition declares. */
  readonly contract: readonly ErrorContract[] | undefined;
  /** Refuses questions where the handler stands, as the 2025 era has it. */
  readonly refuse: RefuseQuestions | undefined;
  /** What a handler may see of `inputResponses`; `undefined` without any. */
  readonly inputResponses: FilteredResponses | undefined;
  /** The handler's own state of the last round, verified and opened. */
  readonly requestState: unknown;
  /** The same as the handler sent it, before a verifier read it. */
  readonly sentState: string | undefined;
  /** Answers of earlier rounds, which travelled in the request state. */
  readonly carriedAnswers: Readonly<Record<string, unknown>>;
  /** Aborts when the call is cancelled or its client is gone. */
  signal(): AbortSignal;
  /** Lets the client go, where it can come back for the answer. */
  detach(): void;
  /** Where log messages for the client go; `undefined` when it wants none. */
  logDelivery(): LogDelivery | undefined;
  /** Sends progress to the client, when it asked for it. */
  progress(progress: number, total?: number, message?: string): void;
}

/** The ids of a span, hexadecimal. */
export interface SpanIds {
  /** 32 digits. */
  readonly traceId: string;
  /** 16 digits. */
  readonly spanId: string;
}
