import { principalOf } from "../../context/auth_context.ts";
import { CallContext } from "../../context/call_context.ts";
import {
  ErrorCode,
  internalError,
  invalidParams,
  McpError,
} from "../../errors.ts";
import { unpackCarry } from "../../input/carry.ts";
import type { KeyRing } from "../../seal/key_ring.ts";
import { requestBinding } from "../../seal/request_binding.ts";
import type { Exchange, ReceivedInput } from "../exchange.ts";
import { WireError } from "../json_rpc.ts";
import type { StateSeal, StateSealOptions } from "./state_seal.ts";

// Loaded with the first failure.
let failing: typeof import("./failure.ts") | undefined;

/**
 * Makes what works in the seal of an app; `createStateSeal` loads this file.
 * What is there at once is not waited for: rounds are as frequent as calls.
 */
export function createRoundSeal(options: StateSealOptions): StateSeal {
  const { verify, audience } = options;
  // Found once, as it is kept in the store unless it is configured.
  let found: { readonly keyRing: KeyRing | undefined } | undefined;

  function bindingOf(exchange: Exchange): string {
    const { auth, tenantId, method, target, args } = exchange;
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

  async function find(exchange: Exchange): Promise<void> {
    try {
      found = { keyRing: await options.keyRing() };
    } catch (error) {
      // The store that keeps the key is not there.
      failing ??= await import("./failure.ts");
      throw failing.wireFailure(exchange, error);
    }
  }

  function unseal(exchange: Exchange, sent: unknown): string | Promise<string> {
    if (found === undefined) {
      return find(exchange).then(() => unseal(exchange, sent));
    }
    const { keyRing } = found;
    if (keyRing === undefined) {
      return typeof sent === "string" ? sent : refuse(exchange, "malformed");
    }
    const refuseIt = (error: unknown) =>
      refuse(exchange, error instanceof McpError ? error.cause : error);
    try {
      const opened = keyRing.open(sent, bindingOf(exchange));
      return typeof opened === "string" ? opened : opened.catch(refuseIt);
    } catch (error) {
      return refuseIt(error);
    }
  }

  async function verified(
    state: string,
    exchange: Exchange,
  ): Promise<unknown> {
    if (verify === undefined) return state;
    try {
      const decoded = await verify(state, new CallContext(exchange));
      // One that only verifies gives nothing, and the handler reads the string.
      return decoded === undefined ? state : decoded;
    } catch (cause) {
      return refuse(exchange, cause);
    }
  }

  function received(
    exchange: Exchange,
    responses: unknown,
    opened: string,
  ): ReceivedInput | Promise<ReceivedInput> {
    const { state, answers: carried } = unpackCarry(opened);
    const input = { responses, state, sentState: state, carried };
    if (state === undefined || verify === undefined) return input;
    return verified(state, exchange).then((decoded) => ({
      ...input,
      state: decoded,
    }));
  }

  function sealed(exchange: Exchange, state: string): string | Promise<string> {
    const keyRing = found?.keyRing;
    if (keyRing === undefined) return state;
    const fail = (error: unknown) => tooLarge(exchange, error);
    const binding = bindingOf(exchange);
    try {
      const text = keyRing.seal(state, binding);
      return typeof text === "string" ? text : text.catch(fail);
    } catch (error) {
      return fail(error);
    }
  }

  return {
    open(exchange, { inputResponses: responses, requestState: sent }) {
      if (sent === undefined) {
        const state = undefined;
        return { responses, state, sentState: state, carried: {} };
      }
      const opened = unseal(exchange, sent);
      return typeof opened === "string"
        ? received(exchange, responses, opened)
        : opened.then((text) => received(exchange, responses, text));
    },

    close: (exchange, state) =>
      found === undefined
        ? find(exchange).then(() => sealed(exchange, state))
        : sealed(exchange, state),
  };
}

/** The same for every cause; which one it was is for the log. */
async function refuse(exchange: Exchange, cause: unknown): Promise<never> {
  const message = "Invalid or expired requestState";
  const data = { reason: "invalid_request_state" };
  const error = invalidParams(message, data, { cause });
  failing ??= await import("./failure.ts");
  failing.logFailure(exchange, error, error, data);
  throw new WireError(ErrorCode.InvalidParams, message, data);
}

/** The handler's own state: answers have a lower limit. */
async function tooLarge(exchange: Exchange, cause: unknown): Promise<never> {
  if (!(cause instanceof RangeError)) throw cause;
  const data = { reason: "request_state_too_large" };
  const error = internalError(cause.message, data, { cause });
  failing ??= await import("./failure.ts");
  throw failing.wireFailure(exchange, error);
}
