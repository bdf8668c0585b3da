import type { InputRequiredResult } from "../../types.ts";
import { CallContext } from "../../context/call_context.ts";
import { ErrorCode } from "../../errors.ts";
import { unpackCarry } from "../../input/mod.ts";
import { requestBinding, type Sealer } from "../../seal/mod.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import { type JsonObject, WireError } from "../json_rpc.ts";

/** Verifies a state that a handler sealed itself; gives what it decodes to. */
export type VerifyRequestState = (
  state: string,
  ctx: never,
) => unknown | Promise<unknown>;

/** Where a {@linkcode StateSeal} finds its means. */
export interface StateSealOptions {
  /** Seals what handlers return; `undefined` when nothing is sealed. */
  sealer(): Promise<Sealer | undefined>;
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
   * @throws {WireError} -32602 when it was not sealed for this very call.
   */
  open(
    exchange: Exchange,
    params: JsonObject,
    args: unknown,
  ): Promise<ReceivedInput>;
  /** Seals what goes out with questions. */
  close(
    exchange: Exchange,
    result: InputRequiredResult,
    args: unknown,
  ): Promise<InputRequiredResult>;
}

/** Makes the seal of an app. */
export function createStateSeal(options: StateSealOptions): StateSeal {
  const { verify, audience } = options;

  function bindingOf(exchange: Exchange, args: unknown): string {
    const { auth, tenantId, method, target } = exchange;
    const clientId = auth?.clientId;
    const subject = auth?.sub;
    const caller = { clientId, subject, tenantId, audience };
    try {
      return requestBinding({ ...caller, method, target, args });
    } catch (cause) {
      // Arguments nested so deep that no digest of them can be taken.
      if (!(cause instanceof RangeError)) throw cause;
      throw new WireError(ErrorCode.InvalidParams, cause.message);
    }
  }

  async function openState(
    exchange: Exchange,
    sent: unknown,
    args: unknown,
  ): Promise<string> {
    const sealer = await options.sealer();
    if (sealer === undefined) {
      if (typeof sent !== "string") throw invalidState();
      return sent;
    }
    try {
      return await sealer.open(sent, bindingOf(exchange, args));
    } catch {
      throw invalidState();
    }
  }

  async function verified(
    state: string | undefined,
    exchange: Exchange,
  ): Promise<unknown> {
    if (state === undefined || verify === undefined) return state;
    try {
      return await verify(state, new CallContext(exchange) as never);
    } catch {
      throw invalidState();
    }
  }

  return {
    async open(exchange, params, args) {
      const { inputResponses: responses, requestState: sent } = params;
      if (sent === undefined) {
        return { responses, state: undefined, carried: {} };
      }
      const opened = await openState(exchange, sent, args);
      const { state, answers } = unpackCarry(opened);
      return {
        responses,
        state: await verified(state, exchange),
        carried: answers,
      };
    },

    async close(exchange, result, args) {
      const sealer = await options.sealer();
      if (sealer === undefined || result.requestState === undefined) {
        return result;
      }
      const requestState = await sealer.seal(
        result.requestState,
        bindingOf(exchange, args),
      );
      return { ...result, requestState };
    },
  };
}

function invalidState(): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    "Invalid or expired requestState",
    { reason: "invalid_request_state" },
  );
}
