import type { InputRequests } from "../types.ts";
import type { AskSpec } from "../input/mod.ts";
import {
  missingCapabilities,
  missingCapabilityError,
} from "../input/capabilities.ts";
import { packCarry } from "../input/carry.ts";
import { filterResponses } from "../input/filter_responses.ts";
import {
  type AnswerReading,
  declineError,
  readAnswer,
} from "../input/read_answer.ts";
import type { Call } from "./call.ts";
import { ConsentDesk } from "./consent_desk.ts";

const MISSING: AnswerReading = { status: "missing" };

/**
 * The answers of one run of a handler: those that were given, and what has to
 * travel to the next round.
 */
export class RoundAnswers {
  /** Where consents are redeemed. */
  readonly consents: ConsentDesk;
  readonly #call: Call;
  /** Answers of this round. */
  readonly #given: Readonly<Record<string, unknown>>;
  /** Answers of earlier rounds, by key. */
  readonly #carried: Readonly<Record<string, unknown>>;
  /** What travels on: carried answers not looked at, and those of this run. */
  readonly #travelling: Map<string, unknown>;

  /** @param given The answers of this round, as handlers read them. */
  constructor(call: Call, given: Readonly<Record<string, unknown>>) {
    this.#call = call;
    this.#given = given;
    this.consents = new ConsentDesk(call);
    this.#carried =
      filterResponses(call.carriedAnswers, call.clientCapabilities).responses;
    this.#travelling = new Map(Object.entries(this.#carried));
  }

  /** Looks for the answer to a question. */
  async read(key: string, spec: AskSpec): Promise<AnswerReading> {
    // An answer that was given in an earlier round stands while it is valid.
    for (const answers of [this.#carried, this.#given]) {
      const reading = await readAnswer(spec, key, answers);
      if (reading.status === "missing") continue;
      this.#travelling.set(key, answers[key]);
      return reading;
    }
    this.#travelling.delete(key);
    return MISSING;
  }

  /**
   * What a handler is given for what was read.
   *
   * @returns `undefined` when there is no answer.
   * @throws {McpError} When the person refused, and that ends the call.
   */
  valueOf(key: string, spec: AskSpec, reading: AnswerReading): unknown {
    if (reading.status === "missing") return undefined;
    if (reading.status === "answered") return reading.value;
    if (spec.onDecline === "return") return reading.view;
    throw declineError(key, reading.view);
  }

  /**
   * Refuses questions that the client cannot answer every one of. One of the
   * 2025 era was told so where the handler stands.
   *
   * @throws {McpError} -32021.
   */
  assertAnswerable(requests: InputRequests): void {
    const { era, clientCapabilities } = this.#call;
    if (era === "legacy") return;
    const missing = missingCapabilities(requests, clientCapabilities);
    if (missing !== undefined) throw missingCapabilityError(missing);
  }

  /**
   * The state that the next round needs; `undefined` when it needs none.
   *
   * @param state The handler's own.
   * @param records The ids of the consents that travel on, by key.
   * @throws {McpError} When the answers are too large to carry.
   */
  pack(
    state: string | undefined,
    records: Readonly<Record<string, string>>,
  ): string | undefined {
    const answers = { ...Object.fromEntries(this.#travelling), ...records };
    return state !== undefined || Object.keys(answers).length > 0
      ? packCarry({ state, answers })
      : undefined;
  }
}
