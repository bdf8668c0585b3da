/**
 * Tests of handlers and of whole servers: {@linkcode createMockContext} for
 * calling a handler as a function, {@linkcode createTestClient} for driving an
 * app as a client of either era would, and {@linkcode stateBackendSuite} for
 * backends of one's own.
 *
 * ```ts
 * import { createMockContext } from "@parley/mcp/testing";
 * import { notFound, tool, z } from "@parley/mcp";
 * import assert from "node:assert/strict";
 *
 * const load = tool("load", {
 *   input: z.object({ id: z.string() }),
 *   async handler({ id }, ctx) {
 *     const note = await ctx.state.get<string>(`note/${id}`);
 *     if (note === null) throw notFound("No such note", { id });
 *     return note;
 *   },
 * });
 *
 * const ctx = createMockContext();
 * await ctx.state.set("note/7", "Buy milk");
 * assert.equal(await load.handler({ id: "7" }, ctx), "Buy milk");
 * await assert.rejects(async () => await load.handler({ id: "8" }, ctx), {
 *   code: 404,
 * });
 * ```
 *
 * @module
 */
export type {
  CapturedLog,
  CapturedProgress,
} from "./context/testing/mock_call.ts";
export {
  createMockContext,
  getContentBlocks,
  getEnrichment,
  getInputRequest,
  getLogs,
  getNotifications,
  getProgress,
} from "./context/testing/mock_context.ts";
export type { MockContextOptions } from "./context/testing/mock_context_options.ts";
export {
  type StateBackendCase,
  stateBackendSuite,
} from "./state/conformance.ts";
export type {
  AnswerFunction,
  Answers,
  Question,
  ScriptedAnswer,
} from "./transport/testing/answers.ts";
export { RpcError } from "./transport/testing/rpc_error.ts";
export {
  type CompletionReference,
  type CompletionResult,
  createTestClient,
  TestClient,
  type TestClientOptions,
} from "./transport/testing/test_client.ts";
export type {
  ReceivedNotification,
  RequestOptions,
} from "./transport/testing/wire.ts";
