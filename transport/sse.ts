/** Headers of an event stream; proxies are told not to hold it back. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** What {@linkcode EventStream} takes. */
export interface EventStreamOptions {
  /** Milliseconds between keep-alive comments; 0 for none. */
  readonly keepAliveMs: number;
  /** Called once, when the reader went away before the stream was closed. */
  onGone?(): void;
}

/** How much may wait for a reader that does not read, in bytes. */
const MAX_WAITING = 4 * 1024 * 1024;

const ENCODER = new TextEncoder();

/** A stream of server-sent events, each holding one message. */
export class EventStream {
  /** The bytes, for the body of a response. */
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #timer: ReturnType<typeof setInterval> | undefined;
  #open = true;

  constructor(options: EventStreamOptions) {
    this.body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#stop();
        options.onGone?.();
      },
    }, {
      highWaterMark: MAX_WAITING,
      size: (chunk) => chunk?.byteLength ?? 0,
    });
    if (options.keepAliveMs > 0) {
      this.#timer = setInterval(
        () => this.#write(": keep-alive\n\n"),
        options.keepAliveMs,
      );
    }
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

  /** Sends the last message, however much waits, and ends the stream. */
  end(message: string, id?: string): void {
    if (!this.#open) return;
    const head = id === undefined ? "" : `id: ${id}\n`;
    this.#controller.enqueue(ENCODER.encode(`${head}data: ${message}\n\n`));
    this.close();
  }

  /** Ends the stream. */
  close(): void {
    if (!this.#open) return;
    this.#stop();
    this.#controller.close();
  }

  #write(text: string): boolean {
    if (!this.#open || (this.#controller.desiredSize ?? 0) <= 0) return false;
    this.#controller.enqueue(ENCODER.encode(text));
    return true;
  }

  #stop(): void {
    this.#open = false;
    clearInterval(this.#timer);
  }
}
