import { EventStream, type KeepAlive, SSE_HEADERS } from "../sse.ts";
import { eventId } from "./stream_event.ts";

/** The first revision whose streams begin with an empty event. */
export const FIRST_PRIMED = "2025-11-25";
/** How many events of a stream are kept for clients that come back. */
export const MAX_EVENTS = 512;
/** Characters they may have together: the oldest go first. */
const MAX_KEPT = 32 * 1024 * 1024;
/** How long they are kept, ms. */
export const EVENT_TTL_MS = 5 * 60_000;
/** When a client should come back after a break, ms. */
const RETRY_MS = 1_000;

/** One message of a stream. */
export interface StreamEvent {
  /** Its number in the stream, 1 for the first. */
  readonly number: number;
  /** The JSON of the message. */
  readonly message: string;
  /** When it was sent, ms since the epoch. */
  readonly at: number;
}

/** Keeps the events of a stream where other processes find them. */
export interface EventWriter {
  /** Resolves when other processes know of the stream. */
  readonly begun: Promise<void>;
  /** Keeps one event. */
  write(event: StreamEvent): void;
  /** Takes note that there will be no more. */
  finish(): void;
}

/** What makes a stream one that a client can come back to. */
export interface Resumption {
  /** The id of the stream, which is part of the ids of its events. */
  readonly id: string;
  /** Whether it begins with an empty event, so that it can be resumed at once. */
  readonly primes: boolean;
  /** Events that were sent by another process. */
  readonly earlier: readonly StreamEvent[];
  /** The number of the last event, as far as the client knows. */
  readonly last: number;
  /** Keeps events for other processes. */
  readonly writer: EventWriter | undefined;
}

/** What {@linkcode ClientStream} takes. */
export interface ClientStreamOptions {
  /** Sends keep-alive comments. */
  readonly keepAlive: KeepAlive;
  /** How it is resumed; without it the stream ends with its connection. */
  readonly resumption?: Resumption | undefined;
  /** Called when its client went away. */
  onGone?(): void;
  /** Called once, when there will be no more messages. */
  onEnd?(): void;
}

/**
 * A stream of messages to a client of the 2025 era. One that can be resumed
 * outlives its connection: its last events are kept, and sent to a client that
 * comes back and names the last one it has (2025-11-25, basic, transports,
 * resumability and redelivery).
 */
export class ClientStream {
  readonly #options: ClientStreamOptions;
  readonly #events: StreamEvent[];
  #last: number;
  #kept = 0;
  #connection: EventStream | undefined;
  /** Until the end: whom it tells has no part in a stream that is only kept. */
  #onGone: (() => void) | undefined;
  #onEnd: (() => void) | undefined;
  #ended = false;

  constructor(options: ClientStreamOptions) {
    const { keepAlive, resumption } = options;
    this.#options = { keepAlive, resumption };
    this.#onGone = () => options.onGone?.();
    this.#onEnd = () => options.onEnd?.();
    this.#events = [...options.resumption?.earlier ?? []];
    this.#last = Math.max(
      this.#events.at(-1)?.number ?? 0,
      options.resumption?.last ?? 0,
    );
    for (const { message } of this.#events) this.#kept += message.length;
  }

  /** Its id; empty when it cannot be resumed. */
  get id(): string {
    return this.#options.resumption?.id ?? "";
  }

  /** When a client may have it: before, it could not resume it everywhere. */
  get ready(): Promise<void> | undefined {
    return this.#options.resumption?.writer?.begun;
  }

  /** Whether a client reads it now. */
  get connected(): boolean {
    return this.#connection?.open ?? false;
  }

  /** Whether there will be no more messages. */
  get ended(): boolean {
    return this.#ended;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.length;
  }

  /** How much they take, in characters. */
  get kept(): number {
    return this.#kept;
  }

  /** Whether there is, or can be, anything after an event. */
  continuesAfter(number: number): boolean {
    return !this.#ended || this.#last > number;
  }

  /**
   * Connects a client, in place of the one there was.
   *
   * @param after The number of the last event it has; undefined at the beginning.
   */
  connect(after?: number): Response {
    this.#connection?.close();
    const connection = new EventStream({
      keepAlive: this.#options.keepAlive,
      onGone: () => this.#onGone?.(),
    });
    this.#connection = connection;
    if (after !== undefined) this.#replay(after);
    else if (this.#options.resumption?.primes) {
      connection.raw(primingEvent(this.id));
    }
    if (this.#ended) connection.close();
    return new Response(connection.body, { headers: SSE_HEADERS });
  }

  /**
   * Sends a message, now or when the client comes back.
   *
   * @returns Whether it was taken.
   */
  send(message: string): boolean {
    if (this.#ended) return false;
    const event = this.#keep(message);
    return this.#deliver(event);
  }

  /** Ends the connection, and lets the client come back for the rest. */
  disconnect(): void {
    this.#connection?.close();
  }

  /**
   * Ends the stream. What was sent can still be fetched for a while.
   *
   * @param message The last message.
   */
  end(message?: string): void {
    if (this.#ended) return;
    const { resumption } = this.#options;
    if (message !== undefined) {
      const { number } = this.#keep(message);
      this.#connection?.end(message, this.#idOf(number));
    }
    this.#ended = true;
    this.#connection?.close();
    this.#connection = undefined;
    resumption?.writer?.finish();
    const onEnd = this.#onEnd;
    this.#onGone = this.#onEnd = undefined;
    onEnd?.();
  }

  /** Lets go of what is kept. */
  clear(): void {
    this.#events.length = 0;
    this.#kept = 0;
  }

  #keep(message: string): StreamEvent {
    const event = { number: ++this.#last, message, at: Date.now() };
    const { resumption } = this.#options;
    if (resumption === undefined) return event;
    this.#events.push(event);
    this.#kept += message.length;
    while (
      this.#events.length > MAX_EVENTS ||
      (this.#kept > MAX_KEPT && this.#events.length > 1)
    ) {
      this.#kept -= this.#events.shift()!.message.length;
    }
    resumption.writer?.write(event);
    return event;
  }

  #replay(after: number): void {
    const oldest = Date.now() - EVENT_TTL_MS;
    for (const event of this.#events) {
      if (event.number > after && event.at > oldest) this.#deliver(event);
    }
  }

  #deliver({ number, message }: StreamEvent): boolean {
    const connection = this.#connection;
    const resumable = this.#options.resumption !== undefined;
    if (connection === undefined || !connection.open) return resumable;
    if (connection.send(message, this.#idOf(number))) return true;
    if (!resumable) return false;
    // A client that does not keep up gets what waits, and comes back for more.
    connection.close();
    this.#onGone?.();
    return true;
  }

  #idOf(number: number): string | undefined {
    const { resumption } = this.#options;
    return resumption && eventId(resumption.id, number);
  }
}

/** An event without a message, which tells clients where to resume. */
function primingEvent(stream: string): string {
  return `id: ${eventId(stream, 0)}\nretry: ${RETRY_MS}\ndata: \n\n`;
}
