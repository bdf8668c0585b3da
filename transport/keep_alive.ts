/** What {@linkcode KeepAlive} keeps alive. */
export interface KeptAlive {
  /** Sends a comment, if there is room for it. */
  keepAlive(): void;
}

/**
 * Keeps streams alive that are idle for long, so that nothing on their way
 * takes them for dead. All streams share one timer, which runs only while
 * there are any.
 */
export class KeepAlive {
  readonly #ms: number;
  readonly #streams = new Set<KeptAlive>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param ms Milliseconds between two comments on a stream; 0 for none. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins with a stream. */
  add(stream: KeptAlive): void {
    if (this.#ms === 0) return;
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => {
      for (const each of this.#streams) each.keepAlive();
    }, this.#ms);
  }

  /** Ends with a stream. */
  delete(stream: KeptAlive): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
