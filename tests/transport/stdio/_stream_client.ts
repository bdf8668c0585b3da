import assert from "node:assert/strict";
import type { App } from "../../../mod.ts";
import { type CallOptions, type Json, requestBody } from "../modern/_client.ts";

const encoder = new TextEncoder();

/** A client on the other end of two streams, which speaks in lines. */
export class StreamClient {
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #waiting: Json[] = [];
  #rest = "";

  constructor(
    writable: WritableStream<Uint8Array>,
    readable: ReadableStream<Uint8Array>,
  ) {
    this.#writer = writable.getWriter();
    this.#reader = readable.pipeThrough(
      new TextDecoderStream() as TransformStream<Uint8Array, string>,
    ).getReader();
  }

  /** Writes text as it is. */
  async text(text: string): Promise<void> {
    await this.#writer.write(encoder.encode(text));
  }

  /** Writes bytes as they are. */
  async bytes(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes);
  }

  /** Writes a message. */
  async send(message: unknown): Promise<void> {
    await this.text(`${JSON.stringify(message)}\n`);
  }

  /** Writes a 2026-07-28 request. */
  async request(
    id: unknown,
    method: string,
    params?: Json,
    options?: CallOptions,
  ): Promise<void> {
    await this.send(requestBody(method, params, { ...options, id }));
  }

  /** Writes a request to call a tool. */
  async callTool(
    id: unknown,
    name: string,
    args: Json = {},
    options?: CallOptions,
  ): Promise<void> {
    const params = { name, arguments: args };
    await this.request(id, "tools/call", params, options);
  }

  /** Writes a cancellation. */
  async cancel(requestId: unknown, reason?: string): Promise<void> {
    const params = { requestId, reason };
    await this.send({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params,
    });
  }

  /** The next message; `undefined` when there are no more. */
  async next(): Promise<Json | undefined> {
    for (;;) {
      const ready = this.#waiting.shift();
      if (ready !== undefined) return ready;
      const { done, value } = await this.#reader.read();
      if (done) {
        assert.equal(this.#rest, "", "The last line has no end");
        return undefined;
      }
      const lines = (this.#rest + value).split("\n");
      this.#rest = lines.pop()!;
      for (const line of lines) this.#waiting.push(JSON.parse(line) as Json);
    }
  }

  /** Reads until a message answers the request with this id. */
  async answer(id: unknown): Promise<Json> {
    for (;;) {
      const message = await this.next();
      assert.ok(message !== undefined, `No answer to ${JSON.stringify(id)}`);
      if (message.id === id && message.method === undefined) return message;
    }
  }

  /** Ends the input. */
  async end(): Promise<void> {
    await this.#writer.close();
  }

  /** Reads what is left. */
  async rest(): Promise<Json[]> {
    const messages: Json[] = [];
    for (;;) {
      const message = await this.next();
      if (message === undefined) return messages;
      messages.push(message);
    }
  }

  /** Stops to read. */
  async leave(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** What {@linkcode connect} gives. */
export interface Connection {
  /** The client. */
  readonly client: StreamClient;
  /** Resolves when the server is done with the streams. */
  readonly served: Promise<void>;
}

/** Connects a client to an app by two pipes in memory. */
export function connect(app: App, signal?: AbortSignal): Connection {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const served = app.serveStream(
    { readable: input.readable, writable: output.writable },
    signal,
  ).then(async () => {
    // The server leaves the stream open, as it leaves stdout.
    await output.writable.close().catch(() => {});
  });
  return { client: new StreamClient(input.writable, output.readable), served };
}

/** The text of the first content block of an answer. */
export function textOf(message: Json): string {
  const { content } = message.result as { content: { text: string }[] };
  return content[0]!.text;
}

/** The code of an error. */
export function codeOf(message: Json | undefined): unknown {
  return (message?.error as Json | undefined)?.code;
}
