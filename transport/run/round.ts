import type { CallContext } from "../../context/call_context.ts";
import type { InputRound } from "../../context/input_round.ts";
import { internalError, McpError, timeout } from "../../errors.ts";
import {
  InputRequiredSignal,
  isInputRequiredResult,
} from "../../input/input_required.ts";
import type { InputRequiredResult } from "../../types.ts";
import type { Exchange } from "../exchange.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/** The reason of a call that took too long. */
const LATE = "call_timeout";

/** A handler that waits for the client. */
export class Suspension {
  /** @param result What it asks. */
  constructor(readonly result: InputRequiredResult) {}
}

/** A handler, with the types of its definition forgotten. */
export type Handler = (input: unknown, ctx: unknown) => unknown;

/**
 * Runs a handler once, for no longer than a call may take.
 *
 * @returns What it returned, at once where the handler does; a
 * {@linkcode Suspension} when it put a question, whether it returned, threw, or
 * swallowed it.
 * @throws {unknown} What it threw, at once where the handler does.
 */
export function runHandler(
  handler: Handler,
  input: unknown,
  ctx: CallContext,
  exchange: Exchange,
): unknown {
  const { running, callTimeoutMs } = exchange.services;
  running.begin();
  let returned: unknown;
  try {
    returned = callTimeoutMs === undefined
      ? handler(input, ctx)
      : runInTime(() => handler(input, ctx), exchange, callTimeoutMs);
    // What is returned may be anything, even something that throws when asked.
    if (isPromise(returned)) return awaitHandler(returned, ctx, exchange);
  } catch (value) {
    running.end();
    return conclude(ctx, exchange, undefined, { value });
  }
  running.end();
  // Nothing was asked, as in most calls.
  if (ctx.touchedRound === undefined && !isInputRequiredResult(returned)) {
    return returned;
  }
  return conclude(ctx, exchange, returned, undefined);
}

async function awaitHandler(
  pending: PromiseLike<unknown>,
  ctx: CallContext,
  exchange: Exchange,
): Promise<unknown> {
  let returned: unknown;
  let thrown: Thrown | undefined;
  try {
    returned = await pending;
  } catch (value) {
    thrown = { value };
  } finally {
    exchange.services.running.end();
  }
  return conclude(ctx, exchange, returned, thrown);
}

/** A thrown value, which may be anything. */
interface Thrown {
  readonly value: unknown;
}

function conclude(
  ctx: CallContext,
  exchange: Exchange,
  returned: unknown,
  thrown: Thrown | undefined,
): unknown {
  const asks = thrown === undefined
    ? isInputRequiredResult(returned)
    : thrown.value instanceof InputRequiredSignal;
  if (!asks && ctx.touchedRound === undefined || isLate(thrown?.value)) {
    return outcomeOf(undefined, returned, thrown);
  }
  const { round } = ctx;
  return round.isLooking
    ? round.looked().then(() => suspend(round, exchange, returned, thrown))
    : suspend(round, exchange, returned, thrown);
}

/** What a handler put, in whatever way, and whatever it did afterwards. */
function suspend(
  round: InputRound,
  exchange: Exchange,
  returned: unknown,
  thrown: Thrown | undefined,
): unknown {
  try {
    if (thrown === undefined) {
      if (isInputRequiredResult(returned)) round.returned(returned);
    } else if (
      thrown.value instanceof InputRequiredSignal && !round.suspended
    ) {
      // A signal that `ctx` did not throw.
      round.returned(thrown.value.result);
    }
  } catch (error) {
    return failToAsk(exchange, error);
  }
  const questions = round.settle();
  return questions instanceof Promise
    ? questions.then((settled) => outcomeOf(settled, returned, thrown))
    : outcomeOf(questions, returned, thrown);
}

function outcomeOf(
  questions: InputRequiredResult | undefined,
  returned: unknown,
  thrown: Thrown | undefined,
): unknown {
  if (questions !== undefined) return new Suspension(questions);
  if (thrown !== undefined) throw thrown.value;
  return returned;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}

/** Fails with -32603 where no client can be sent what was returned. */
async function failToAsk(exchange: Exchange, error: unknown): Promise<never> {
  if (!(error instanceof TypeError)) throw error;
  const { method, target } = exchange;
  const message =
    `The handler of ${method} "${target}" returned nothing that can be asked: ${error.message}`;
  failing ??= await import("./failure.ts");
  throw failing.wireFailure(
    exchange,
    internalError(message, undefined, { cause: error }),
  );
}

/** A handler that is too late is told to stop, and its call fails at once. */
async function runInTime(
  run: () => unknown,
  exchange: Exchange,
  limitMs: number,
): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The call took longer than ${limitMs} ms`;
      reject(timeout(message, { reason: LATE, limitMs }));
      exchange.abort(new DOMException(message, "TimeoutError"));
    }, limitMs);
  });
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function isLate(thrown: unknown): boolean {
  return thrown instanceof McpError && thrown.data?.reason === LATE;
}
