import type { LimitCall, LimitOptions, Limits, LimitStream } from "./limits.ts";
import { type AuthContext, principalOf } from "../context/auth_context.ts";
import { ErrorCode } from "../errors.ts";
import { retryLater } from "./retry_later.ts";

/** Makes the limits of an app. */
export function createLimits(options: LimitOptions): Limits {
  const { concurrentCalls, openStreams } = options;
  return {
    calls: concurrentCalls === undefined
      ? undefined
      : limitCall(new Quota(concurrentCalls, "running calls")),
    streams: openStreams === undefined
      ? undefined
      : limitStream(new Quota(openStreams, "open streams")),
  };
}

/**
 * Makes calls count against the quotas of their callers while their handlers
 * run. The rounds after the first are not refused: someone has answered
 * questions for them.
 */
function limitCall(quota: Quota): LimitCall {
  return (auth, call) => {
    let admitted = false;
    return {
      ...call,
      async run() {
        const release = quota.take(auth, admitted);
        admitted = true;
        try {
          return await call.run();
        } finally {
          release();
        }
      },
    };
  };
}

/**
 * Makes streams count against the quotas of their callers for as long as they
 * are open. A caller that has all it may is refused before one is opened.
 */
function limitStream(quota: Quota): LimitStream {
  return (auth, open) => {
    const release = quota.take(auth);
    const refuse = (error: unknown): never => {
      release();
      throw error;
    };
    try {
      const opened = open();
      return opened instanceof Response
        ? counted(opened, release)
        : opened.then((response) => counted(response, release), refuse);
    } catch (error) {
      return refuse(error);
    }
  };
}

function counted(response: Response, release: () => void): Response {
  const { body, headers } = response;
  if (headers.get("content-type") !== "text/event-stream" || body === null) {
    release();
    return response;
  }
  return new Response(releasing(body, release), response);
}

/** The same bytes; `release` is called when they end, in whatever way. */
function releasing(
  body: ReadableStream<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        controller.error(error);
      }
    },
    cancel(reason) {
      release();
      return reader.cancel(reason);
    },
  });
}

/** How long a refused caller is told to wait, in seconds. */
const RETRY_AFTER_SECONDS = 1;

/** Counts what each caller uses, and refuses what is too much. */
class Quota {
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
