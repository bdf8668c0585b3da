import type { LogCategory } from "../../context/log/process_line.ts";
import { logProcess } from "../../context/log/process_log.ts";
import type { ServerEvent } from "../../context/call.ts";
import type { EventBus } from "../event_bus.ts";
import { type ClientStream, EVENT_TTL_MS } from "./client_stream.ts";
import { eventMessage } from "./stream_event.ts";
import type { Relay } from "./relay.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";
import type { BegunStream, Streams } from "./streams.ts";

const EVENTS: LogCategory = ["parley", "events"];

/** What {@linkcode Listeners} takes. */
export interface ListenersOptions {
  /** Where events come from. */
  readonly bus: EventBus;
  /** Says who subscribed to what. */
  readonly sessions: SessionStore;
  /** Opens streams. */
  readonly streams: Streams;
  /** Agrees with other processes on who tells a session of events. */
  readonly relay: Relay;
  /** Whether there can be other processes. */
  readonly shared: boolean;
}

/** A session's own stream. */
interface Listener {
  readonly session: Session;
  readonly stream: ClientStream;
  /** When its client went away, ms since the epoch; undefined while it is there. */
  goneAt: number | undefined;
  /** Tells the newer of two streams, in whatever processes they are. */
  order: string;
}

/**
 * The streams that sessions opened with GET, on which they hear of events. A
 * message goes out on one of them only (2025-11-25, basic, transports,
 * multiple connections): the newest that is read. When none is read, it is
 * kept on the newest for the client to come back.
 */
export class Listeners {
  readonly #options: ListenersOptions;
  /** By session, the newest last. */
  readonly #listeners = new Map<Session, Listener[]>();
  /** Sessions whose own stream is read in another process. */
  readonly #elsewhere = new Set<Session>();
  /** Those that are read now. */
  readonly #read = new Set<Listener>();
  /** Those whose clients went away, the longest ago first. */
  readonly #gone = new Set<Listener>();
  /** Breaks the tie between streams of one millisecond. */
  readonly #process = crypto.randomUUID();
  /** What is being told to subscribers. */
  readonly #telling = new Set<Promise<void>>();
  #sweeper: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  /**
   * Another process has a stream of a session. Two that are opened at once hear
   * of each other, and must not both give way.
   */
  yield(session: Session, order: string): void {
    if (session.listeners === 0) return;
    const own = this.#of(session).findLast((each) => this.#read.has(each));
    if (own !== undefined && own.order > order) return this.#announce(own);
    this.#elsewhere.add(session);
    for (const listener of [...this.#of(session)]) {
      // What its client has missed, the other process has read from the store.
      if (!this.#read.has(listener)) this.#drop(listener);
    }
  }

  /** Another process has no stream of a session any more. */
  takeOver(session: Session): void {
    this.#elsewhere.delete(session);
  }

  /**
   * Opens a stream of a session.
   *
   * @param begun The stream, if another process began it.
   */
  open(session: Session, begun?: BegunStream): Response {
    const { streams } = this.#options;
    const listener: Listener = {
      session,
      stream: streams.open(session, {
        ids: [],
        begun,
        onGone: () => this.#onGone(listener),
      }),
      goneAt: undefined,
      order: "",
    };
    this.#add(listener);
    return listener.stream.connect(begun?.after);
  }

  /** Goes on with a stream of this process, after an event. */
  resume(session: Session, stream: ClientStream, after: number): Response {
    const listener = this.#of(session).find((each) => each.stream === stream);
    if (listener === undefined) return this.open(session);
    listener.goneAt = undefined;
    this.#remove(listener);
    this.#add(listener);
    return stream.connect(after);
  }

  /** Lets go of the clients; they may come back to another process. */
  disconnectAll(): void {
    for (const session of [...this.#listeners.keys()]) this.forget(session);
  }

  /** Lets go of the streams of a session. */
  forget(session: Session): void {
    for (const listener of [...this.#of(session)]) this.#drop(listener);
  }

  /** Lets go of everything. @returns When nothing is read any more. */
  async close(): Promise<void> {
    this.disconnectAll();
    await Promise.all(this.#telling);
  }

  #of(session: Session): readonly Listener[] {
    return this.#listeners.get(session) ?? [];
  }

  #add(listener: Listener): void {
    const { session } = listener;
    this.#dropOld();
    this.#listeners.set(session, [...this.#of(session), listener]);
    session.listeners++;
    this.#read.add(listener);
    this.#elsewhere.delete(session);
    // As long a number of milliseconds as any in the next two centuries.
    listener.order = `${Date.now()} ${this.#process}`;
    this.#announce(listener);
    this.#settle();
  }

  #announce({ session, order }: Listener): void {
    this.#options.relay.tell({ kind: "listening", session: session.id, order });
  }

  #remove(listener: Listener): void {
    const { session } = listener;
    this.#read.delete(listener);
    this.#gone.delete(listener);
    session.listeners--;
    const listeners = this.#of(session).filter((each) => each !== listener);
    if (listeners.length > 0) this.#listeners.set(session, listeners);
    else this.#listeners.delete(session);
  }

  #drop(listener: Listener): void {
    const { session, stream } = listener;
    this.#remove(listener);
    this.#options.streams.drop(session, stream);
    if (session.listeners === 0) this.#elsewhere.delete(session);
    this.#settle();
  }

  #onGone(listener: Listener): void {
    const { streams, relay } = this.#options;
    const { session } = listener;
    if (!this.#read.delete(listener)) return;
    listener.goneAt = Date.now();
    this.#gone.add(listener);
    this.#dropOld();
    if (streams.resumable) this.#settle();
    else this.#drop(listener);
    const isRead = this.#of(session).some((each) => this.#read.has(each));
    if (isRead || this.#elsewhere.has(session)) return;
    relay.tell({ kind: "left", session: session.id });
  }

  /** Drops streams whose clients have not come back. */
  #dropOld(): void {
    const oldest = Date.now() - EVENT_TTL_MS;
    for (const listener of this.#gone) {
      if (listener.goneAt! >= oldest) return;
      this.#drop(listener);
    }
  }

  /** Hears of events, and of other processes, while that matters. */
  #settle(): void {
    const { bus, relay, shared } = this.#options;
    const keeps = this.#listeners.size > 0;
    if (keeps) {
      this.#unsubscribe ??= bus.subscribe((event) => this.#tell(event));
    } else this.#unsubscribe?.();
    if (!keeps) this.#unsubscribe = undefined;
    // In one process nobody else can take over from a client that is away.
    const shares = this.#read.size > 0 || (shared && keeps);
    if (shares) this.#release ??= relay.hold(Date.now());
    else this.#release?.();
    if (!shares) this.#release = undefined;
    // There, keeping streams costs nothing that goes on by itself.
    const sweeps = shared && this.#gone.size > 0;
    if (sweeps) this.#sweeper ??= setTimeout(() => this.#sweep(), EVENT_TTL_MS);
    else clearTimeout(this.#sweeper);
    if (!sweeps) this.#sweeper = undefined;
  }

  #sweep(): void {
    this.#sweeper = undefined;
    this.#dropOld();
    this.#settle();
  }

  #tell(event: ServerEvent): void {
    const message = eventMessage(event);
    if (event.kind === "resource_updated") {
      const told = this.#tellSubscribers(event.uri, message).catch((error) =>
        logProcess(
          EVENTS,
          "warning",
          "Sessions were not told of an updated resource: {error}",
          { error },
        )
      ).then(() => {
        this.#telling.delete(told);
      });
      this.#telling.add(told);
      return;
    }
    this.#dropOld();
    for (const session of [...this.#listeners.keys()]) {
      this.#send(session, message);
    }
  }

  async #tellSubscribers(uri: string, message: string): Promise<void> {
    const { sessions } = this.#options;
    for await (const id of sessions.subscribers(uri)) {
      const session = sessions.known(id);
      if (session !== undefined) this.#send(session, message);
    }
  }

  #send(session: Session, message: string): void {
    if (this.#elsewhere.has(session)) return;
    const listeners = this.#of(session);
    const target = listeners.findLast((each) => this.#read.has(each)) ??
      listeners.at(-1);
    target?.stream.send(message);
  }
}
