import type { LogCategory } from "../../context/log/process_line.ts";
import { logProcess } from "../../context/log/process_log.ts";
import { ErrorCode } from "../../errors.ts";
import type { StateBackend, StateKey, StateSet } from "../../state/mod.ts";
import { errorMessage, type RequestId } from "../json_rpc.ts";
import {
  EVENT_TTL_MS,
  type EventWriter,
  MAX_EVENTS,
  type StreamEvent,
} from "./client_stream.ts";
import type { EventPosition } from "./stream_event.ts";
import { Pulse } from "./pulse.ts";

const SESSIONS: LogCategory = ["parley", "sessions"];

/** How long a stream that never ended is kept, ms: its process may have died. */
const OPEN_TTL_MS = 24 * 3_600_000;
/** How much is written at once, in characters. */
const MAX_WRITE = 200_000;
/** How many events are written or read at once. */
const PAGE = 50;
/** The longest message that the store takes, in characters. */
const MAX_MESSAGE = 180_000;

/** What is stored of a stream besides its events. */
export interface StreamRecord {
  /** The process that writes it. */
  readonly owner: string;
  /** The requests that are answered on it. */
  readonly ids: readonly RequestId[];
  /** Whether it has ended. */
  readonly done: boolean;
}

/** A stream as another process wrote it. */
export interface StoredStream {
  /** What is known of it. */
  readonly record: StreamRecord;
  /** Its events, in order. */
  readonly events: readonly StreamEvent[];
}

/**
 * The events of resumable streams, kept where every process can read them, so
 * that a client may resume a stream anywhere.
 *
 * - `["parley", "stream", <session>, <stream>]` says whose stream it is;
 * - `["parley", "stream-event", <session>, <stream>, <number>]` is an event.
 */
export class StoredStreams {
  readonly #backend: StateBackend;
  readonly #process: string;
  readonly #pulse: Pulse;
  readonly #writers = new Set<StreamWriter>();

  /**
   * @param backend The store.
   * @param process The id of this process.
   */
  constructor(backend: StateBackend, process: string) {
    this.#backend = backend;
    this.#process = process;
    this.#pulse = new Pulse(backend, process);
  }

  /** Begins to keep a stream. */
  begin(
    session: string,
    stream: string,
    ids: readonly RequestId[],
  ): EventWriter {
    // The death of this process matters to whoever waits for an answer.
    const release = ids.length > 0 ? this.#pulse.hold() : () => {};
    const record: StreamRecord = { owner: this.#process, ids, done: false };
    const writer = new StreamWriter(this.#backend, session, stream, {
      record,
      onFinished: () => {
        release();
        this.#writers.delete(writer);
      },
    });
    this.#writers.add(writer);
    return writer;
  }

  /** Reads a stream, and its events after a position. */
  async read(
    session: string,
    { stream, number }: EventPosition,
  ): Promise<StoredStream | undefined> {
    // The record first: once it says that the stream is done, all is there.
    const [entry] = await this.#backend.get([recordKey(session, stream)]);
    if (entry === null || entry === undefined) return undefined;
    const events: StreamEvent[] = [];
    let after = eventName(number);
    for (;;) {
      const page = await this.#backend.list({
        prefix: eventsKey(session, stream),
        after,
        limit: PAGE,
      });
      for (const { key, value } of page) {
        after = key.at(-1)!;
        events.push({ number: Number(after), ...JSON.parse(value) });
      }
      if (page.length < PAGE) break;
    }
    return { record: JSON.parse(entry.value), events };
  }

  /** Ends a stream whose process died. */
  async finish(
    session: string,
    stream: string,
    record: StreamRecord,
  ): Promise<void> {
    await this.#backend.commit({
      sets: [recordEntry(session, stream, { ...record, done: true })],
    });
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#writers, (writer) => writer.idle()));
    await this.#pulse.idle();
  }
}

/** Writes the events of one stream, in order, several at a time. */
class StreamWriter implements EventWriter {
  readonly #begun = Promise.withResolvers<void>();
  readonly #backend: StateBackend;
  readonly #session: string;
  readonly #stream: string;
  readonly #onFinished: () => void;
  #record: StreamRecord;
  #waiting: StreamEvent[] = [];
  #recordIsDue = true;
  #writing: Promise<void> | undefined;

  constructor(
    backend: StateBackend,
    session: string,
    stream: string,
    options: { record: StreamRecord; onFinished: () => void },
  ) {
    this.#backend = backend;
    this.#session = session;
    this.#stream = stream;
    this.#record = options.record;
    this.#onFinished = options.onFinished;
    this.#writing = this.#write();
  }

  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  write(event: StreamEvent): void {
    this.#waiting.push(event);
    // A store that is slower than the call never gets what would be gone again.
    if (this.#waiting.length > MAX_EVENTS) this.#waiting.shift();
    this.#writing ??= this.#write();
  }

  finish(): void {
    this.#record = { ...this.#record, done: true };
    this.#recordIsDue = true;
    this.#writing ??= this.#write();
  }

  async idle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    // More may be sent in this turn.
    await undefined;
    while (this.#waiting.length > 0 || this.#recordIsDue) {
      const { sets, deletes } = this.#takeSome();
      // That a stream is done is said after all its events.
      if (
        this.#recordIsDue && (!this.#record.done || this.#waiting.length === 0)
      ) {
        sets.push(recordEntry(this.#session, this.#stream, this.#record));
        this.#recordIsDue = false;
      }
      try {
        await this.#backend.commit({ sets, deletes });
      } catch (error) {
        logProcess(
          SESSIONS,
          "warning",
          "A stream cannot be resumed in other processes: {error}",
          { error },
        );
      }
      this.#begun.resolve();
    }
    this.#writing = undefined;
    if (this.#record.done) this.#onFinished();
  }

  #takeSome(): { sets: StateSet[]; deletes: StateKey[] } {
    const prefix = eventsKey(this.#session, this.#stream);
    const sets: StateSet[] = [];
    const deletes: StateKey[] = [];
    let size = 0;
    let count = 0;
    for (const { number, message, at } of this.#waiting) {
      size += message.length;
      if (count > 0 && (size > MAX_WRITE || count === PAGE)) break;
      count++;
      const kept = message.length > MAX_MESSAGE ? stubOf(message) : message;
      if (kept !== undefined) {
        sets.push({
          key: [...prefix, eventName(number)],
          value: JSON.stringify({ message: kept, at }),
          expiresAt: at + EVENT_TTL_MS,
        });
      }
      if (number > MAX_EVENTS) {
        deletes.push([...prefix, eventName(number - MAX_EVENTS)]);
      }
    }
    this.#waiting = this.#waiting.slice(count);
    return { sets, deletes };
  }
}

/** What is kept of an answer that is too large; nothing of other messages. */
function stubOf(message: string): string | undefined {
  const { id, method } = JSON.parse(message);
  if (method !== undefined) return undefined;
  return errorMessage(
    id,
    ErrorCode.InternalError,
    "The answer is too large to be resumed in another process",
  );
}

function recordEntry(
  session: string,
  stream: string,
  record: StreamRecord,
): StateSet {
  return {
    key: recordKey(session, stream),
    value: JSON.stringify(record),
    expiresAt: Date.now() + (record.done ? EVENT_TTL_MS : OPEN_TTL_MS),
  };
}

function recordKey(session: string, stream: string): StateKey {
  return ["parley", "stream", session, stream];
}

function eventsKey(session: string, stream: string): StateKey {
  return ["parley", "stream-event", session, stream];
}

/** Numbers as texts that sort as numbers. */
function eventName(number: number): string {
  return String(number).padStart(9, "0");
}
