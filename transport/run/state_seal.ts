import type { Context } from "../../context/context.ts";
import type { KeyRing } from "../../seal/key_ring.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import type { JsonObject } from "../json_rpc.ts";

/**
 * Verifies a state that a handler sealed itself, before the handler runs. What
 * it gives is what the handler reads; the string itself where it gives nothing.
 * Whatever it throws refuses the call.
 */
export type VerifyRequestState = (
  state: string,
  ctx: Context,
) => unknown | Promise<unknown>;

/** Where a {@linkcode StateSeal} finds its means. */
export interface StateSealOptions {
  /** Seals what handlers return; `undefined` when nothing is sealed. */
  keyRing(): Promise<KeyRing | undefined>;
  /** Verifies what handlers sealed themselves. */
  readonly verify: VerifyRequestState | undefined;
  /** The app, so that another one with the same key is told apart. */
  readonly audience: string;
}

/**
 * Guards the request state on its way through the client (2026-07-28, basic,
 * patterns, multi round-trip requests).
 */
export interface StateSeal {
  /**
   * Opens what came back with a retry.
   *
   * @returns What handlers read of it, at once where nothing has to be waited
   * for.
   * @throws {WireError} -32602 when it was not sealed for this very call.
   */
  open(
    exchange: Exchange,
    params: JsonObject,
  ): ReceivedInput | Promise<ReceivedInput>;
  /** Seals the state that goes out with questions. */
  close(exchange: Exchange, state: string): string | Promise<string>;
}
