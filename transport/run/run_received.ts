import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import { checkScopes } from "./check_scopes.ts";
import type { HandlerCall } from "./handler_call.ts";
import type { Suspension } from "./round.ts";

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
): string | Promise<string | Suspension> {
  checkScopes(engine, exchange, call.scopes);
  return params.requestState === undefined &&
      params.inputResponses === undefined
    ? call.run()
    : runRetry(engine, exchange, params, call);
}

// Loaded with the first retry.
let filtering: typeof import("../../input/filter_responses.ts") | undefined;

async function runRetry(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
  call: HandlerCall,
): Promise<string | Suspension> {
  filtering ??= await import("../../input/filter_responses.ts");
  const received = await engine.seal.open(exchange, params, call.args);
  exchange.received = received;
  exchange.answers = filtering.filterResponses(
    received.responses,
    exchange.clientCapabilities,
  );
  return call.run();
}
