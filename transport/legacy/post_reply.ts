import type { LogLevel } from "../../context/log/levels.ts";
import { invalidRequest } from "../../errors.ts";
import type { InputRequests } from "../../types.ts";
import type { Exchange, ReplyPort } from "../exchange.ts";
import { jsonResponse } from "../http_response.ts";
import type { RequestId, RpcRequest } from "../json_rpc.ts";
import { takesEventStream } from "../modern/http_reply.ts";
import { SSE_HEADERS } from "../sse.ts";
import { type ClientStream, FIRST_PRIMED } from "./client_stream.ts";
import type { LegacyPeer } from "./peer.ts";
import type { AnswerSink } from "./running_call.ts";

/** The client behind a POST: its session, or what stands for one. */
export interface PostPeer {
  /** The revision it speaks. */
  readonly version: string;
  /** Remembers the level from which it wants log messages. */
  setLogLevel(level: LogLevel): Promise<void>;
  /** Remembers that it wants to hear of changes of a resource. */
  subscribe(uri: string): Promise<void>;
  /** Forgets it again. */
  unsubscribe(uri: string): Promise<void>;
  /** Whether its streams can be resumed. */
  readonly resumable: boolean;
  /** Opens a stream to it, for the answers to requests. */
  openStream(ids: readonly RequestId[], onGone: () => void): ClientStream;
  /** Puts questions to it. */
  ask(
    exchange: Exchange,
    requests: InputRequests,
    send: (message: string) => boolean,
  ): Promise<Record<string, unknown>>;
  /**
   * Begins to hear of what other processes are told, if there can be any.
   *
   * @param startedAt When the call began, ms since the epoch.
   * @returns What ends it.
   */
  watchSlow?(startedAt: number): () => void;
}

/** What {@linkcode PostReply} takes. */
export interface PostReplyOptions {
  /** The client. */
  readonly peer: PostPeer;
  /** The request, for its `Accept` header. */
  readonly request: Request;
  /** The messages, all of them requests. */
  readonly messages: readonly RpcRequest[];
  /** Whether they came as a batch. */
  readonly batch: boolean;
}

/** How many turns a call has before it counts as one that waits for something. */
const QUICK_TURNS = 40;
/** When a call counts as slow, ms. */
const SLOW_MS = 100;
/** When a slow call gets a stream, so that its client can come back to it, ms. */
const STREAM_MS = 1_000;

/**
 * The way back of one POST of the 2025 era: JSON when nothing is sent ahead of
 * the answers, an event stream otherwise. Calls go on when the client leaves:
 * in this era it may come back (2025-11-25, basic, transports).
 */
export class PostReply implements ReplyPort, LegacyPeer, AnswerSink {
  readonly #options: PostReplyOptions;
  #answers: string[] | undefined;
  #waiting: number;
  #stream: ClientStream | undefined;
  #response: Response | undefined;
  #respond: ((response: Response) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: (() => void) | undefined;
  #asking: Set<Exchange> | undefined;

  constructor(options: PostReplyOptions) {
    this.#options = options;
    this.#waiting = options.messages.length;
  }

  get version(): string {
    return this.#options.peer.version;
  }

  get committed(): boolean {
    return this.#stream !== undefined || this.#options.batch;
  }

  /** The response: at once when it has to stream, else with the last answer. */
  settle(): Promise<Response> {
    if (this.#waiting > 0 && this.#options.peer.watchSlow) this.#watch();
    if (this.#response !== undefined) return Promise.resolve(this.#response);
    return new Promise((resolve) => {
      this.#respond = resolve;
    });
  }

  send(message: string): boolean {
    if (this.#stream === undefined) this.#openStream();
    return this.#stream?.send(message) ?? false;
  }

  answer(message: string | undefined, response?: Response): void {
    if (this.#waiting === 0) return;
    const last = --this.#waiting === 0;
    if (last) this.#stopWatching();
    if (this.#stream !== undefined) {
      if (last) this.#stream.end(message);
      else if (message !== undefined) this.#stream.send(message);
      return;
    }
    if (last && !this.#options.batch) {
      this.#respondWith(response ?? jsonOf(message));
      return;
    }
    const answers = this.#answers ??= [];
    if (message !== undefined) answers.push(message);
    if (last) this.#respondWith(jsonOf(batchOf(answers)));
  }

  detach(): void {
    const { resumable, version } = this.#options.peer;
    if (!resumable || version < FIRST_PRIMED) return;
    if (this.#stream === undefined) this.#openStream();
    this.#stream?.disconnect();
  }

  setLogLevel(level: LogLevel): Promise<void> {
    return this.#options.peer.setLogLevel(level);
  }

  subscribe(uri: string): Promise<void> {
    return this.#options.peer.subscribe(uri);
  }

  unsubscribe(uri: string): Promise<void> {
    return this.#options.peer.unsubscribe(uri);
  }

  async ask(
    exchange: Exchange,
    requests: InputRequests,
  ): Promise<Record<string, unknown>> {
    if (this.#stream === undefined && !this.#openStream()) {
      throw invalidRequest(
        "Cannot ask the client for input: its request does not accept an event stream",
        { reason: "no_event_stream" },
      );
    }
    const asking = this.#asking ??= new Set();
    asking.add(exchange);
    try {
      return await this.#options.peer.ask(
        exchange,
        requests,
        (message) => this.send(message),
      );
    } finally {
      asking.delete(exchange);
    }
  }

  /** Opens the stream. @returns Whether the client takes one. */
  #openStream(): boolean {
    const { peer, messages, request } = this.#options;
    if (this.#waiting === 0) return false;
    if (!takesEventStream(request.headers.get("accept"))) return false;
    const ids = messages.map(({ id }) => id);
    const stream = peer.openStream(ids, () => this.#onGone());
    this.#stream = stream;
    const response = stream.connect();
    if (stream.ready === undefined) this.#respondWith(response);
    else stream.ready.then(() => this.#respondWith(response));
    for (const message of this.#answers ?? []) stream.send(message);
    return true;
  }

  /** Without a way back nobody will answer, nor hear of the result. */
  #onGone(): void {
    if (this.#options.peer.resumable) return;
    for (const exchange of this.#asking ?? []) {
      exchange.cancel(new DOMException("The client is gone", "AbortError"));
    }
  }

  #respondWith(response: Response): void {
    if (this.#respond === undefined) this.#response = response;
    else this.#respond(response);
  }

  /** Most calls are over within this turn, and need no timer. */
  async #watch(): Promise<void> {
    for (let turn = 0; turn < QUICK_TURNS; turn++) {
      await undefined;
      if (this.#waiting === 0) return;
    }
    const startedAt = Date.now();
    this.#timer = setTimeout(() => {
      this.#unwatch = this.#options.peer.watchSlow?.(startedAt);
      this.#timer = setTimeout(() => {
        if (this.#stream === undefined) this.#openStream();
      }, STREAM_MS - SLOW_MS);
    }, SLOW_MS);
  }

  #stopWatching(): void {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
  }
}

/** The answers to a batch, as one; none when all of it was cancelled. */
function batchOf(answers: readonly string[]): string | undefined {
  return answers.length > 0 ? `[${answers.join(",")}]` : undefined;
}

function jsonOf(message: string | undefined): Response {
  if (message !== undefined) return jsonResponse(message);
  // A cancelled request has no answer, and a response must be one or stream.
  return new Response("", { headers: SSE_HEADERS });
}
