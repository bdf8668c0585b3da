import type { AuthContext } from "../context/auth_context.ts";
import { ErrorCode } from "../errors.ts";
import { principalOf } from "./auth/principal.ts";
import { retryLater } from "./retry_later.ts";

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
   * @throws {WireError} `rateLimited` when the caller has all it may.
   */
  take(auth: AuthContext | undefined, always = false): () => void {
    const principal = principalOf(auth);
    const used = this.#used.get(principal) ?? 0;
    if (used >= this.#limit && !always) {
      throw retryLater(
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
