import type { AuthContext } from "./auth_context.ts";

/**
 * What identifies one request. Every handler's context is one, and services
 * take one; it has no index signature, so a misspelt field does not compile.
 */
export interface RequestContext {
  /** Unique per request; sent as `data.requestId` with its errors. */
  readonly requestId: string;
  /** When the request began, ISO 8601. */
  readonly timestamp: string;
  /** Whose data it works on; `"default"` on stdio and without authentication. */
  readonly tenantId?: string | undefined;
  /** The `Mcp-Session-Id` of a 2025-era session. */
  readonly sessionId?: string | undefined;
  /** The trace the handler runs in; undefined with tracing off. */
  readonly traceId?: string | undefined;
  /** The handler's own span; undefined with tracing off. */
  readonly spanId?: string | undefined;
  /** Who calls, as the credentials say; undefined without authentication. */
  readonly auth?: AuthContext | undefined;
  /** The operation this context belongs to, such as `tools/call greet`. */
  readonly operation?: string | undefined;
  /** Further correlation data; the one open field. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** Parameters of {@linkcode createRequestContext}. */
export interface RequestContextParams {
  /** The context it derives from; its identity is taken over. */
  parentContext?: RequestContext | undefined;
  /** The operation of the new context; the parent's by default. */
  operation?: string | undefined;
  /** Merged into `extra`, over what the parent carries. */
  additionalContext?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides the parent's tenant. */
  tenantId?: string | undefined;
}

/**
 * Makes a {@linkcode RequestContext}: a fresh one, or one derived from a
 * parent for a part of its work.
 *
 * @example Deriving a context
 * ```ts
 * import { createRequestContext } from "@parley/mcp/context";
 * import assert from "node:assert/strict";
 *
 * const parent = createRequestContext({ operation: "import" });
 * const child = createRequestContext({
 *   parentContext: parent,
 *   additionalContext: { itemId: 7 },
 * });
 * assert.equal(child.requestId, parent.requestId);
 * assert.deepEqual(child.extra, { itemId: 7 });
 * ```
 */
export function createRequestContext(
  params: RequestContextParams = {},
): RequestContext {
  const parent = params.parentContext;
  const own = params.additionalContext;
  const extra = own ? { ...parent?.extra, ...own } : parent?.extra;
  return compact({
    requestId: parent?.requestId ?? crypto.randomUUID(),
    timestamp: parent?.timestamp ?? new Date().toISOString(),
    tenantId: params.tenantId ?? parent?.tenantId,
    sessionId: parent?.sessionId,
    traceId: parent?.traceId,
    spanId: parent?.spanId,
    auth: parent?.auth,
    operation: params.operation ?? parent?.operation,
    extra,
  });
}

/**
 * Copies a context, with `extra` merged over what the context's own `extra`
 * holds.
 */
export function withExtra(
  context: RequestContext,
  extra: Readonly<Record<string, unknown>>,
): RequestContext {
  return createRequestContext({
    parentContext: context,
    additionalContext: extra,
  });
}

/** Leaves out what is undefined, so that contexts compare as they read. */
function compact(context: RequestContext): RequestContext {
  return Object.fromEntries(
    Object.entries(context).filter(([, value]) => value !== undefined),
  ) as unknown as RequestContext;
}
