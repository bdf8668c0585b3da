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
