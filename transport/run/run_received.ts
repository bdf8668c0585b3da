import type { Engine } from "../engine.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import { checkScopes } from "./check_scopes.ts";
import type { CallAnswer, HandlerCall } from "./handler_call.ts";

type Filtering = typeof import("../../input/filter_responses.ts");

// Loaded with the first retry.
let filtering: Filtering | undefined;

/**
 * Runs the handler of a request as it came in: with the answers and the state
 * that a retry brings, once they are opened.
 *
 * @throws {ScopeError} When the caller lacks the scopes of the definition.
 * @throws {WireError} When the state is not what this server sealed for it.
 */
export function runReceived(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): CallAnswer | Promise<CallAnswer> {
  checkScopes(engine, exchange, call.scopes);
  if (
    params.requestState === undefined && params.inputResponses === undefined
  ) {
    return call.run();
  }
  return filtering === undefined
    ? runFirstRetry(engine, exchange, params, call)
    : runRetry(filtering, engine, exchange, params, call);
}

function runFirstRetry(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): Promise<CallAnswer> {
  return engine.services.running.during(async () => {
    filtering = await import("../../input/filter_responses.ts");
    return await runRetry(filtering, engine, exchange, params, call);
  });
}

function runRetry(
  { filterResponses }: Filtering,
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): CallAnswer | Promise<CallAnswer> {
  function runWith(received: ReceivedInput): CallAnswer | Promise<CallAnswer> {
    exchange.received = received;
    exchange.answers = filterResponses(
      received.responses,
      exchange.clientCapabilities,
    );
    return call.run();
  }
  const received = engine.seal.open(exchange, params);
  return received instanceof Promise
    ? received.then(runWith)
    : runWith(received);
}
