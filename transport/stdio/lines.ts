/** A line of input, or what stands for one that was too long to keep. */
export type InputLine = string | { readonly tooLong: number };

/** Characters of a line that are kept at the most: 64 Mi. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Splits bytes into lines of UTF-8, at LF or CRLF, however they are cut. A byte
 * order mark at the start is dropped; what is no UTF-8 becomes U+FFFD. Blank
 * lines are left out.
 */
export class LineReader {
  // Deno's decoder would drop a mark at the start of any chunk.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #started = false;
  readonly #maxLine: number;
  /** The pieces of a line whose end has not come. */
  #parts: string[] = [];
  #length = 0;

  /** @param maxLine Characters of a line that are kept at the most. */
  constructor(maxLine: number = MAX_LINE) {
    this.#maxLine = maxLine;
  }

  /** Takes more bytes. @returns The lines that are complete now. */
  push(chunk: Uint8Array): InputLine[] {
    return this.#split(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The bytes have ended. @returns What was left; an unfinished line counts. */
  end(): InputLine[] {
    return this.#split(`${this.#decoder.decode()}\n`);
  }

  #split(text: string): InputLine[] {
    const lines: InputLine[] = [];
    let start = !this.#started && text.startsWith("\ufeff") ? 1 : 0;
    this.#started ||= text !== "";
    let end: number;
    while ((end = text.indexOf("\n", start)) !== -1) {
      const line = this.#complete(text.slice(start, end));
      if (line !== undefined) lines.push(line);
      start = end + 1;
    }
    if (start < text.length) this.#keep(text.slice(start));
    return lines;
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length <= this.#maxLine) this.#parts.push(part);
    else this.#parts = [];
  }

  #complete(last: string): InputLine | undefined {
    let line = last;
    if (this.#length > 0 || last.length > this.#maxLine) {
      this.#keep(last);
      const length = this.#length;
      line = this.#parts.join("");
      this.#parts = [];
      this.#length = 0;
      if (length > this.#maxLine) return { tooLong: length };
    }
    // A carriage return is white space to JSON.
    return line.startsWith("{") || line.trim() !== "" ? line : undefined;
  }
}

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
