/** Headers of an event stream; proxies are told not to hold it back. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** What {@linkcode EventStream} takes. */
export interface EventStreamOptions {
  /** Sends keep-alive comments. */
  readonly keepAlive: KeepAlive;
  /** Called once, when the reader went away before the stream was closed. */
  readonly onGone?: (() => void) | undefined;
}

/** How much may wait for a reader that does not read, in bytes. */
const MAX_WAITING = 4 * 1024 * 1024;

const ENCODER = new TextEncoder();

// Made with the first stream, as Deno loads its streams for it.
let strategy: QueuingStrategy<Uint8Array> | undefined;

/**
 * A stream of server-sent events, each holding one message. It is the source of
 * its own body: one object less for each stream that is open.
 */
export class EventStream implements UnderlyingDefaultSource<Uint8Array> {
  /** The bytes, for the body of a response. */
  readonly body: ReadableStream<Uint8Array>;
  readonly #keepAlive: KeepAlive;
  readonly #onGone: (() => void) | undefined;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #open = true;

  constructor({ keepAlive, onGone }: EventStreamOptions) {
    this.#keepAlive = keepAlive;
    this.#onGone = onGone;
    strategy ??= new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING });
    this.body = new ReadableStream<Uint8Array>(this, strategy);
    keepAlive.add(this);
  }

  /** Called by its body, once. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
  }

  /** Called by its body when the reader goes away. */
  cancel(): void {
    this.#stop();
    this.#onGone?.();
  }

  /** Whether anything can still be sent. */
  get open(): boolean {
    return this.#open;
  }

  /**
   * Sends one message as an event.
   *
   * @param message JSON on one line.
   * @param id The event's id, where the stream can be resumed.
   * @returns Whether it was taken: not after the end, nor when too much waits.
   */
  send(message: string, id?: string): boolean {
    const head = id === undefined ? "" : `id: ${id}\n`;
    return this.#write(`${head}data: ${message}\n\n`);
  }

  /** Sends text as it is: a priming event, or a retry field. */
  raw(text: string): boolean {
    return this.#write(text);
  }

  /** Sends a comment, which readers pass over. */
  keepAlive(): void {
    this.#write(": keep-alive\n\n");
  }

  /** Sends the last message, however much waits, and ends the stream. */
  end(message: string, id?: string): void {
    if (!this.#open) return;
    const head = id === undefined ? "" : `id: ${id}\n`;
    this.#controller.enqueue(ENCODER.encode(`${head}data: ${message}\n\n`));
    this.close();
  }

  /** Ends the stream; what waits is still sent. */
  close(): void {
    if (!this.#open) return;
    this.#stop();
    this.#controller.close();
  }

  /**
   * Breaks the stream off, and drops what waits.
   *
   * @param reason Best a text: Deno prints what a stream was broken off with.
   */
  abort(reason: unknown): void {
    if (!this.#open) return;
    this.#stop();
    this.#controller.error(reason);
  }

  #write(text: string): boolean {
    if (!this.#open || (this.#controller.desiredSize ?? 0) <= 0) return false;
    this.#controller.enqueue(ENCODER.encode(text));
    return true;
  }

  #stop(): void {
    this.#open = false;
    this.#keepAlive.delete(this);
  }
}

/**
 * Keeps streams alive that are idle for long, so that nothing on their way
 * takes them for dead. All streams share one timer, which runs only while
 * there are any.
 */
export class KeepAlive {
  readonly #ms: number;
  readonly #streams = new Set<EventStream>();
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param ms Milliseconds between two comments on a stream; 0 for none. */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins with a stream. */
  add(stream: EventStream): void {
    if (this.#ms === 0) return;
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => {
      for (const each of this.#streams) each.keepAlive();
    }, this.#ms);
  }

  /** Ends with a stream. */
  delete(stream: EventStream): void {
    if (!this.#streams.delete(stream) || this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
