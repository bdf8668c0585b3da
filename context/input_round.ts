import type { InputRequest, InputRequiredResult } from "../types.ts";
import {
  type AskFunction,
  type AskSpec,
  type ConsentFunction,
  type ConsentSpec,
  type ContextInputs,
  inputRequired,
  InputRequiredSignal,
  type InputRequiredSpec,
  type RequestInputOptions,
} from "../input/mod.ts";
import {
  type AnswerReading,
  buildAskRequest,
  declineError,
  readAnswer,
} from "../input/ask.ts";
import { packCarry } from "../input/carry.ts";
import { createContextInputs } from "../input/context_inputs.ts";
import { filterResponses } from "../input/filter_responses.ts";
import { assertInputRequired } from "../input/input_required.ts";
import type { Call } from "./call.ts";
import { ConsentDesk } from "./consent_desk.ts";
import { OpenQuestions, RESERVED_KEYS } from "./open_questions.ts";

const MISSING: AnswerReading = { status: "missing" };

/**
 * The questions and answers of one run of a handler. It remembers every
 * question that was put, whatever the handler does with the exception that
 * suspends it, and the answers that have to travel on to the next round.
 */
export class InputRound {
  /** The answers that came with this round, as handlers read them. */
  readonly inputs: ContextInputs;
  readonly #call: Call;
  readonly #questions: OpenQuestions;
  readonly #consents: ConsentDesk;
  /** Answers of earlier rounds, by key. */
  readonly #carried: Readonly<Record<string, unknown>>;
  /** What travels on: carried answers not looked at, and those of this run. */
  readonly #answers: Map<string, unknown>;
  /** Questions that are looking for their answer. */
  readonly #looking = new Set<Promise<unknown>>();
  /** The handler's own state for the next round. */
  #state: string | undefined;
  /** Whether the handler said itself what the next round starts with. */
  #handedOver = false;
  #suspended = false;

  constructor(call: Call) {
    this.#call = call;
    this.#questions = new OpenQuestions(call);
    this.#consents = new ConsentDesk(call);
    this.#carried =
      filterResponses(call.carriedAnswers, call.clientCapabilities).responses;
    this.#answers = new Map(Object.entries(this.#carried));
    this.inputs = createContextInputs({
      responses: call.inputResponses,
      capabilities: call.clientCapabilities,
      state: call.requestState,
    });
  }

  /** Puts the questions of `spec`, and leaves the handler. */
  requestInput(spec: InputRequiredSpec, options?: RequestInputOptions): never {
    const result = inputRequired(spec);
    this.#take(result, options?.fallbackHint);
    throw new InputRequiredSignal(result, options);
  }

  /**
   * Takes note of a request for input that the handler returned.
   *
   * @throws {TypeError} When it is none that can be sent.
   * @throws {McpError} When the client, or the method, cannot be asked.
   */
  returned(result: InputRequiredResult): void {
    assertInputRequired(result);
    this.#take(result);
  }

  #take(result: InputRequiredResult, fallbackHint?: string): void {
    const { inputRequests = {}, requestState } = result;
    this.#questions.assertMayAsk();
    for (const [key, request] of Object.entries(inputRequests)) {
      this.#questions.note(key, request);
    }
    this.#questions.put(inputRequests, fallbackHint);
    this.#state ??= requestState;
    this.#handedOver = true;
    this.#suspended = true;
  }

  /** Asks one question, or several by key. */
  get ask(): AskFunction {
    const ask = (
      keyOrSpecs: string | Record<string, AskSpec>,
      spec?: AskSpec,
    ) =>
      this.#look(
        typeof keyOrSpecs === "string"
          ? this.#ask(keyOrSpecs, spec)
          : this.#askAll(keyOrSpecs),
      );
    return ask as AskFunction;
  }

  /** Asks for consent that counts once. */
  get consent(): ConsentFunction {
    const consent = (key: string, spec: ConsentSpec) =>
      this.#look(this.#consent(key, spec));
    return consent as ConsentFunction;
  }

  /** The call is not settled while a question looks for its answer. */
  #look<T>(answer: Promise<T>): Promise<T> {
    this.#looking.add(answer);
    // A question put and not awaited must not take the process down.
    const done = () => void this.#looking.delete(answer);
    answer.then(done, done);
    return answer;
  }

  /** Whether a question was put. */
  get suspended(): boolean {
    return this.#suspended;
  }

  /**
   * Waits until every question put so far was answered or not. Those that run
   * side by side do not take the same time, and still go out in one round.
   */
  async looked(): Promise<void> {
    while (this.#looking.size > 0) {
      await Promise.allSettled(this.#looking);
      // What comes next may be waiting for an answer.
      await null;
    }
  }

  async #ask(key: string, spec: AskSpec | undefined): Promise<unknown> {
    const answers = await this.#askAll({ [key]: spec as AskSpec });
    return answers[key];
  }

  async #askAll(
    specs: Record<string, AskSpec>,
  ): Promise<Record<string, unknown>> {
    const questions = Object.entries(specs).map(([key, spec]) => ({
      key,
      spec,
      request: this.#request(key, spec),
    }));
    const readings = await Promise.all(
      questions.map(({ key, spec }) => this.#read(key, spec)),
    );
    const values = readings.map((reading, i) => {
      const { key, spec } = questions[i]!;
      if (reading.status === "missing") return undefined;
      if (reading.status === "answered") return reading.value;
      if (spec.onDecline === "return") return reading.view;
      throw declineError(key, reading.view);
    });
    const open = questions.filter((_, i) => readings[i]!.status === "missing");
    if (open.length > 0) this.#suspend(open);
    return Object.fromEntries(questions.map(({ key }, i) => [key, values[i]]));
  }

  #consent(key: string, spec: ConsentSpec): Promise<unknown> {
    return this.#consents.consent(key, spec, {
      request: () => this.#request(key, spec),
      answers: this.inputs.responses,
      ask: (request) => this.#suspend([{ key, spec, request }]),
    });
  }

  /** Builds the request of a question, and takes note of it. */
  #request(key: string, spec: AskSpec): InputRequest {
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
    this.#questions.note(key, request);
    return request;
  }

  async #read(key: string, spec: AskSpec): Promise<AnswerReading> {
    // An answer that was given in an earlier round stands while it is valid.
    for (const answers of [this.#carried, this.inputs.responses]) {
      const reading = await readAnswer(spec, key, answers);
      if (reading.status === "missing") continue;
      this.#answers.set(key, answers[key]);
      return reading;
    }
    this.#answers.delete(key);
    return MISSING;
  }

  #suspend(
    questions: readonly { key: string; spec: AskSpec; request: InputRequest }[],
  ): never {
    const result = inputRequired({
      inputRequests: Object.fromEntries(
        questions.map(({ key, request }) => [key, request]),
      ),
    });
    const hints = questions.flatMap(({ spec }) => spec.fallbackHint ?? []);
    this.#questions.put(
      result.inputRequests ?? {},
      hints.length === 0 ? undefined : [...new Set(hints)].join(" "),
    );
    this.#suspended = true;
    throw new InputRequiredSignal(result);
  }

  /**
   * What the call answers with if any question was put: all of them, and the
   * state that the next round needs.
   *
   * @throws {McpError} When the client cannot answer them: -32021, or the
   * refusal of the 2025 era. Also when the answers are too large to carry.
   */
  async settle(): Promise<InputRequiredResult | undefined> {
    if (!this.#suspended) return undefined;
    const inputRequests = this.#questions.close();
    const answers = {
      ...Object.fromEntries(this.#answers),
      ...await this.#consents.carry(),
    };
    // Whoever only asks goes on with the state that came.
    const state = this.#handedOver ? this.#state : this.#call.sentState;
    const carries = state !== undefined || Object.keys(answers).length > 0;
    return inputRequired({
      ...(Object.keys(inputRequests).length > 0 && { inputRequests }),
      ...(carries && { requestState: packCarry({ state, answers }) }),
    });
  }
}
