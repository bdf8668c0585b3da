import type { ContentBlock, InputRequiredResult } from "../../types.ts";
import type { ServerEvent } from "../call.ts";
import { CallContext } from "../call_context.ts";
import type { Context, EnrichmentShape, HandlerContext } from "../context.ts";
import type { ErrorContract, ReasonOf } from "../error_contract.ts";
import {
  type CapturedLog,
  type CapturedProgress,
  MockCall,
} from "./mock_call.ts";
import type { MockContextOptions } from "./mock_context_options.ts";

/** The context of a call that no transport brought. */
class MockContext extends CallContext {
  readonly #call: MockCall;

  constructor(call: MockCall) {
    super(call);
    this.#call = call;
  }

  /** The call, which keeps what would be sent. */
  get captured(): MockCall {
    return this.#call;
  }
}

/**
 * Makes the context of one call, for calling a handler in a test. All of it is
 * what production uses, but for the client at the other end: state is kept in
 * memory and enforces the same rules, `ctx.requestInput` and `ctx.ask` throw
 * the same signal, answers are held to what the client declared. What would be
 * sent is kept; see {@linkcode getLogs}, {@linkcode getProgress},
 * {@linkcode getNotifications}, {@linkcode getEnrichment},
 * {@linkcode getContentBlocks} and {@linkcode getInputRequest}.
 *
 * @example Testing a handler
 * ```ts
 * import { createMockContext, getLogs } from "@parley/mcp/testing";
 * import { tool, z } from "@parley/mcp";
 * import assert from "node:assert/strict";
 *
 * const greet = tool("greet", {
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler({ name }, ctx) {
 *     ctx.log.info("greeting", { name });
 *     return { greeting: `Hello, ${name}` };
 *   },
 * });
 *
 * const ctx = createMockContext();
 * assert.deepEqual(await greet.handler({ name: "Ada" }, ctx), {
 *   greeting: "Hello, Ada",
 * });
 * assert.deepEqual(getLogs(ctx), [
 *   { level: "info", message: "greeting", data: { name: "Ada" } },
 * ]);
 * ```
 *
 * @typeParam C The declared failures.
 * @typeParam E The declared enrichment.
 * @param options What the call is like.
 */
export function createMockContext<
  const C extends readonly ErrorContract[] = [],
  E extends EnrichmentShape = Record<never, never>,
>(options: MockContextOptions<C, E> = {}): HandlerContext<ReasonOf<C>, E> {
  const context: unknown = new MockContext(new MockCall(options));
  return context as HandlerContext<ReasonOf<C>, E>;
}

/**
 * What was logged through `ctx.log`, in order, as a client would get it.
 *
 * @throws {TypeError} When the context is no mock.
 */
export function getLogs(ctx: Context): readonly CapturedLog[] {
  return mocked(ctx).captured.logs;
}

/**
 * What was reported through `ctx.progress`, in order.
 *
 * @throws {TypeError} When the context is no mock.
 */
export function getProgress(ctx: Context): readonly CapturedProgress[] {
  return mocked(ctx).captured.reports;
}

/**
 * What the `ctx.notify…` functions published, in order.
 *
 * @throws {TypeError} When the context is no mock.
 */
export function getNotifications(ctx: Context): readonly ServerEvent[] {
  return mocked(ctx).captured.events;
}

/**
 * What `ctx.enrich` collected, by field.
 *
 * @throws {TypeError} When the context is no mock.
 */
export function getEnrichment(ctx: Context): Record<string, unknown> {
  return Object.fromEntries(mocked(ctx).enrichment?.fields ?? []);
}

/**
 * What `ctx.content` collected, in order.
 *
 * @throws {TypeError} When the context is no mock.
 */
export function getContentBlocks(ctx: Context): readonly ContentBlock[] {
  return mocked(ctx).blocks ?? [];
}

/**
 * What the call would answer with when the handler asked for input, whether it
 * threw, returned or swallowed the request. Ask once the handler has ended. Its
 * `requestState`, given to the context of the next round, brings what the call
 * carries: earlier answers, and which consent was asked for.
 *
 * @returns `undefined` when it did not ask.
 * @throws {TypeError} When the context is no mock.
 * @throws {McpError} When the client cannot answer.
 */
export async function getInputRequest(
  ctx: Context,
): Promise<InputRequiredResult | undefined> {
  const round = mocked(ctx).touchedRound;
  await round?.looked();
  return await round?.settle();
}

function mocked(ctx: Context): MockContext {
  if (ctx instanceof MockContext) return ctx;
  throw new TypeError(
    "Cannot look into this context: it was not made by createMockContext",
  );
}
