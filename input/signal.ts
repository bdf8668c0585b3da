import type { InputRequiredResult } from "../types.ts";
import { isJsonObject, ownValue } from "./_json_schema.ts";

/** Options of a request for input. */
export interface RequestInputOptions {
  /**
   * A sentence for callers whose client cannot be asked: how to supply the
   * answer in the call itself. It is put behind the hint of the refusal that
   * a 2025-era client without the capability gets, and used nowhere else.
   *
   * @default undefined
   */
  fallbackHint?: string;
}

/**
 * What `ctx.requestInput` throws to leave a handler. It says that the call
 * waits for an answer, which is no failure, so it is not an `Error`: code that
 * retries or classifies errors has no reason to touch it. It is never logged
 * and never sent; the call answers with {@linkcode InputRequiredSignal.result}.
 */
export class InputRequiredSignal {
  /** Always `"InputRequiredSignal"`. */
  readonly name = "InputRequiredSignal";
  /** What it means, for whoever prints a caught value. */
  readonly message = "The call waits for input from the client";
  /** What the call answers with. */
  readonly result: InputRequiredResult;
  /** The options given with the request. */
  readonly options: RequestInputOptions;

  /**
   * Makes the signal.
   *
   * @param result What the call answers with.
   * @param options The options given with the request.
   */
  constructor(
    result: InputRequiredResult,
    options: RequestInputOptions = {},
  ) {
    this.result = result;
    this.options = options;
  }

  /** Says what it is, where it is printed by mistake. */
  toString(): string {
    return `${this.name}: ${this.message}`;
  }
}

/**
 * Tells whether what a handler returned asks for input, by its
 * `resultType: "input_required"`. A literal built by hand counts too.
 */
export function isInputRequiredResult(
  value: unknown,
): value is InputRequiredResult {
  return isJsonObject(value) &&
    ownValue(value, "resultType") === "input_required";
}
