import type { InputRequiredResult } from "../../types.ts";
import type { CallContext } from "../../context/call_context.ts";
import { InputRequiredSignal, isInputRequiredResult } from "../../input/mod.ts";

/** A handler that waits for the client. */
export class Suspension {
  /** @param result What it asks. */
  constructor(readonly result: InputRequiredResult) {}
}

/**
 * Runs a handler once.
 *
 * @returns What it returned; a {@linkcode Suspension} when it put a question,
 * whether it returned, threw, or swallowed it.
 */
export async function runHandler(
  handler: (input: unknown, ctx: unknown) => unknown,
  input: unknown,
  ctx: CallContext,
): Promise<unknown> {
  let returned: unknown;
  let thrown: { readonly value: unknown } | undefined;
  try {
    returned = await handler(input, ctx);
    if (isInputRequiredResult(returned)) ctx.round.returned(returned);
  } catch (value) {
    thrown = { value };
    if (value instanceof InputRequiredSignal) ctx.round.returned(value.result);
  }
  const questions = await ctx.touchedRound?.settle();
  if (questions !== undefined) return new Suspension(questions);
  if (thrown !== undefined) throw thrown.value;
  return returned;
}
