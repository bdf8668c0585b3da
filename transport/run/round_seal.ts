import { CallContext } from "../../context/call_context.ts";
import {
  ErrorCode,
  internalError,
  invalidParams,
  McpError,
} from "../../errors.ts";
import { unpackCarry } from "../../input/carry.ts";
import { requestBinding } from "../../seal/request_binding.ts";
import type { Sealer } from "../../seal/sealer.ts";
import { principalOf } from "../auth/principal.ts";
import type { Exchange } from "../exchange.ts";
import { WireError } from "../json_rpc.ts";
import { wireFailure } from "./failure.ts";
import { logFailure } from "./log_failure.ts";
import type { StateSeal, StateSealOptions } from "./state_seal.ts";

/** Makes what works in the seal of an app; `createStateSeal` loads this file. */
export function createRoundSeal(options: StateSealOptions): StateSeal {
  const { verify, audience } = options;

  function bindingOf(exchange: Exchange, args: unknown): string {
    const { auth, tenantId, method, target } = exchange;
    const clientId = auth?.clientId;
    // With its issuer: two of them may have a subject of the same name.
    const subject = auth && principalOf(auth);
    const caller = { clientId, subject, tenantId, audience };
    try {
      return requestBinding({ ...caller, method, target, args });
    } catch (cause) {
      // Arguments nested so deep that no digest of them can be taken.
      if (!(cause instanceof RangeError)) throw cause;
      throw new WireError(ErrorCode.InvalidParams, cause.message);
    }
  }

  async function sealerFor(exchange: Exchange): Promise<Sealer | undefined> {
    try {
      return await options.sealer();
    } catch (error) {
      // The store that keeps the key is not there.
      throw wireFailure(exchange, error);
    }
  }

  async function openState(
    exchange: Exchange,
    sent: unknown,
    args: unknown,
  ): Promise<string> {
    const sealer = await sealerFor(exchange);
    if (sealer === undefined) {
      if (typeof sent === "string") return sent;
      throw invalidState(exchange, "malformed");
    }
    try {
      return await sealer.open(sent, bindingOf(exchange, args));
    } catch (error) {
      throw invalidState(
        exchange,
        error instanceof McpError ? error.cause : error,
      );
    }
  }

  async function verified(
    state: string | undefined,
    exchange: Exchange,
  ): Promise<unknown> {
    if (state === undefined || verify === undefined) return state;
    try {
      const decoded = await verify(state, new CallContext(exchange));
      // One that only verifies gives nothing, and the handler reads the string.
      return decoded === undefined ? state : decoded;
    } catch (cause) {
      throw invalidState(exchange, cause);
    }
  }

  return {
    async open(exchange, params, args) {
      const { inputResponses: responses, requestState: sent } = params;
      if (sent === undefined) {
        return {
          responses,
          state: undefined,
          sentState: undefined,
          carried: {},
        };
      }
      const opened = await openState(exchange, sent, args);
      const { state, answers } = unpackCarry(opened);
      return {
        responses,
        state: await verified(state, exchange),
        sentState: state,
        carried: answers,
      };
    },

    async close(exchange, result, args) {
      const { requestState } = result;
      if (requestState === undefined) return result;
      const sealer = await sealerFor(exchange);
      if (sealer === undefined) return result;
      const binding = bindingOf(exchange, args);
      try {
        return {
          ...result,
          requestState: await sealer.seal(requestState, binding),
        };
      } catch (cause) {
        if (!(cause instanceof RangeError)) throw cause;
        // The handler's own state: answers have a lower limit.
        throw wireFailure(
          exchange,
          internalError(
            cause.message,
            { reason: "request_state_too_large" },
            { cause },
          ),
        );
      }
    },
  };
}

/** The same for every cause; which one it was is for the log. */
function invalidState(exchange: Exchange, cause: unknown): WireError {
  const message = "Invalid or expired requestState";
  const data = { reason: "invalid_request_state" };
  const error = invalidParams(message, data, { cause });
  logFailure(exchange, error, error, data);
  return new WireError(ErrorCode.InvalidParams, message, data);
}
