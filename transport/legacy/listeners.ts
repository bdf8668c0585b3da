import { getLogger } from "@logtape/logtape";
import type { ServerEvent } from "../../context/call.ts";
import type { EventBus } from "../event_bus.ts";
import { type ClientStream, EVENT_TTL_MS } from "./client_stream.ts";
import { eventMessage } from "./event_message.ts";
import type { Relay } from "./relay.ts";
import type { Session } from "./session.ts";
import type { SessionStore } from "./session_store.ts";
import type { BegunStream, Streams } from "./streams.ts";

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
}

/** A session's own stream. */
interface Listener {
  readonly stream: ClientStream;
  /** When its client went away, ms since the epoch; undefined while it is there. */
  goneAt: number | undefined;
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
  #unsubscribe: (() => void) | undefined;
  #release: (() => void) | undefined;

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  /** Another process has a newer stream of a session. */
  yield(session: Session): void {
    if (session.listeners === 0) return;
    this.#elsewhere.add(session);
    for (const listener of [...this.#of(session)]) {
      // What its client has missed, the other process has read from the store.
      if (!listener.stream.connected) this.#drop(session, listener);
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
      stream: streams.open(session, {
        ids: [],
        begun,
        onGone: () => this.#onGone(session, listener),
      }),
      goneAt: undefined,
    };
    this.#add(session, listener);
    return listener.stream.connect(begun?.after);
  }

  /** Goes on with a stream of this process, after an event. */
  resume(session: Session, stream: ClientStream, after: number): Response {
    const listener = this.#of(session).find((each) => each.stream === stream);
    if (listener === undefined) return this.open(session);
    listener.goneAt = undefined;
    this.#remove(session, listener);
    this.#add(session, listener);
    return stream.connect(after);
  }

  /** Lets go of the clients; they may come back to another process. */
  disconnectAll(): void {
    for (const [session, listeners] of [...this.#listeners]) {
      for (const listener of [...listeners]) {
        listener.stream.disconnect();
        this.#drop(session, listener);
      }
    }
  }

  /** Lets go of the streams of a session that is over. */
  forget(session: Session): void {
    for (const listener of [...this.#of(session)]) {
      this.#drop(session, listener);
    }
  }

  #of(session: Session): readonly Listener[] {
    return this.#listeners.get(session) ?? [];
  }

  #add(session: Session, listener: Listener): void {
    this.#dropOld(session);
    const listeners = this.#listeners.get(session);
    if (listeners === undefined) this.#listeners.set(session, [listener]);
    else listeners.push(listener);
    session.listeners++;
    this.#elsewhere.delete(session);
    this.#options.relay.tell({ kind: "listening", session: session.id });
    this.#release ??= this.#options.relay.hold(Date.now());
    this.#unsubscribe ??= this.#options.bus.subscribe((event) =>
      this.#tell(event)
    );
  }

  #remove(session: Session, listener: Listener): void {
    session.listeners--;
    const listeners = this.#of(session).filter((each) => each !== listener);
    if (listeners.length > 0) this.#listeners.set(session, listeners);
    else this.#listeners.delete(session);
  }

  #drop(session: Session, listener: Listener): void {
    this.#remove(session, listener);
    this.#options.streams.drop(session, listener.stream);
    if (session.listeners === 0) this.#elsewhere.delete(session);
    if (this.#listeners.size > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#release?.();
    this.#release = undefined;
  }

  #onGone(session: Session, listener: Listener): void {
    const { streams, relay } = this.#options;
    listener.goneAt = Date.now();
    if (!streams.resumable) this.#drop(session, listener);
    if (this.#of(session).some(({ stream }) => stream.connected)) return;
    if (!this.#elsewhere.has(session)) {
      relay.tell({ kind: "left", session: session.id });
    }
  }

  /** Drops streams whose clients have not come back. */
  #dropOld(session: Session): void {
    const oldest = Date.now() - EVENT_TTL_MS;
    for (const listener of [...this.#of(session)]) {
      const { goneAt } = listener;
      if (goneAt !== undefined && goneAt < oldest) {
        this.#drop(session, listener);
      }
    }
  }

  #tell(event: ServerEvent): void {
    const message = eventMessage(event);
    if (event.kind === "resource_updated") {
      this.#tellSubscribers(event.uri, message).catch((error) =>
        getLogger(["parley", "events"]).warning(
          "Sessions were not told of an updated resource: {error}",
          { error },
        )
      );
      return;
    }
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
    this.#dropOld(session);
    if (this.#elsewhere.has(session)) return;
    const listeners = this.#of(session);
    const target = listeners.findLast(({ stream }) => stream.connected) ??
      listeners.at(-1);
    target?.stream.send(message);
  }
}
