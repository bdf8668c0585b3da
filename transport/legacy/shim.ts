import { ErrorCode, McpError } from "../../errors.ts";
import { filterResponses } from "../../input/filter_responses.ts";
import type { InputRequiredResult } from "../../types.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { type JsonObject, WireError } from "../json_rpc.ts";
import { runReceived } from "../run/call.ts";
import { failureOf, wireFailure } from "../run/failure.ts";
import type { CallAnswer, HandlerCall } from "../run/handler_call.ts";
import { renderToolFailure } from "../run/render_tool.ts";
import type { LegacyPeer } from "./peer.ts";

/** How often a handler may ask within one call. */
const MAX_ROUNDS = 8;

/** How long a round without questions waits, so that it cannot spin, ms. */
const PAUSE_MS = 250;

/**
 * Runs a handler for a client that cannot be answered with `input_required`:
 * its questions become requests to the client, and it runs again with the
 * answers until it has a result. It sees each round as it would see a retry
 * of a 2026-07-28 client: only the answers of this round, and its own state,
 * sealed and opened again in between.
 *
 * @returns The JSON of the result.
 * @throws {WireError} When the answer is an error.
 */
export function runLegacy(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
  peer: LegacyPeer,
): string | Promise<string> {
  const answer = runReceived(engine, exchange, params, call);
  return typeof answer === "string"
    ? answer
    : runOn(engine, exchange, call, peer, answer);
}

async function runOn(
  engine: Engine,
  exchange: Exchange,
  call: HandlerCall,
  peer: LegacyPeer,
  first: CallAnswer | Promise<CallAnswer>,
): Promise<string> {
  const answer = await first;
  if (typeof answer === "string") return answer;
  if (!engine.legacyShim) throw shimIsOff(exchange, peer);
  try {
    return await askUntilDone(engine, exchange, call, peer, answer.result);
  } catch (error) {
    // Nobody is answered, or told of it, when the call was cancelled.
    if (error instanceof WireError || exchange.cancelled) throw error;
    return failCall(engine, exchange, error);
  }
}

async function askUntilDone(
  engine: Engine,
  exchange: Exchange,
  call: HandlerCall,
  peer: LegacyPeer,
  first: InputRequiredResult,
): Promise<string> {
  let asked = first;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const { inputRequests } = asked;
    const requestState = asked.requestState === undefined
      ? undefined
      : await engine.seal.close(exchange, asked.requestState);
    const inputResponses = inputRequests === undefined
      ? await pause(exchange.signal())
      : await peer.ask(exchange, inputRequests);
    const received = await engine.seal.open(exchange, {
      inputResponses,
      requestState,
    });
    exchange.received = received;
    exchange.answers = filterResponses(
      received.responses,
      exchange.clientCapabilities,
    );
    // Whoever cancels right behind an answer takes it back.
    exchange.signal().throwIfAborted();
    const answer = await call.run();
    if (typeof answer === "string") return answer;
    asked = answer.result;
  }
  throw new McpError(
    ErrorCode.InternalError,
    `The call asked for input ${MAX_ROUNDS} times and still has no result`,
    { reason: "too_many_rounds" },
  );
}

/** Waits a little. @throws The reason, when the call is cancelled meanwhile. */
function pause(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(undefined);
    }, PAUSE_MS);
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Answers with a failure that happened between two runs of the handler. */
function failCall(
  engine: Engine,
  exchange: Exchange,
  thrown: unknown,
): string {
  const tool = exchange.method === "tools/call"
    ? engine.catalog.tools.get(exchange.target)
    : undefined;
  if (tool === undefined) throw wireFailure(exchange, thrown);
  const failure = failureOf(exchange, thrown);
  return renderToolFailure(engine, exchange, tool, failure);
}

function shimIsOff(exchange: Exchange, peer: LegacyPeer): WireError {
  const { method, target } = exchange;
  return wireFailure(
    exchange,
    new McpError(
      ErrorCode.InternalError,
      `Cannot answer ${method} "${target}": its handler asks for input, which revision ${peer.version} cannot carry, and inputRequired.legacyShim is off`,
    ),
  );
}
