import type { InputRequest, InputRequests } from "../types.ts";
import {
  capabilityRefusal,
  missingCapabilities,
  missingCapabilityError,
} from "../input/capabilities.ts";
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
    const { era, clientCapabilities } = this.#call;
    const missing = era === "legacy"
      ? missingCapabilities(requests, clientCapabilities)
      : undefined;
    if (missing !== undefined) {
      for (const key of Object.keys(requests)) this.#seen.delete(key);
      throw capabilityRefusal(missing, {
        fallbackHint,
        stateless: clientCapabilities === undefined,
      });
    }
    for (const [key, request] of Object.entries(requests)) {
      this.#open.set(key, request);
    }
  }

  /**
   * Gives all that were put.
   *
   * @throws {McpError} -32021, when a 2026-07-28 client cannot answer every one
   * of them.
   */
  close(): InputRequests {
    const requests = Object.fromEntries(this.#open);
    const { era, clientCapabilities } = this.#call;
    if (era === "legacy") return requests;
    const missing = missingCapabilities(requests, clientCapabilities);
    if (missing !== undefined) throw missingCapabilityError(missing);
    return requests;
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
