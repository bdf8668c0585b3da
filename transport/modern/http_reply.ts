import type { Exchange, ReplyPort } from "../exchange.ts";
import { jsonResponse } from "../http_response.ts";
import type { KeepAlive } from "../keep_alive.ts";
import { EventStream, SSE_HEADERS } from "../sse.ts";

/** A finished answer: a message and its HTTP status. */
export interface HttpAnswer {
  /** The JSON of the message. */
  readonly message: string;
  /** The status, where it can still be chosen. */
  readonly status: number;
  /** The response, where it is more than the two. */
  readonly response?: Response | undefined;
}

/** What {@linkcode HttpReply} takes. */
export interface HttpReplyOptions {
  /** Sends keep-alive comments. */
  readonly keepAlive: KeepAlive;
  /** Whether the request comes straight from the server that tells of it. */
  readonly served: boolean;
}

/** How long a call that watches for its client may take before it streams. */
const WATCH_MS = 50;

/**
 * The way back of one 2026-07-28 request over HTTP: JSON when nothing is sent
 * ahead of the answer, an event stream otherwise.
 */
export class HttpReply implements ReplyPort {
  readonly #request: Request;
  readonly #options: HttpReplyOptions;
  exchange: Exchange | undefined;
  #stream: EventStream | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #respond: ((response: Response) => void) | undefined;

  constructor(request: Request, options: HttpReplyOptions) {
    this.#request = request;
    this.#options = options;
  }

  /** Whether the response has begun, with its status. */
  get committed(): boolean {
    return this.#stream !== undefined;
  }

  send(message: string): void {
    if (this.#stream === undefined && !this.#openStream()) return;
    this.#stream?.send(message);
  }

  /**
   * Tells the exchange when the client leaves. `request.signal` of a Deno
   * server aborts after success too, and is slow to read; so a call that takes
   * its time gets a stream, which tells the one from the other.
   */
  watch(): void {
    if (this.#stream !== undefined) return;
    if (this.#options.served) {
      this.#timer = setTimeout(() => this.#openStream(), WATCH_MS);
      return;
    }
    const { signal } = this.#request;
    if (signal.aborted) this.exchange?.cancel(signal.reason);
    signal.addEventListener(
      "abort",
      () => this.exchange?.cancel(signal.reason),
      { once: true },
    );
  }

  /** The response: at once when it has to stream, else with the answer. */
  response(): Promise<Response> {
    return new Promise((resolve) => {
      this.#respond = resolve;
      if (this.#stream !== undefined) resolve(streamed(this.#stream));
    });
  }

  /** Sends the answer, which comes after {@linkcode HttpReply.response} was asked for. */
  finish({ message, status, response }: HttpAnswer): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.exchange?.finish();
    if (this.#stream !== undefined) this.#stream.end(message);
    else this.#respond?.(response ?? jsonResponse(message, status));
  }

  #openStream(): boolean {
    clearTimeout(this.#timer);
    if (!takesEventStream(this.#request.headers.get("accept"))) return false;
    this.#stream = new EventStream({
      keepAlive: this.#options.keepAlive,
      onGone: () => {
        clearTimeout(this.#timer);
        this.exchange?.cancel(
          new DOMException("The client is gone", "AbortError"),
        );
      },
    });
    this.#respond?.(streamed(this.#stream));
    return true;
  }
}

/** Whether a client takes an event stream, by its `Accept` header. */
export function takesEventStream(accept: string | null): boolean {
  return accept === null || accept.includes("text/event-stream") ||
    accept.includes("*/*");
}

function streamed(stream: EventStream): Response {
  return new Response(stream.body, { headers: SSE_HEADERS });
}
