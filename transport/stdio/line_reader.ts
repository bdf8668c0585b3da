/** A line of input, or what stands for one that was too long to keep. */
export type InputLine = string | { readonly tooLong: number };

/** Characters of a line that are kept at the most: 64 Mi. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * Splits a byte stream into lines of UTF-8, at LF or CRLF, however the bytes
 * are cut. A byte order mark at the start is dropped; an unfinished last line
 * counts. Blank lines are left out.
 */
export async function* readLines(
  readable: ReadableStream<Uint8Array>,
  maxLine: number = MAX_LINE,
): AsyncGenerator<InputLine> {
  // A decoder drops the byte order mark by itself.
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;

  function* split(text: string): Generator<InputLine> {
    let start = 0;
    for (;;) {
      const end = text.indexOf("\n", start);
      if (end === -1) break;
      add(text.slice(start, end));
      yield* take();
      start = end + 1;
    }
    add(start === 0 ? text : text.slice(start));
  }

  function add(part: string): void {
    length += part.length;
    if (length <= maxLine) parts.push(part);
    else parts = [];
  }

  function* take(): Generator<InputLine> {
    const size = length;
    const line = parts.length === 1 ? parts[0]! : parts.join("");
    parts = [];
    length = 0;
    if (size > maxLine) yield { tooLong: size };
    else if (line.trim() !== "") yield line;
  }

  for await (const chunk of readable) {
    yield* split(decoder.decode(chunk, { stream: true }));
  }
  yield* split(decoder.decode());
  yield* take();
}
