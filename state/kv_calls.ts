import {
  databaseError,
  McpError,
  serviceUnavailable,
  validationError,
} from "../errors.ts";
import { backOff } from "./back_off.ts";

/** A call that the store has not answered yet. */
interface PendingCall {
  /** How many looks of the watch it has outlived, its repetitions included. */
  looks: number;
  /** Ends the waiting for the present answer. */
  giveUp: (error: McpError) => void;
}

/** How many looks the watch takes within the time limit. */
const LOOKS = 4;

/**
 * Runs the calls to a store.
 *
 * Busy and throttled answers, which say that nothing was done, are tried again
 * with jittered waits within the time limit. No other failure is: a write whose
 * fate is unknown must not be repeated, or a value could be taken twice.
 */
export class KvCalls {
  readonly #limit: number;
  readonly #pending = new Set<PendingCall>();
  #watching = false;

  /** @param limit How long to wait for a busy or silent store, in milliseconds. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Runs one call.
   *
   * @throws {McpError} `serviceUnavailable` when the store stays busy,
   *   `validationError` when the write is too large for it, `databaseError`
   *   when it fails or is silent.
   */
  async run<T>(call: () => Promise<T>): Promise<T> {
    const pending: PendingCall = { looks: 0, giveUp() {} };
    this.#pending.add(pending);
    if (!this.#watching) this.#watch();
    try {
      for (let attempt = 0;; attempt++) {
        try {
          return await new Promise((resolve, reject) => {
            pending.giveUp = reject;
            call().then(resolve, reject);
          });
        } catch (error) {
          if (!isBusy(error)) throw toStateError(error);
          if (pending.looks > LOOKS) throw stillBusy(this.#limit, error);
        }
        await backOff(attempt);
      }
    } finally {
      this.#pending.delete(pending);
    }
  }

  /**
   * Looks at the pending calls once in a while. A timer for each call would cost
   * a fifth of a read, and this one holds up no process that wants to end.
   */
  #watch(): void {
    this.#watching = true;
    const pause = Math.ceil(this.#limit / LOOKS);
    AbortSignal.timeout(pause).onabort = () => {
      this.#watching = false;
      for (const pending of this.#pending) {
        // The first look comes at any time after the start of a call.
        if (++pending.looks > LOOKS) pending.giveUp(silent(this.#limit));
      }
      if (this.#pending.size > 0) this.#watch();
    };
  }
}

/**
 * Whether the store said that it was busy and had done nothing. Deno KV gives
 * these as plain `TypeError`s, so the text is all there is to go by.
 */
function isBusy(error: unknown): boolean {
  return error instanceof Error && !(error instanceof McpError) &&
    /\b(?:database|table|schema)\b.* is locked|status=429/.test(error.message);
}

function toStateError(error: unknown): McpError {
  if (error instanceof McpError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const options = { cause: error };
  if (/too large (?:for \w+ )?\(max \d+ bytes\)|^Too many /.test(message)) {
    return validationError(
      `The state store cannot take this: ${message}`,
      undefined,
      options,
    );
  }
  if (/Bad resource ID|[Dd]atabase is closed/.test(message)) {
    return databaseError("The state store is closed", undefined, options);
  }
  return databaseError("The state store failed", undefined, options);
}

function stillBusy(limit: number, cause: unknown): McpError {
  return serviceUnavailable(
    `The state store was still busy after ${limit} ms`,
    undefined,
    { cause },
  );
}

function silent(limit: number): McpError {
  return databaseError(
    `The state store did not answer within ${limit} ms; a write may still happen`,
  );
}
