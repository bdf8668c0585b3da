import type {
  InputRequest,
  InputRequests,
  InputRequiredResult,
} from "../types.ts";
import {
  type AskFunction,
  type AskSpec,
  buildAskRequest,
  capabilityRefusal,
  type ConsentFunction,
  type ContextInputs,
  createContextInputs,
  declineError,
  filterResponses,
  inputRequired,
  InputRequiredSignal,
  type InputRequiredSpec,
  missingCapabilities,
  missingCapabilityError,
  packCarry,
  readAnswer,
  type RequestInputOptions,
} from "../input/mod.ts";
import type { Call } from "./call.ts";
import { ConsentDesk } from "./consent_desk.ts";

/**
 * The questions and answers of one run of a handler. It remembers every
 * question that was put, whatever the handler does with the exception that
 * suspends it, and the answers that have to travel on to the next round.
 */
export class InputRound {
  /** The answers that came with this round, as handlers read them. */
  readonly inputs: ContextInputs;
  readonly #call: Call;
  readonly #carried: Readonly<Record<string, unknown>>;
  readonly #consents: ConsentDesk;
  /** Questions without an answer, by key. */
  readonly #open = new Map<string, InputRequest>();
  /** Raw answers that questions of this run were answered with, by key. */
  readonly #used = new Map<string, unknown>();
  #state: string | undefined;
  #suspended = false;

  constructor(call: Call) {
    this.#call = call;
    this.#consents = new ConsentDesk(call);
    this.#carried =
      filterResponses(call.carriedAnswers, call.clientCapabilities).responses;
    this.inputs = createContextInputs({
      responses: call.inputResponses,
      capabilities: call.clientCapabilities,
      state: call.requestState,
    });
  }

  /** Puts the questions of `spec`, and leaves the handler. */
  requestInput(spec: InputRequiredSpec, options?: RequestInputOptions): never {
    const result = inputRequired(spec);
    this.#refuseOnLegacy(result.inputRequests, options?.fallbackHint);
    this.returned(result);
    throw new InputRequiredSignal(result, options);
  }

  /** Takes note of a request for input that the handler returned. */
  returned(result: InputRequiredResult): void {
    this.#suspended = true;
    for (const [key, request] of Object.entries(result.inputRequests ?? {})) {
      this.#open.set(key, request);
    }
    this.#state ??= result.requestState;
  }

  /** Asks one question, or several by key. */
  get ask(): AskFunction {
    const ask = (
      keyOrSpecs: string | Record<string, AskSpec>,
      spec?: AskSpec,
    ) => {
      const answer = typeof keyOrSpecs === "string"
        ? this.#ask(keyOrSpecs, spec as AskSpec)
        : this.#askAll(keyOrSpecs);
      // A question put and not awaited must not take the process down.
      answer.catch(() => {});
      return answer;
    };
    return ask as AskFunction;
  }

  /** Asks for consent that counts once. */
  get consent(): ConsentFunction {
    const consent: ConsentFunction = (key, spec) => {
      const answer = this.#consents.consent(key, spec, {
        answers: this.inputs.responses,
        ask: (request) => this.#suspend(key, request, spec.fallbackHint),
      });
      answer.catch(() => {});
      return answer as never;
    };
    return consent;
  }

  async #askAll(
    specs: Record<string, AskSpec>,
  ): Promise<Record<string, unknown>> {
    const keys = Object.keys(specs);
    const answers = await Promise.all(
      keys.map((key) => this.#ask(key, specs[key]!)),
    );
    return Object.fromEntries(keys.map((key, i) => [key, answers[i]]));
  }

  async #ask(key: string, spec: AskSpec): Promise<unknown> {
    const request = buildAskRequest(spec);
    // An answer that was given in an earlier round stands while it is valid.
    for (const answers of [this.#carried, this.inputs.responses]) {
      const reading = await readAnswer(spec, key, answers);
      if (reading.status === "missing") continue;
      this.#used.set(key, answers[key]);
      if (reading.status === "answered") return reading.value;
      if (spec.onDecline === "return") return reading.view;
      throw declineError(key, reading.view);
    }
    return this.#suspend(key, request, spec.fallbackHint);
  }

  #suspend(
    key: string,
    request: InputRequest,
    fallbackHint?: string,
  ): never {
    const result = inputRequired({ inputRequests: { [key]: request } });
    this.#refuseOnLegacy(result.inputRequests, fallbackHint);
    this.returned(result);
    throw new InputRequiredSignal(result);
  }

  /** A 2025-era client that cannot answer is told so where the handler stands. */
  #refuseOnLegacy(
    requests: InputRequests | undefined,
    fallbackHint: string | undefined,
  ): void {
    if (this.#call.era !== "legacy" || requests === undefined) return;
    const { clientCapabilities } = this.#call;
    const missing = missingCapabilities(requests, clientCapabilities);
    if (missing === undefined) return;
    throw capabilityRefusal(missing, {
      ...(fallbackHint !== undefined && { fallbackHint }),
      stateless: clientCapabilities === undefined,
    });
  }

  /**
   * What the call answers with if any question was put: all of them, and the
   * state that the next round needs.
   *
   * @throws {McpError} When the client cannot answer them: -32021, or the
   * refusal of the 2025 era.
   */
  async settle(): Promise<InputRequiredResult | undefined> {
    if (!this.#suspended) return undefined;
    const requests = Object.fromEntries(this.#open);
    if (this.#call.era === "modern") {
      const missing = missingCapabilities(
        requests,
        this.#call.clientCapabilities,
      );
      if (missing !== undefined) throw missingCapabilityError(missing);
    } else {
      this.#refuseOnLegacy(requests, undefined);
    }
    const answers = {
      ...Object.fromEntries(this.#used),
      ...await this.#consents.carry(),
    };
    const state = this.#state;
    const carries = state !== undefined || Object.keys(answers).length > 0;
    return inputRequired({
      ...(this.#open.size > 0 && { inputRequests: requests }),
      ...(carries && {
        requestState: packCarry({ state, answers }),
      }),
    });
  }
}
