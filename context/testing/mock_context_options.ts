import type { ClientCapabilities, Implementation } from "../../types.ts";
import type { StateBackend } from "../../state/mod.ts";
import type { AuthContext } from "../auth_context.ts";
import type { EnrichmentShape } from "../context.ts";
import type { ErrorContract } from "../error_contract.ts";
import type { LogLevel } from "../log/levels.ts";

/** Options of `createMockContext`. */
export interface MockContextOptions<
  C extends readonly ErrorContract[] = readonly ErrorContract[],
  E extends EnrichmentShape = EnrichmentShape,
> {
  /**
   * The contract of the definition, which types `ctx.fail`: `greet.errors`.
   *
   * @default none
   */
  readonly errors?: C | undefined;
  /**
   * The enrichment of the definition, which types `ctx.enrich`:
   * `greet.enrichment`.
   *
   * @default none
   */
  readonly enrichment?: E | undefined;
  /**
   * Who calls.
   *
   * @default undefined, as on stdio and without authentication
   */
  readonly auth?: AuthContext | undefined;
  /**
   * Whose state `ctx.state` is. `undefined`, given as such, leaves the call
   * without a tenant.
   *
   * @default `auth.tenantId` where there is an `auth`, else `"default"`
   */
  readonly tenantId?: string | undefined;
  /** The session it belongs to. @default undefined */
  readonly sessionId?: string | undefined;
  /** What its errors carry as `data.requestId`. @default a random one */
  readonly requestId?: string | undefined;
  /** The URI that is read, for resource handlers. @default undefined */
  readonly uri?: URL | string | undefined;
  /** What cancels it. @default one that never aborts */
  readonly signal?: AbortSignal | undefined;
  /** Where state is kept; share it between contexts. @default memory of its own */
  readonly state?: StateBackend | undefined;
  /** The family of revisions the client speaks. @default "modern" */
  readonly era?: "modern" | "legacy" | undefined;
  /**
   * What the client can do; answers of other kinds are left out, as in
   * production. `undefined`, given as such, is a client nobody knows.
   *
   * @default everything
   */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  /** Who the client says it is. @default undefined */
  readonly clientInfo?: Implementation | undefined;
  /**
   * The answers of this round, by the key of their question, each as a client
   * sends it: `{ action: "accept", content: { name: "Ada" } }`.
   *
   * @default none
   */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  /**
   * What `ctx.inputs.state()` gives. The `requestState` of a round before, from
   * `getInputRequest`, also brings the answers that it carries.
   *
   * @default undefined
   */
  readonly requestState?: unknown;
  /**
   * Answers that `ctx.ask` got in earlier rounds, by key, in the form of
   * `inputResponses`.
   *
   * @default none
   */
  readonly carriedAnswers?: Readonly<Record<string, unknown>> | undefined;
  /** The JSON-RPC method. @default "tools/call", or "resources/read" with a `uri` */
  readonly method?: string | undefined;
  /** The name of the tool or prompt. @default the `uri`, else "test" */
  readonly target?: string | undefined;
  /** What `ctx.traceId` is. @default undefined */
  readonly traceId?: string | undefined;
  /** What `ctx.spanId` is. @default undefined */
  readonly spanId?: string | undefined;
  /** The floor of the log. @default "debug" */
  readonly logLevel?: LogLevel | undefined;
  /** Called by `ctx.notifyToolListChanged`. */
  readonly notifyToolListChanged?: (() => void) | undefined;
  /** Called by `ctx.notifyPromptListChanged`. */
  readonly notifyPromptListChanged?: (() => void) | undefined;
  /** Called by `ctx.notifyResourceListChanged`. */
  readonly notifyResourceListChanged?: (() => void) | undefined;
  /** Called by `ctx.notifyResourceUpdated`. */
  readonly notifyResourceUpdated?: ((uri: string) => void) | undefined;
}
