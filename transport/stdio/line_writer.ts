/** How much may wait to be written before reading pauses, in characters. */
const HIGH_WATER = 1024 * 1024;

/** How much of what can be left out may wait, in characters. */
const MAX_OFFERED = 4 * 1024 * 1024;

/**
 * Writes lines to a byte stream, whole and in order. What is written in one
 * turn goes out in one chunk.
 */
export class LineWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #onBroken: () => void;
  #waiting: string[] = [];
  #size = 0;
  /** The part of it that could have been left out. */
  #offered = 0;
  #flushing: Promise<void> | undefined;
  #broken = false;

  /** @param onBroken Called once, when the other end is gone. */
  constructor(writable: WritableStream<Uint8Array>, onBroken: () => void) {
    this.#writer = writable.getWriter();
    this.#onBroken = onBroken;
    this.#writer.closed.catch(() => this.#break());
  }

  /** Whether the other end is gone. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Whether so much waits that nothing more should be asked for. */
  get full(): boolean {
    return this.#size > HIGH_WATER && !this.#broken;
  }

  /** Writes one line. */
  write(line: string): void {
    if (this.#broken) return;
    this.#waiting.push(line);
    this.#size += line.length;
    this.#flushing ??= this.#flush();
  }

  /**
   * Writes one line, unless too many of its kind wait for a slow reader.
   *
   * @returns Whether it did.
   */
  offer(line: string): boolean {
    if (this.#broken || this.#offered > MAX_OFFERED) return false;
    this.#offered += line.length;
    this.write(line);
    return true;
  }

  /** Resolves when there is room for more. */
  async ready(): Promise<void> {
    while (this.full) await this.#flushing;
  }

  /** Resolves when everything has been written. */
  async drained(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  /** Lets go of the stream, which stays open. */
  release(): void {
    this.#broken = true;
    this.#writer.releaseLock();
  }

  async #flush(): Promise<void> {
    // Others in this turn may have something to say as well.
    await undefined;
    while (this.#waiting.length > 0 && !this.#broken) {
      const lines = this.#waiting;
      this.#waiting = [];
      const offered = this.#offered;
      const text = `${lines.join("\n")}\n`;
      try {
        await this.#writer.write(this.#encoder.encode(text));
      } catch {
        this.#break();
      }
      this.#size -= text.length - lines.length;
      this.#offered -= offered;
    }
    this.#flushing = undefined;
  }

  #break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#onBroken();
  }
}
