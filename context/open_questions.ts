import type { InputRequest, InputRequests } from "../types.ts";
import type { AskSpec } from "../input/mod.ts";
import { buildAskRequest } from "../input/input_required.ts";
import { internalError } from "../errors.ts";
import type { Call } from "./call.ts";

/** What an app's own keys begin with, among the answers that travel. */
export const RESERVED_KEYS = "parley.";

/** The methods whose handlers may ask (2026-07-28, basic, patterns, mrtr). */
const ASKING_METHODS: readonly string[] = [
  "tools/call",
  "prompts/get",
  "resources/read",
];

/**
 * The questions of one run of a handler. A question that was put stands,
 * whatever the handler does with the exception that suspends it.
 */
export class OpenQuestions {
  readonly #call: Call;
  /** Every question of this run, answered or not. */
  readonly #seen = new Map<string, InputRequest>();
  /** Those without an answer. */
  readonly #open = new Map<string, InputRequest>();

  constructor(call: Call) {
    this.#call = call;
  }

  /**
   * Builds the request of a question, and takes note of it.
   *
   * @throws {TypeError} When the question cannot be expressed, or its key is
   * reserved or taken.
   * @throws {McpError} `internalError` where nothing can be asked.
   */
  request(key: string, spec: AskSpec): InputRequest {
    if (key.startsWith(RESERVED_KEYS)) {
      throw new TypeError(
        `Cannot ask "${key}": keys that begin with "${RESERVED_KEYS}" are reserved`,
      );
    }
    if (typeof spec !== "object" || spec === null) {
      throw new TypeError(
        `Cannot ask "${key}": the question is ${
          spec === null ? "null" : `of type ${typeof spec}`
        }, want an object`,
      );
    }
    const request = buildAskRequest(spec);
    this.note(key, request);
    return request;
  }

  /**
   * Takes note of a question, before anything is known of its answer.
   *
   * @throws {TypeError} When another question was put under the same key: its
   * answer would be taken for the answer to both.
   * @throws {McpError} `internalError` where nothing can be asked.
   */
  note(key: string, request: InputRequest): void {
    this.assertMayAsk();
    const earlier = this.#seen.get(key);
    if (earlier === undefined) this.#seen.set(key, request);
    if (earlier === undefined || earlier === request) return;
    if (JSON.stringify(earlier) !== JSON.stringify(request)) {
      throw new TypeError(
        `Cannot ask "${key}": another question was put under this key in the same call; give each question a key of its own`,
      );
    }
  }

  /**
   * Puts questions that were noted.
   *
   * @throws {McpError} To a 2025-era client that cannot answer: it is told so
   * where the handler stands, and the questions are not put.
   */
  put(requests: InputRequests, fallbackHint?: string): void {
    const { refuse, clientCapabilities } = this.#call;
    const refusal = refuse?.(requests, clientCapabilities, fallbackHint);
    if (refusal !== undefined) {
      for (const key of Object.keys(requests)) this.#seen.delete(key);
      throw refusal;
    }
    for (const [key, request] of Object.entries(requests)) {
      this.#open.set(key, request);
    }
  }

  /** Gives all that were put. */
  requests(): InputRequests {
    return Object.fromEntries(this.#open);
  }

  /**
   * Refuses questions in anything but a call, a prompt or a read.
   *
   * @throws {McpError} `internalError`.
   */
  assertMayAsk(): void {
    const { method } = this.#call;
    if (ASKING_METHODS.includes(method)) return;
    throw internalError(`Cannot ask for input while answering ${method}`);
  }
}
