import type { AppServices } from "../context/call.ts";

/** How long calls that were told to stop may take to do it, ms. */
export const ABORT_MS = 500;

/** A call whose handler wants to know when it should stop. */
export interface StoppableCall {
  /** Aborts the signal of the handler; the call is still answered. */
  abort(reason: unknown): void;
}

/**
 * The handlers of an app that are running, whatever their calls came by, so
 * that closing the app can wait for them and then tell them to stop.
 */
export class RunningCalls {
  #count = 0;
  readonly #watching = new Set<StoppableCall>();
  #onIdle: (() => void)[] = [];

  /** A handler begins. */
  begin(): void {
    this.#count++;
  }

  /** A handler has ended. */
  end(): void {
    if (--this.#count > 0 || this.#onIdle.length === 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /**
   * Keeps an app that is closed meanwhile waiting for work that has come, and
   * whose handler begins once something is loaded for it.
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  /** A call is to be told when everything has to stop. */
  watch(call: StoppableCall): void {
    this.#watching.add(call);
  }

  /** A call is over. */
  forget(call: StoppableCall): void {
    this.#watching.delete(call);
  }

  /** Resolves when no handler is running. */
  idle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Tells every running handler to stop. */
  abortAll(reason: unknown): void {
    for (const call of [...this.#watching]) call.abort(reason);
  }
}

/** What a transport gives its calls, besides what handlers see of it. */
export interface CallServices extends AppServices {
  /** The handlers that are running. */
  readonly running: RunningCalls;
  /** Milliseconds a handler may run; `undefined` for any time. */
  readonly callTimeoutMs: number | undefined;
}

/**
 * Waits for a promise, but no longer than `ms`.
 *
 * @returns Whether it settled in time.
 */
export async function settledWithin(
  ms: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(() => true as const, () => true as const);
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
