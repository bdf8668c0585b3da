import type { JsonObject } from "../json_rpc.ts";
import type { Suspension } from "./round.ts";

/** What a handler comes to: the JSON of its result, or its questions. */
export type CallAnswer = string | Suspension;

/** A request to run a handler: whose it is, and how to run it once. */
export interface HandlerCall {
  /** The name of the definition. */
  readonly name: string;
  /** The arguments, to which request state is bound. */
  readonly args: JsonObject;
  /** Scopes the caller must have; `undefined` when there are none. */
  readonly scopes: readonly string[] | undefined;
  /** Runs the handler once; gives its answer at once where it does. */
  run(): CallAnswer | Promise<CallAnswer>;
}
