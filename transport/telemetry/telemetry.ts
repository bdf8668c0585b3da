import type { Exchange } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";
import type { HandlerCall } from "../run/handler_call.ts";

/** Tells of the calls of one app. An app has none while nobody listens. */
export interface Telemetry {
  /**
   * Puts a span around each run of a handler, and measures it.
   *
   * @param params The parameters of the request, whose `_meta` may name the
   * caller's span.
   */
  instrument(
    exchange: Exchange,
    call: HandlerCall,
    params: JsonObject,
  ): HandlerCall;
}
