import type {
  CallToolResult,
  ClientCapabilities,
  GetPromptResult,
  Implementation,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from "../../types.ts";
import type { LogLevel } from "../../context/log/levels.ts";
import { ErrorCode } from "../../errors.ts";
import type { App } from "../app.ts";
import type { JsonObject } from "../json_rpc.ts";
import { type Answers, AnswerScript, type Question } from "./answers.ts";
import { LegacyWire } from "./legacy_wire.ts";
import { paramHeaders } from "./mirrored_headers.ts";
import { ModernWire } from "./modern_wire.ts";
import { RpcError } from "./rpc_error.ts";
import type {
  ReceivedNotification,
  RequestOptions,
  Wire,
  WireOptions,
} from "./wire.ts";

/** Options of {@linkcode createTestClient}. */
export interface TestClientOptions {
  /** The family of revisions the client speaks. @default "modern" */
  readonly era?: "modern" | "legacy" | undefined;
  /** The 2025-era revision it asks for. @default "2025-11-25" */
  readonly version?: string | undefined;
  /** How it answers what handlers ask. @default it has no answers */
  readonly answers?: Answers | undefined;
  /** What it says it can do. @default everything */
  readonly capabilities?: ClientCapabilities | undefined;
  /** Who it says it is. @default a test client */
  readonly clientInfo?: Implementation | undefined;
  /** The level from which it wants log messages. @default none; in the 2025 era what the server sends */
  readonly logLevel?: LogLevel | undefined;
  /** Whether it wants to hear of progress. @default true */
  readonly progress?: boolean | undefined;
  /** Headers of every request, such as `authorization`. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Where the endpoint is. @default "http://localhost/mcp" */
  readonly url?: string | undefined;
  /** How often one request may ask. @default 10 */
  readonly maxRounds?: number | undefined;
}

/** One page of completions. */
export interface CompletionResult {
  /** The suggestions, at most 100. */
  readonly values: readonly string[];
  /** How many there are. */
  readonly total?: number;
  /** Whether there are more. */
  readonly hasMore?: boolean;
}

/** What {@linkcode TestClient.complete} completes an argument of. */
export type CompletionReference =
  | { readonly type: "ref/prompt"; readonly name: string }
  | { readonly type: "ref/resource"; readonly uri: string };

const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/**
 * Makes a client of an app in the same process: each request goes through the
 * whole server as it would over HTTP, in either era, and what handlers ask is
 * answered from a script. Close it when done, or declare it with `await using`.
 *
 * @example Answering a question
 * ```ts
 * import { createTestClient } from "@parley/mcp/testing";
 * import { createApp, memoryState, tool, z } from "@parley/mcp";
 * import assert from "node:assert/strict";
 *
 * const Name = z.object({ name: z.string() });
 * const greet = tool("greet", {
 *   async handler(_input, ctx) {
 *     const { name } = await ctx.ask("name", { message: "Name?", schema: Name });
 *     return `Hello, ${name}`;
 *   },
 * });
 * const app = createApp({
 *   name: "hello",
 *   version: "1.0.0",
 *   tools: [greet],
 *   state: memoryState(),
 * });
 * for (const era of ["modern", "legacy"] as const) {
 *   await using client = createTestClient(app, {
 *     era,
 *     answers: { name: { name: "Ada" } },
 *   });
 *   const { content } = await client.callTool("greet");
 *   assert.deepEqual(content, [{ type: "text", text: "Hello, Ada" }]);
 * }
 * await app.close();
 * ```
 *
 * @param app The server.
 * @param options What the client is like.
 */
export function createTestClient(
  app: Pick<App, "fetch">,
  options: TestClientOptions = {},
): TestClient {
  return new TestClient(app, options);
}

/** A client of an app in the same process; {@linkcode createTestClient} makes it. */
export class TestClient implements AsyncDisposable {
  /** What was asked so far, in order. */
  readonly questions: readonly Question[];
  /** What the server sent ahead of its answers, in order. */
  readonly notifications: readonly ReceivedNotification[];
  readonly #wire: Wire;
  #tools: Promise<Tool[]> | undefined;

  /**
   * Makes the client. Nothing is sent before the first request.
   *
   * @param app The server.
   * @param options What the client is like.
   */
  constructor(app: Pick<App, "fetch">, options: TestClientOptions) {
    const { era = "modern", version = "2025-11-25", answers = {} } = options;
    const questions: Question[] = [];
    const notifications: ReceivedNotification[] = [];
    this.questions = questions;
    this.notifications = notifications;
    const wire: WireOptions = {
      app,
      url: options.url ?? "http://localhost/mcp",
      headers: options.headers ?? {},
      capabilities: options.capabilities ?? EVERYTHING,
      clientInfo: options.clientInfo ?? { name: "test", version: "1.0.0" },
      logLevel: options.logLevel,
      progress: options.progress ?? true,
      maxRounds: options.maxRounds ?? 10,
      script: new AnswerScript(answers, (question) => questions.push(question)),
      hear: (notification) => notifications.push(notification),
    };
    this.#wire = era === "modern"
      ? new ModernWire(wire)
      : new LegacyWire(wire, version);
  }

  /** The params of the log messages that were sent, in order. */
  get logs(): readonly Readonly<Record<string, unknown>>[] {
    return this.#paramsOf("notifications/message");
  }

  /** The params of the reports of progress that were sent, in order. */
  get progress(): readonly Readonly<Record<string, unknown>>[] {
    return this.#paramsOf("notifications/progress");
  }

  /**
   * Sends any request, answers what it asks, and gives its result.
   *
   * @throws {RpcError} When the answer is a JSON-RPC error.
   * @throws {Error} When the script has no answer to a question.
   */
  async request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<Record<string, unknown>> {
    const { signal } = options;
    signal?.throwIfAborted();
    const result = this.#wire.request(method, params, options);
    return signal === undefined ? await result : await until(signal, result);
  }

  /**
   * Calls a tool. A failure of the tool is a result with `isError`.
   *
   * @throws {RpcError} When the answer is a JSON-RPC error.
   * @throws {Error} When the script has no answer to a question.
   */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    options: RequestOptions = {},
  ): Promise<CallToolResult> {
    const params = { name, arguments: args };
    const call = async (headers = options.headers) =>
      await this.request("tools/call", params, {
        ...options,
        headers,
      }) as CallToolResult;
    try {
      return await call();
    } catch (error) {
      // Arguments that headers mirror are known from the list of tools only.
      const isMismatch = error instanceof RpcError &&
        error.code === ErrorCode.HeaderMismatch;
      if (!isMismatch) throw error;
      const tools = await (this.#tools ??= this.listTools());
      const tool = tools.find((candidate) => candidate.name === name);
      const mirrored = paramHeaders(tool?.inputSchema, args);
      return await call({ ...mirrored, ...options.headers });
    }
  }

  /**
   * Reads a resource.
   *
   * @throws {RpcError} When the answer is a JSON-RPC error.
   */
  async readResource(
    uri: string,
    options: RequestOptions = {},
  ): Promise<ReadResourceResult> {
    const result = await this.request("resources/read", { uri }, options);
    return result as unknown as ReadResourceResult;
  }

  /**
   * Fetches a prompt.
   *
   * @throws {RpcError} When the answer is a JSON-RPC error.
   */
  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>> = {},
    options: RequestOptions = {},
  ): Promise<GetPromptResult> {
    const params = { name, arguments: args };
    const result = await this.request("prompts/get", params, options);
    return result as unknown as GetPromptResult;
  }

  /**
   * Completes an argument of a prompt, or a variable of a template.
   *
   * @param ref What the argument belongs to.
   * @param name The argument.
   * @param value What was typed so far.
   * @param known The other arguments.
   * @throws {RpcError} When the answer is a JSON-RPC error.
   */
  async complete(
    ref: CompletionReference,
    name: string,
    value: string,
    known: Readonly<Record<string, string>> = {},
  ): Promise<CompletionResult> {
    const { completion } = await this.request("completion/complete", {
      ref,
      argument: { name, value },
      context: { arguments: known },
    });
    return completion as CompletionResult;
  }

  /** Lists all tools, whatever pages they come on. @throws {RpcError} When the answer is an error. */
  listTools(): Promise<Tool[]> {
    return this.#list("tools/list", "tools");
  }

  /** Lists all prompts, whatever pages they come on. @throws {RpcError} When the answer is an error. */
  listPrompts(): Promise<Prompt[]> {
    return this.#list("prompts/list", "prompts");
  }

  /** Lists all resources, whatever pages they come on. @throws {RpcError} When the answer is an error. */
  listResources(): Promise<Resource[]> {
    return this.#list("resources/list", "resources");
  }

  /** Lists all templates, whatever pages they come on. @throws {RpcError} When the answer is an error. */
  listResourceTemplates(): Promise<ResourceTemplate[]> {
    return this.#list("resources/templates/list", "resourceTemplates");
  }

  /** Ends the session, if there is one. The app stays open. */
  close(): Promise<void> {
    return this.#wire.close();
  }

  /** As {@linkcode TestClient.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #list<T>(method: string, member: string): Promise<T[]> {
    const items: T[] = [];
    let cursor: unknown;
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page = await this.request(method, params);
      items.push(...page[member] as T[]);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return items;
  }

  #paramsOf(method: string): readonly JsonObject[] {
    return this.notifications
      .filter((notification) => notification.method === method)
      .map(({ params }) => params);
  }
}

/** Gives a result, unless a signal aborts first. */
async function until<T>(signal: AbortSignal, result: Promise<T>): Promise<T> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([result, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    // Whatever comes of it now is nobody's concern.
    if (signal.aborted) result.catch(() => {});
  }
}
