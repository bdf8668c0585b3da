import type { Engine } from "../engine.ts";
import { StreamConnection } from "./connection.ts";
import { LineReader, LineWriter } from "./lines.ts";

/** The two directions of a connection. */
export interface ByteStreams {
  /** What the client writes. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the client reads. */
  readonly writable: WritableStream<Uint8Array>;
}

/** How long calls may go on after the input has ended, ms. */
const DRAIN_MS = 3_000;

/** How long the handlers of cancelled calls may take to end, ms. */
const ABORT_MS = 500;

/** How long the client may take to read the last answers, ms. */
const FLUSH_MS = 1_000;

/**
 * Serves newline-delimited messages (2026-07-28, basic, transports, stdio)
 * until the input ends, the other end is gone, or the server ends it.
 */
export class StreamService {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #writer: LineWriter;
  readonly #connection: StreamConnection;
  readonly #ended = Promise.withResolvers<void>();
  readonly #aborted = Promise.withResolvers<void>();
  #isEnded = false;
  #isAborted = false;

  constructor(engine: Engine, { readable, writable }: ByteStreams) {
    this.#reader = readable.getReader();
    this.#writer = new LineWriter(writable, () => this.abort());
    this.#connection = new StreamConnection(engine, this.#writer);
  }

  /** Serves. @returns When all is done and the streams are let go. */
  async run(): Promise<void> {
    await this.#readAll();
    this.#connection.stopAsking();
    if (!this.#isAborted) {
      const calm = Promise.race([
        this.#connection.idle(),
        this.#aborted.promise,
      ]);
      await within(DRAIN_MS, calm);
    }
    // Only now: the calls may have had events for listeners.
    this.#connection.end();
    const gone = new DOMException("The connection has ended", "AbortError");
    await within(ABORT_MS, this.#connection.cancelAll(gone));
    await within(FLUSH_MS, this.#writer.drained());
    this.#writer.release();
    this.#reader.releaseLock();
  }

  /** Takes no more input. What has been asked is answered, for a while. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#ended.resolve();
    // Makes a read that waits give up.
    this.#reader.cancel().catch(() => {});
  }

  /** Takes no more input, and cancels what is running. */
  abort(): void {
    this.#isAborted = true;
    this.#aborted.resolve();
    this.end();
  }

  async #readAll(): Promise<void> {
    const lines = new LineReader();
    let next = this.#read();
    while (!this.#isEnded) {
      const chunk = await next;
      if (this.#isEnded) return;
      // The next bytes are on their way while these are worked on.
      if (chunk !== undefined) next = this.#read();
      const complete = chunk === undefined ? lines.end() : lines.push(chunk);
      for (const line of complete) {
        this.#connection.receive(line);
        if (this.#writer.full) {
          await Promise.race([this.#writer.ready(), this.#ended.promise]);
        }
        if (this.#isEnded) return;
      }
      if (chunk === undefined) return;
    }
  }

  /** The next bytes; `undefined` when there are no more. */
  async #read(): Promise<Uint8Array | undefined> {
    try {
      return (await this.#reader.read()).value;
    } catch {
      // Input that fails has ended.
      return undefined;
    }
  }
}

/** Waits for a promise, but no longer than `ms`. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
