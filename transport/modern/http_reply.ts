import type { Exchange, ReplyPort } from "../exchange.ts";
import { jsonResponse } from "../http_response.ts";
import { EventStream, type KeepAlive, SSE_HEADERS } from "../sse.ts";

/** A finished answer: a message and its HTTP status. */
export interface HttpAnswer {
  /** The JSON of the message. */
  readonly message: string;
  /** The status, where it can still be chosen. */
  readonly status: number;
  /** The response, where it is more than the two. */
  readonly response?: Response | undefined;
}

/** How long a call that watches for its client may take before it streams. */
const WATCH_MS = 50;

/**
 * The way back of one 2026-07-28 request over HTTP: JSON when nothing is sent
 * ahead of the answer, an event stream otherwise.
 */
export class HttpReply implements ReplyPort {
  readonly #request: Request;
  readonly #keepAlive: KeepAlive;
  readonly #served: boolean;
  exchange: Exchange | undefined;
  #stream: EventStream | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #respond: ((response: Response) => void) | undefined;

  /**
   * @param request The request to answer.
   * @param keepAlive Sends keep-alive comments on its stream.
   * @param served Whether it comes straight from the server that tells of it.
   */
  constructor(request: Request, keepAlive: KeepAlive, served: boolean) {
    this.#request = request;
    this.#keepAlive = keepAlive;
    this.#served = served;
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
    if (this.#served) {
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

  /**
   * Sends an answer that is there before {@linkcode HttpReply.response} was
   * asked for.
   *
   * @returns The response, when it is a stream; else it is still to be made.
   */
  finishNow(message: string): Response | undefined {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.exchange?.finish();
    if (this.#stream === undefined) return undefined;
    this.#stream.end(message);
    return streamed(this.#stream);
  }

  #openStream(): boolean {
    clearTimeout(this.#timer);
    if (!takesEventStream(this.#request.headers.get("accept"))) return false;
    this.#stream = new EventStream({
      keepAlive: this.#keepAlive,
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

/** Media ranges that hold an event stream, the closest first. */
const STREAM_RANGES = ["text/event-stream", "text/*", "*/*"];

/** Whether a client takes an event stream, by its `Accept` header (RFC 9110, section 12.5.1). */
export function takesEventStream(accept: string | null): boolean {
  if (accept === null) return true;
  const ranges = accept.toLowerCase().split(",").map((range) =>
    range.split(";").map((part) => part.trim())
  );
  for (const wanted of STREAM_RANGES) {
    const range = ranges.find(([type]) => type === wanted);
    if (range !== undefined) return !range.some((part) => REFUSED.test(part));
  }
  return false;
}

/** A weight of nothing. */
const REFUSED = /^q=0(\.0*)?$/;

function streamed(stream: EventStream): Response {
  return new Response(stream.body, { headers: SSE_HEADERS });
}
