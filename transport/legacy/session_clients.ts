import { type AuthContext, principalOf } from "../../context/auth_context.ts";
import type { AppConfig } from "../config.ts";
import { ErrorCode, serviceUnavailable } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest } from "../http_request.ts";
import { methodNotAllowed } from "../http_response.ts";
import {
  invalidRequestError,
  isObject,
  isRequestId,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  WireError,
} from "../json_rpc.ts";
import type { KeepAlive } from "../sse.ts";
import { takesEventStream } from "../modern/http_reply.ts";
import { MODERN_VERSION } from "../protocol.ts";
import {
  type EventPosition,
  parseEventId,
  streamKind,
} from "./stream_event.ts";
import type { LegacyClients, LegacyHttpClient } from "./clients.ts";
import { initializeResult, readInitialize, readParams } from "./serve.ts";
import { Listeners } from "./listeners.ts";
import { Followers } from "./follower.ts";
import { isQuestionId, Questions } from "./questions.ts";
import { Relay, type RelayMessage } from "./relay.ts";
import type { Session, SessionRecord } from "./session.ts";
import { SessionPeer } from "./session_peer.ts";
import { SessionStore } from "./session_store.ts";
import { type StoredStream, StoredStreams } from "./stored_streams.ts";
import { type BegunStream, Streams } from "./streams.ts";

/** How much of a client is kept, in characters of JSON. */
const MAX_RECORD = 65_536;
/** How much of a cancellation other processes are told, in characters. */
const MAX_TOLD = 1_000;

/** Clients that open a session, and name it in each request. */
export class SessionClients implements LegacyClients {
  readonly #engine: Engine;
  readonly #sessions: SessionStore;
  readonly #streams: Streams;
  readonly #listeners: Listeners;
  readonly #questions: Questions;
  readonly #clients = new WeakMap<Session, LegacyHttpClient>();
  readonly #relay: Relay;
  readonly #stored: StoredStreams | undefined;
  readonly #followers: Followers | undefined;

  constructor(engine: Engine, config: AppConfig, keepAlive: KeepAlive) {
    this.#engine = engine;
    this.#sessions = new SessionStore(
      engine.services.backend,
      (session) => {
        this.#listeners.forget(session);
        this.#streams.forget(session);
      },
    );
    const { backend } = engine.services;
    const { resumable } = config;
    const process = crypto.randomUUID().replaceAll("-", "");
    if (resumable && backend.shared) {
      this.#stored = new StoredStreams(backend, process);
      const stored = this.#stored;
      this.#followers = new Followers({ backend, stored, keepAlive });
    }
    this.#streams = new Streams({ keepAlive, resumable, stored: this.#stored });
    this.#relay = new Relay(backend, (message) => this.#hear(message));
    this.#listeners = new Listeners({
      bus: engine.events,
      sessions: this.#sessions,
      streams: this.#streams,
      relay: this.#relay,
      shared: backend.shared,
    });
    this.#questions = new Questions(`${process}-`);
  }

  async initialize(
    { auth }: HttpRequest,
    { params }: RpcRequest,
  ): Promise<{ result: string; session: string }> {
    const { version, capabilities, info } = readInitialize(readParams(params));
    const record: SessionRecord = {
      version,
      capabilities,
      info,
      principal: principalOf(auth),
      logLevel: "debug",
      subscriptions: [],
      subscribedUntil: 0,
    };
    if (JSON.stringify(record).length > MAX_RECORD) {
      throw new WireError(
        ErrorCode.InvalidParams,
        `Malformed request: capabilities and clientInfo may have ${MAX_RECORD} characters`,
      );
    }
    const session = await this.#sessions.create(record);
    const result = initializeResult(this.#engine, version, true);
    return { result, session: session.id };
  }

  find(
    incoming: HttpRequest,
  ): LegacyHttpClient | Promise<LegacyHttpClient> {
    const session = this.#session(incoming);
    return session instanceof Promise
      ? session.then((found) => this.#clientOf(found, incoming))
      : this.#clientOf(session, incoming);
  }

  async listen(incoming: HttpRequest): Promise<Response> {
    const { request: { headers }, version } = incoming;
    if (version === MODERN_VERSION) return methodNotAllowed();
    const session = await this.#session(incoming);
    if (!takesEventStream(headers.get("accept"))) {
      throw invalidRequestError("Accept must include text/event-stream", 406);
    }
    const last = headers.get("last-event-id");
    return last === null || last === "" || !this.#streams.resumable
      ? this.#listeners.open(session)
      : this.#resume(session, last);
  }

  async end(incoming: HttpRequest): Promise<Response> {
    if (incoming.version === MODERN_VERSION) return methodNotAllowed();
    const session = await this.#session(incoming);
    await this.#sessions.end(session);
    this.#relay.tell({ kind: "ended", session: session.id });
    return new Response(null, { status: 204 });
  }

  endStreams(): void {
    this.#listeners.disconnectAll();
    this.#questions.failAll(
      serviceUnavailable("The server is shutting down", {
        reason: "shutting_down",
      }),
    );
  }

  async close(): Promise<void> {
    this.endStreams();
    await this.#listeners.close();
    await this.#sessions.close();
    await this.#followers?.close();
    await this.#stored?.close();
    await this.#relay.close();
  }

  #session({ request, auth }: HttpRequest): Session | Promise<Session> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) {
      throw invalidRequestError(
        "Mcp-Session-Id is missing: begin with initialize, and send the id that comes back",
      );
    }
    const found = this.#sessions.find(id, principalOf(auth));
    return found instanceof Promise
      ? found.then(orNotFound)
      : orNotFound(found);
  }

  #clientOf(session: Session, { auth }: HttpRequest): LegacyHttpClient {
    if (auth !== undefined) return this.#newClient(session, auth);
    // Without credentials all requests of a session come from one client.
    const known = this.#clients.get(session);
    if (known !== undefined) return known;
    const client = this.#newClient(session, undefined);
    this.#clients.set(session, client);
    return client;
  }

  #newClient(
    session: Session,
    auth: AuthContext | undefined,
  ): LegacyHttpClient {
    session.peer ??= new SessionPeer(session, {
      sessions: this.#sessions,
      streams: this.#streams,
      questions: this.#questions,
      relay: this.#relay,
    });
    return {
      peer: session.peer,
      get caller() {
        return session.callerOf(auth);
      },
      calls: session.calls,
      get negotiated() {
        return session.record.version;
      },
      notify: (message) => this.#notify(session, message),
      answer: (response) => this.#answer(session, response),
    };
  }

  #notify(session: Session, { method, params }: RpcNotification): void {
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const id = params.requestId;
    const reason = typeof params.reason === "string"
      ? params.reason
      : "The call was cancelled";
    if (!isRequestId(id) || session.cancel(id, reason)) return;
    // What other processes are told is kept for a while, whoever says it.
    if (String(id).length > MAX_TOLD) return;
    this.#relay.tell({
      kind: "cancel",
      session: session.id,
      id,
      reason: reason.slice(0, MAX_TOLD),
    });
  }

  #answer(session: Session, response: RpcResponse): void {
    if (this.#questions.answer(session.id, response)) return;
    // Only what was asked elsewhere can be wanted elsewhere.
    if (!isQuestionId(response.id)) return;
    if (this.#questions.asked(response.id)) return;
    this.#relay.tell({ kind: "answer", session: session.id, response });
  }

  /** Takes what another process tells of a session. */
  #hear(message: RelayMessage): void {
    const session = this.#sessions.known(message.session);
    if (session === undefined) return;
    switch (message.kind) {
      case "answer":
        this.#questions.answer(session.id, message.response);
        break;
      case "cancel":
        session.cancel(message.id, message.reason);
        break;
      case "ended":
        this.#sessions.forget(session);
        break;
      case "listening":
        this.#listeners.yield(session, message.order);
        break;
      case "left":
        this.#listeners.takeOver(session);
        break;
    }
  }

  async #resume(session: Session, lastEventId: string): Promise<Response> {
    const position = parseEventId(lastEventId);
    if (position === undefined) throw unknownEvent();
    const stream = this.#streams.find(session, position.stream);
    if (streamKind(position.stream) === "session") {
      return stream === undefined
        ? this.#listeners.open(session, await this.#begun(session, position))
        : this.#listeners.resume(session, stream, position.number);
    }
    if (stream === undefined) return this.#follow(session, position);
    if (!stream.continuesAfter(position.number)) return nothingMore();
    return stream.connect(position.number);
  }

  /** What another process has sent on a session's own stream. */
  async #begun(
    session: Session,
    position: EventPosition,
  ): Promise<BegunStream> {
    const { stream: id, number: after } = position;
    const found = await this.#stored?.read(session.id, position);
    return { id, after, events: found?.events ?? [] };
  }

  async #read(
    session: Session,
    position: EventPosition,
  ): Promise<StoredStream | undefined> {
    for (let attempt = 1;; attempt++) {
      const found = await this.#stored?.read(session.id, position);
      if (found !== undefined || this.#stored === undefined) return found;
      if (attempt === READ_ATTEMPTS) return undefined;
      await new Promise((resolve) => setTimeout(resolve, READ_PAUSE_MS));
    }
  }

  /** Sends what another process writes to the stream of a call. */
  async #follow(session: Session, position: EventPosition): Promise<Response> {
    const found = await this.#read(session, position);
    if (found === undefined || this.#followers === undefined) {
      throw unknownEvent();
    }
    const { record, events } = found;
    if (record.done && events.length === 0) return nothingMore();
    return this.#followers.follow(session, position, found);
  }
}

/** What is not in the store yet may be on its way there. */
const READ_ATTEMPTS = 5;
const READ_PAUSE_MS = 100;

/** Nothing will come any more; with another answer clients would ask again. */
function nothingMore(): Response {
  return methodNotAllowed();
}

function orNotFound(session: Session | undefined): Session {
  if (session === undefined) {
    throw invalidRequestError("Session not found", 404);
  }
  return session;
}

function unknownEvent(): WireError {
  return invalidRequestError(
    "Last-Event-ID names no event of this session, or one that is no longer kept",
  );
}
