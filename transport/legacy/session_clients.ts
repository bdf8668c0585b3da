import { principalOf } from "../auth/mod.ts";
import type { AppConfig } from "../config.ts";
import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest } from "../http_request.ts";
import { methodNotAllowed } from "../http_response.ts";
import {
  invalidRequestError,
  isObject,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  WireError,
} from "../json_rpc.ts";
import type { KeepAlive } from "../keep_alive.ts";
import { takesEventStream } from "../modern/http_reply.ts";
import { MODERN_VERSION } from "../protocol.ts";
import { parseEventId, streamKind } from "./event_id.ts";
import type { LegacyClients, LegacyHttpClient } from "./clients.ts";
import { initializeResult, readInitialize } from "./initialize.ts";
import { Listeners } from "./listeners.ts";
import { Questions } from "./questions.ts";
import { readParams } from "./serve.ts";
import type { Session, SessionRecord } from "./session.ts";
import { SessionPeer } from "./session_peer.ts";
import { SessionStore } from "./session_store.ts";
import { Streams } from "./streams.ts";

/** How much of a client is kept, in characters of JSON. */
const MAX_RECORD = 65_536;

/** Clients that open a session, and name it in each request. */
export class SessionClients implements LegacyClients {
  readonly #engine: Engine;
  readonly #sessions: SessionStore;
  readonly #streams: Streams;
  readonly #listeners: Listeners;
  readonly #questions: Questions;

  constructor(engine: Engine, config: AppConfig, keepAlive: KeepAlive) {
    this.#engine = engine;
    this.#sessions = new SessionStore(
      engine.services.backend,
      (session) => this.#listeners.forget(session),
    );
    this.#streams = new Streams({ keepAlive, resumable: config.resumable });
    this.#listeners = new Listeners({
      bus: engine.events,
      sessions: this.#sessions,
      streams: this.#streams,
    });
    this.#questions = new Questions(`${crypto.randomUUID().slice(0, 8)}-`);
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
    await this.#sessions.end(await this.#session(incoming));
    return new Response(null, { status: 204 });
  }

  endStreams(): void {
    this.#listeners.disconnectAll();
  }

  close(): Promise<void> {
    this.#listeners.disconnectAll();
    return Promise.resolve();
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
    session.peer ??= new SessionPeer(session, {
      sessions: this.#sessions,
      streams: this.#streams,
      questions: this.#questions,
    });
    return {
      peer: session.peer,
      caller: session.callerOf(auth),
      calls: session.calls,
      negotiated: session.record.version,
      notify: (message) => this.#notify(session, message),
      answer: (response) => this.#answer(session, response),
    };
  }

  #notify(session: Session, { method, params }: RpcNotification): void {
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const { requestId, reason } = params;
    session.cancel(
      requestId as RequestId,
      typeof reason === "string" ? reason : "The call was cancelled",
    );
  }

  #answer(session: Session, response: RpcResponse): void {
    this.#questions.answer(session.id, response);
  }

  #resume(session: Session, lastEventId: string): Response {
    const position = parseEventId(lastEventId);
    if (position === undefined) throw unknownEvent();
    const stream = this.#streams.find(session, position.stream);
    if (streamKind(position.stream) === "session") {
      return stream === undefined
        ? this.#listeners.open(session)
        : this.#listeners.resume(session, stream, position.number);
    }
    if (stream === undefined) throw unknownEvent();
    // Nothing will come any more; other answers make clients ask again.
    if (!stream.continuesAfter(position.number)) return methodNotAllowed();
    return stream.connect(position.number);
  }
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
