import type { Exchange } from "../exchange.ts";
import { WireError } from "../json_rpc.ts";
import type { Suspension } from "../run/round.ts";

/** How a run of a handler ended. */
export interface Outcome {
  /** What went wrong; `undefined` when nothing did. */
  readonly error: OutcomeError | undefined;
  /** Whether it waits for input, which is no error. */
  readonly suspended: boolean;
  /** The result; `undefined` when there is none. */
  readonly result: string | undefined;
}

/** What went wrong in a run of a handler. */
export interface OutcomeError {
  /** `error.type`: the code of a JSON-RPC error, or what else it was. */
  readonly type: string;
  /** The code of a JSON-RPC error. */
  readonly code: string | undefined;
  /** What the client is told. */
  readonly message: string;
  /** What was thrown, where it was a fault of the server. */
  readonly fault: unknown;
}

/** Tells how a run ended from what it gave. */
export function outcomeOf(
  { failure, cancelled }: Exchange,
  answer: string | Suspension,
): Outcome {
  if (typeof answer !== "string") {
    return { error: undefined, suspended: true, result: undefined };
  }
  if (failure === undefined) {
    return { error: undefined, suspended: false, result: answer };
  }
  const { message, fault } = failure;
  const type = cancelled ? "cancelled" : "tool_error";
  const error = { type, code: undefined, message, fault };
  return { error, suspended: false, result: answer };
}

/** Tells how a run ended that threw. */
export function outcomeOfThrown(
  { failure, cancelled }: Exchange,
  thrown: unknown,
): Outcome {
  const code = thrown instanceof WireError ? String(thrown.code) : undefined;
  return {
    error: {
      type: cancelled ? "cancelled" : code ?? "_OTHER",
      code,
      message: thrown instanceof WireError ? thrown.message : "Internal error",
      fault: code === undefined ? thrown : failure?.fault,
    },
    suspended: false,
    result: undefined,
  };
}
