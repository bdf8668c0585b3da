import {
  assertInputRequired,
  inputRequired,
  InputRequiredSignal,
} from "../input/input_required.ts";
import type {
  AskFunction,
  AskSpec,
  ConsentFunction,
  ConsentSpec,
  ContextInputs,
  InputRequiredSpec,
  RequestInputOptions,
} from "../input/mod.ts";
import { createContextInputs } from "../input/responses.ts";
import type {
  InputRequest,
  InputRequests,
  InputRequiredResult,
} from "../types.ts";
import type { Call } from "./call.ts";
import { OpenQuestions } from "./open_questions.ts";
import type { RoundAnswers } from "./round_answers.ts";

// Loaded with the first question: most calls ask none.
let answering: typeof import("./round_answers.ts") | undefined;

/** One question on its way to its answer. */
interface Question {
  readonly key: string;
  readonly spec: AskSpec;
  readonly request: InputRequest;
}

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
  /** Made with the first question of the run. */
  #answers: RoundAnswers | undefined;
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
    this.inputs = createContextInputs({
      received: call.inputResponses,
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

  /** Whether a question still looks for its answer. */
  get isLooking(): boolean {
    return this.#looking.size > 0;
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
    // At once: what is wrong with a question does not depend on any answer.
    const questions = Object.entries(specs).map(([key, spec]) => ({
      key,
      spec,
      request: this.#questions.request(key, spec),
    }));
    answering ??= await import("./round_answers.ts");
    const answers = this.#answersFrom(answering);
    const readings = await Promise.all(
      questions.map(({ key, spec }) => answers.read(key, spec)),
    );
    const values = readings.map((reading, i) => {
      const { key, spec } = questions[i]!;
      return answers.valueOf(key, spec, reading);
    });
    const open = questions.filter((_, i) => readings[i]!.status === "missing");
    if (open.length > 0) this.#suspend(open);
    return Object.fromEntries(questions.map(({ key }, i) => [key, values[i]]));
  }

  async #consent(key: string, spec: ConsentSpec): Promise<unknown> {
    const request = this.#questions.request(key, spec);
    answering ??= await import("./round_answers.ts");
    return await this.#answersFrom(answering).consents.consent(key, spec, {
      request,
      answers: this.inputs.responses,
      ask: () => this.#suspend([{ key, spec, request }]),
    });
  }

  /** Questions side by side share the answers of the run. */
  #answersFrom(module: typeof import("./round_answers.ts")): RoundAnswers {
    return this.#answers ??= new module.RoundAnswers(
      this.#call,
      this.inputs.responses,
    );
  }

  #suspend(questions: readonly Question[]): never {
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
  settle(): undefined | InputRequiredResult | Promise<InputRequiredResult> {
    if (!this.#suspended) return undefined;
    return answering === undefined
      ? this.#settleFirst()
      : this.#settle(this.#answersFrom(answering));
  }

  async #settleFirst(): Promise<InputRequiredResult> {
    answering = await import("./round_answers.ts");
    return await this.#settle(this.#answersFrom(answering));
  }

  #settle(
    answers: RoundAnswers,
  ): InputRequiredResult | Promise<InputRequiredResult> {
    const requests = this.#questions.requests();
    answers.assertAnswerable(requests);
    const records = answers.consents.carry();
    return records instanceof Promise
      ? records.then((written) => this.#result(requests, answers, written))
      : this.#result(requests, answers, records);
  }

  #result(
    inputRequests: InputRequests,
    answers: RoundAnswers,
    records: Readonly<Record<string, string>>,
  ): InputRequiredResult {
    // Whoever only asks goes on with the state that came.
    const state = this.#handedOver ? this.#state : this.#call.sentState;
    const requestState = answers.pack(state, records);
    return inputRequired({
      ...(Object.keys(inputRequests).length > 0 && { inputRequests }),
      ...(requestState !== undefined && { requestState }),
    });
  }
}
