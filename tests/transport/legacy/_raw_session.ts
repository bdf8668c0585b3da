import assert from "node:assert/strict";

/** What serves: an app, or anything else with its `fetch`. */
export interface Fetcher {
  fetch(request: Request): Promise<Response>;
}

/** One server-sent event. */
export interface SseEvent {
  readonly id: string | undefined;
  readonly retry: string | undefined;
  /** The message; `undefined` for an event without one. */
  // deno-lint-ignore no-explicit-any -- tests read whatever the server wrote
  readonly message: any;
}

/** What {@linkcode RawSession.open} takes besides what serves. */
export interface OpenOptions {
  readonly version?: string;
  readonly capabilities?: unknown;
  readonly headers?: Record<string, string>;
}

const URL_OF_ENDPOINT = "http://localhost/mcp";

/** A session over plain HTTP, with nothing between the test and the wire. */
export class RawSession {
  constructor(
    readonly server: Fetcher,
    readonly id: string,
    readonly headers: Record<string, string>,
  ) {}

  /** Opens a session. */
  static async open(
    server: Fetcher,
    options: OpenOptions = {},
  ): Promise<RawSession> {
    const { version = "2025-11-25", capabilities = {}, headers = {} } = options;
    const response = await server.fetch(
      postRequest(initializeBody(version, capabilities), headers),
    );
    assert.equal(response.status, 200);
    const { result } = await response.json();
    const id = response.headers.get("mcp-session-id");
    assert.ok(id !== null);
    return new RawSession(server, id, {
      ...headers,
      "mcp-session-id": id,
      "mcp-protocol-version": result.protocolVersion,
    });
  }

  /** The same session at another server. */
  at(server: Fetcher): RawSession {
    return new RawSession(server, this.id, this.headers);
  }

  /** The same session with other headers. */
  with(headers: Record<string, string>): RawSession {
    return new RawSession(this.server, this.id, {
      ...this.headers,
      ...headers,
    });
  }

  /** Posts a body. */
  post(body: unknown, signal?: AbortSignal): Promise<Response> {
    return this.server.fetch(postRequest(body, this.headers, signal));
  }

  /** Sends a request. */
  request(
    method: string,
    params?: unknown,
    id: unknown = 1,
  ): Promise<Response> {
    return this.post({ jsonrpc: "2.0", id, method, params });
  }

  /** Calls a tool. */
  call(name: string, args: unknown = {}, id: unknown = 1): Promise<Response> {
    return this.request("tools/call", { name, arguments: args }, id);
  }

  /** Answers a question of the server. */
  async answer(id: unknown, result: unknown): Promise<void> {
    const response = await this.post({ jsonrpc: "2.0", id, result });
    assert.equal(response.status, 202);
  }

  /** Opens or resumes a stream. */
  get(lastEventId?: string): Promise<Response> {
    return this.server.fetch(
      new Request(URL_OF_ENDPOINT, {
        headers: {
          ...this.headers,
          accept: "text/event-stream",
          ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
        },
      }),
    );
  }

  /** Ends the session. */
  delete(): Promise<Response> {
    return this.server.fetch(
      new Request(URL_OF_ENDPOINT, { method: "DELETE", headers: this.headers }),
    );
  }
}

/** The body of `initialize`. */
export function initializeBody(
  protocolVersion: string,
  capabilities: unknown = {},
): unknown {
  return {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities,
      clientInfo: { name: "raw", version: "1.0.0" },
    },
  };
}

/** A POST as clients of the era send it. */
export function postRequest(
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Request {
  return new Request(URL_OF_ENDPOINT, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

/** Reads a stream event by event; comments are passed over. */
export class SseReader {
  readonly #reader: ReadableStreamDefaultReader<string>;
  #text = "";

  constructor(response: Response) {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    this.#reader = response.body!.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  /** The next event; `undefined` at the end. */
  async next(): Promise<SseEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end === -1) {
        const { done, value } = await this.#reader.read();
        if (done) return undefined;
        this.#text += value;
        continue;
      }
      const block = this.#text.slice(0, end);
      this.#text = this.#text.slice(end + 2);
      if (!block.startsWith(":")) return parseEvent(block);
    }
  }

  /** The next message, past events that carry none. */
  // deno-lint-ignore no-explicit-any -- tests read whatever the server wrote
  async message(): Promise<any> {
    for (;;) {
      const event = await this.next();
      if (event === undefined) return undefined;
      if (event.message !== undefined) return event.message;
    }
  }

  /** All events up to the end. */
  async all(): Promise<SseEvent[]> {
    const events: SseEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) return events;
      events.push(event);
    }
  }

  /** Goes away, as a client that is disconnected. */
  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

function parseEvent(block: string): SseEvent {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get("data");
  return {
    id: fields.get("id"),
    retry: fields.get("retry"),
    message: data ? JSON.parse(data) : undefined,
  };
}
