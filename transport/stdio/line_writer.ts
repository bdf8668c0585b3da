/** How much may wait to be written before reading pauses, in characters. */
const HIGH_WATER = 1024 * 1024;

/**
 * Writes lines to a byte stream, whole and in order. What is written in one
 * turn goes out in one chunk.
 */
export class LineWriter {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #encoder = new TextEncoder();
  #waiting: string[] = [];
  #size = 0;
  #flushing: Promise<void> | undefined;
  #broken = false;

  constructor(writable: WritableStream<Uint8Array>) {
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {
      this.#broken = true;
    });
  }

  /** Whether the other end is gone. */
  get broken(): boolean {
    return this.#broken;
  }

  /** Writes one line. */
  write(line: string): void {
    if (this.#broken) return;
    this.#waiting.push(line);
    this.#size += line.length;
    this.#flushing ??= this.#flush();
  }

  /** Resolves when there is room for more. */
  async ready(): Promise<void> {
    while (this.#size > HIGH_WATER && !this.#broken) await this.#flushing;
  }

  /** Resolves when everything has been written. */
  async drained(): Promise<void> {
    while (this.#flushing !== undefined) await this.#flushing;
  }

  /** Lets go of the stream, which stays open. */
  release(): void {
    this.#writer.releaseLock();
  }

  async #flush(): Promise<void> {
    // Others in this turn may have something to say as well.
    await undefined;
    while (this.#waiting.length > 0 && !this.#broken) {
      const lines = this.#waiting;
      this.#waiting = [];
      const text = lines.join("\n") + "\n";
      try {
        await this.#writer.write(this.#encoder.encode(text));
      } catch {
        this.#broken = true;
      }
      this.#size -= text.length - lines.length;
    }
    this.#flushing = undefined;
  }
}
