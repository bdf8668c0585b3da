import type { RequestId } from "../json_rpc.ts";
import type { KeepAlive } from "../sse.ts";
import {
  ClientStream,
  EVENT_TTL_MS,
  FIRST_PRIMED,
  MAX_EVENTS,
  type StreamEvent,
} from "./client_stream.ts";
import { newStreamId } from "./stream_event.ts";
import type { Session } from "./session.ts";
import type { StoredStreams } from "./stored_streams.ts";

/** How much ended streams may keep for clients that come back, in characters. */
const MAX_KEPT = 64 * 1024 * 1024;

/** Whose a stream that has ended is, and since when. */
interface EndedStream {
  readonly session: Session;
  readonly at: number;
}

/** A stream that another process began. */
export interface BegunStream {
  /** Its id. */
  readonly id: string;
  /** What was sent on it. */
  readonly events: readonly StreamEvent[];
  /** The number of the last event the client has. */
  readonly after: number;
}

/** How {@linkcode Streams.open} opens a stream. */
export interface OpenStreamOptions {
  /** The requests that are answered on it; none on a session's own stream. */
  readonly ids: readonly RequestId[];
  /** What another process began. */
  readonly begun?: BegunStream | undefined;
  /** Called when its client went away. */
  onGone?(): void;
}

/** What {@linkcode Streams} takes. */
export interface StreamsOptions {
  /** Sends keep-alive comments. */
  readonly keepAlive: KeepAlive;
  /** Whether clients can come back to a stream. */
  readonly resumable: boolean;
  /** Keeps streams for other processes, where there can be any. */
  readonly stored: StoredStreams | undefined;
}

/** The streams of this process, and what they keep for clients that come back. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #streams = new Map<string, ClientStream>();
  /** Those that have ended and are kept, the oldest first. */
  readonly #ended = new Map<ClientStream, EndedStream>();
  #kept = 0;

  constructor(options: StreamsOptions) {
    this.#options = options;
  }

  /** Whether clients can come back to a stream. */
  get resumable(): boolean {
    return this.#options.resumable;
  }

  /** Opens a stream of a session; of none, in which case it cannot be resumed. */
  open(session: Session | undefined, options: OpenStreamOptions): ClientStream {
    const { keepAlive, resumable, stored } = this.#options;
    const onGone = () => options.onGone?.();
    if (session === undefined || !resumable) {
      return new ClientStream({ keepAlive, onGone });
    }
    this.#forgetOld();
    const { ids, begun } = options;
    const id = begun?.id ?? newStreamId(ids.length > 0 ? "post" : "session");
    const stream = new ClientStream({
      keepAlive,
      resumption: {
        id,
        primes: session.record.version >= FIRST_PRIMED,
        earlier: begun?.events ?? [],
        last: begun?.after ?? 0,
        writer: stored?.begin(session.id, id, ids),
      },
      onGone,
      onEnd: () => this.#onEnd(session, stream),
    });
    this.#streams.set(stream.id, stream);
    session.streams.add(stream);
    return stream;
  }

  /** Finds a stream of a session by its id. */
  find(session: Session, id: string): ClientStream | undefined {
    this.#forgetOld();
    const stream = this.#streams.get(id);
    return stream && session.streams.has(stream) ? stream : undefined;
  }

  /** Lets go of a stream, and of what it keeps. */
  drop(session: Session, stream: ClientStream): void {
    stream.end();
    this.#release(session, stream);
  }

  /** Lets go of the streams of a session that is over: nobody can come back. */
  forget(session: Session): void {
    for (const stream of [...session.streams]) this.drop(session, stream);
  }

  #onEnd(session: Session, stream: ClientStream): void {
    this.#ended.set(stream, { session, at: Date.now() });
    this.#kept += stream.kept;
    let events = 0;
    for (const { size } of session.streams) events += size;
    for (const each of session.streams) {
      if (events <= MAX_EVENTS) break;
      if (!each.ended || each === stream) continue;
      events -= each.size;
      this.#release(session, each);
    }
    this.#forgetOld();
  }

  #forgetOld(): void {
    const oldest = Date.now() - EVENT_TTL_MS;
    for (const [stream, { session, at }] of this.#ended) {
      if (at > oldest && this.#kept <= MAX_KEPT) break;
      this.#release(session, stream);
    }
  }

  #release(session: Session, stream: ClientStream): void {
    this.#kept -= stream.kept;
    stream.clear();
    this.#ended.delete(stream);
    this.#streams.delete(stream.id);
    session.streams.delete(stream);
  }
}
