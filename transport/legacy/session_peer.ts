import type { LogLevel } from "../../context/log/levels.ts";
import { ErrorCode } from "../../errors.ts";
import type { InputRequests } from "../../types.ts";
import type { Exchange } from "../exchange.ts";
import { invalidRequestError, type RequestId, WireError } from "../json_rpc.ts";
import type { ClientStream } from "./client_stream.ts";
import type { PostPeer } from "./post_reply.ts";
import type { Questions } from "./questions.ts";
import type { Relay } from "./relay.ts";
import type { Session, SessionRecord } from "./session.ts";
import type { SessionStore, SubscriptionChange } from "./session_store.ts";
import type { Streams } from "./streams.ts";

/** How many resources a session may subscribe to. */
const MAX_SUBSCRIPTIONS = 500;
/** Characters that their URIs may have together: they are kept in one entry. */
const MAX_URIS = 200_000;

/** What all sessions of an app share. */
export interface SessionServices {
  /** Finds and changes sessions. */
  readonly sessions: SessionStore;
  /** Opens streams. */
  readonly streams: Streams;
  /** Asks clients. */
  readonly questions: Questions;
  /** Hears of answers that arrive elsewhere. */
  readonly relay: Relay;
}

/** The client of a session. */
export class SessionPeer implements PostPeer {
  readonly #session: Session;
  readonly #services: SessionServices;

  constructor(session: Session, services: SessionServices) {
    this.#session = session;
    this.#services = services;
  }

  get version(): string {
    return this.#session.record.version;
  }

  get resumable(): boolean {
    return this.#services.streams.resumable;
  }

  setLogLevel(logLevel: LogLevel): Promise<void> {
    return this.#change((record) => ({ ...record, logLevel }));
  }

  async subscribe(uri: string): Promise<void> {
    await this.#change((record) => {
      if (record.subscriptions.includes(uri)) return record;
      if (record.subscriptions.length >= MAX_SUBSCRIPTIONS) {
        throw new WireError(
          ErrorCode.InvalidParams,
          `Cannot subscribe to more than ${MAX_SUBSCRIPTIONS} resources`,
        );
      }
      const subscriptions = [...record.subscriptions, uri];
      if (subscriptions.join("").length > MAX_URIS) {
        throw new WireError(
          ErrorCode.InvalidParams,
          `Cannot subscribe to URIs that have over ${MAX_URIS} characters together`,
        );
      }
      return { ...record, subscriptions };
    }, { subscribe: [uri] });
  }

  async unsubscribe(uri: string): Promise<void> {
    await this.#change((record) => ({
      ...record,
      subscriptions: record.subscriptions.filter((each) => each !== uri),
    }), { unsubscribe: [uri] });
  }

  openStream(ids: readonly RequestId[], onGone: () => void): ClientStream {
    return this.#services.streams.open(this.#session, { ids, onGone });
  }

  ask(
    exchange: Exchange,
    requests: InputRequests,
    send: (message: string) => boolean,
  ): Promise<Record<string, unknown>> {
    const { id: owner, record: { version } } = this.#session;
    const { questions, relay } = this.#services;
    // Before the questions go out: an answer may arrive elsewhere at once.
    const release = relay.hold(exchange.startedAt);
    return questions.ask({ exchange, requests, version, owner, send })
      .finally(release);
  }

  watchSlow(startedAt: number): () => void {
    return this.#services.relay.hold(startedAt);
  }

  async #change(
    change: (record: SessionRecord) => SessionRecord,
    entries?: SubscriptionChange,
  ): Promise<void> {
    const { sessions } = this.#services;
    if (await sessions.update(this.#session, change, entries)) return;
    throw invalidRequestError("Session not found", 404);
  }
}
