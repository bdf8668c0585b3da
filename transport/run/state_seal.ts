import type { InputRequiredResult } from "../../types.ts";
import { CallContext } from "../../context/call_context.ts";
import type { Context } from "../../context/context.ts";
import {
  ErrorCode,
  internalError,
  invalidParams,
  McpError,
} from "../../errors.ts";
import { unpackCarry } from "../../input/carry.ts";
import { requestBinding, type Sealer } from "../../seal/mod.ts";
import { principalOf } from "../auth/principal.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import { type JsonObject, WireError } from "../json_rpc.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

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
      failing ??= await import("./failure.ts");
      throw failing.wireFailure(exchange, error);
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
      throw await invalidState(exchange, "malformed");
    }
    try {
      return await sealer.open(sent, bindingOf(exchange, args));
    } catch (error) {
      throw await invalidState(
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
      throw await invalidState(exchange, cause);
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
        failing ??= await import("./failure.ts");
        throw failing.wireFailure(
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
async function invalidState(
  exchange: Exchange,
  cause: unknown,
): Promise<WireError> {
  const message = "Invalid or expired requestState";
  const data = { reason: "invalid_request_state" };
  const error = invalidParams(message, data, { cause });
  failing ??= await import("./failure.ts");
  failing.logFailure(exchange, error, error, data);
  return new WireError(ErrorCode.InvalidParams, message, data);
}
