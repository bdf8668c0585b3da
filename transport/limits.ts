import { ErrorCode } from "../errors.ts";
import type { AuthContext } from "../context/auth_context.ts";
import { principalOf } from "./auth/principal.ts";
import { RetryLaterError } from "./retry_later.ts";

/**
 * What one caller may use at a time: one client acting for one subject.
 * Without authentication all callers count as one.
 */
export interface LimitOptions {
  /** Tools, prompts and resources that run. Default: any number. */
  readonly concurrentCalls?: number | undefined;
  /** Streams that stay open to hear of changes. Default: any number. */
  readonly openStreams?: number | undefined;
}

/** How long a refused caller is told to wait, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Counts what each caller uses, and refuses what is too much. */
export class Quota {
  readonly #limit: number;
  readonly #what: string;
  readonly #used = new Map<string, number>();

  /**
   * @param limit The most one caller may have.
   * @param what What is counted, in the plural, for messages.
   */
  constructor(limit: number, what: string) {
    this.#limit = limit;
    this.#what = what;
  }

  /**
   * Takes one for a caller.
   *
   * @param always Whether it is counted and never refused: for work that has
   * been let in already.
   * @returns What gives it back; calling it again does nothing.
   * @throws {RetryLaterError} `rateLimited` when the caller has all it may.
   */
  take(auth: AuthContext | undefined, always = false): () => void {
    const principal = principalOf(auth);
    const used = this.#used.get(principal) ?? 0;
    if (used >= this.#limit && !always) {
      throw new RetryLaterError(
        ErrorCode.RateLimited,
        `Too many ${this.#what}: at most ${this.#limit} at a time are allowed`,
        RETRY_AFTER_SECONDS,
        { reason: "too_many", limit: this.#limit },
      );
    }
    this.#used.set(principal, used + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.#used.get(principal) ?? 1) - 1;
      if (left > 0) this.#used.set(principal, left);
      else this.#used.delete(principal);
    };
  }
}

/** The quotas of an app; those that are off are `undefined`. */
export interface Limits {
  /** Of running calls. */
  readonly calls: Quota | undefined;
  /** Of open streams. */
  readonly streams: Quota | undefined;
}

/** Makes the quotas of an app. */
export function createLimits(options: LimitOptions): Limits {
  const { concurrentCalls, openStreams } = options;
  return {
    calls: concurrentCalls === undefined
      ? undefined
      : new Quota(concurrentCalls, "running calls"),
    streams: openStreams === undefined
      ? undefined
      : new Quota(openStreams, "open streams"),
  };
}
