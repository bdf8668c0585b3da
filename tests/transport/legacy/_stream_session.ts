import type { App } from "../../../mod.ts";

/** A connection of lines to an app, driven by hand. */
export class StreamSession {
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  readonly #encoder = new TextEncoder();
  #text = "";
  /** Settles when the app lets go of the connection. */
  readonly done: Promise<void>;

  constructor(app: App) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    const output = new TransformStream<Uint8Array, Uint8Array>();
    this.#input = input.writable.getWriter();
    this.#output = output.readable.pipeThrough(new TextDecoderStream())
      .getReader();
    this.done = app.serveStream({
      readable: input.readable,
      writable: output.writable,
    });
  }

  /** Connects, and begins as a client of the 2025 era. */
  static async open(
    app: App,
    options: { version?: string; capabilities?: unknown } = {},
  ): Promise<StreamSession> {
    const { version = "2025-11-25", capabilities = {} } = options;
    const session = new StreamSession(app);
    await session.send({
      jsonrpc: "2.0",
      id: "init",
      method: "initialize",
      params: {
        protocolVersion: version,
        capabilities,
        clientInfo: { name: "line", version: "1.0.0" },
      },
    });
    await session.next();
    await session.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return session;
  }

  /** Writes messages, all in one chunk. */
  async send(...messages: readonly unknown[]): Promise<void> {
    const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
    await this.#input.write(this.#encoder.encode(lines.join("")));
  }

  /** Writes a request. */
  request(method: string, params?: unknown, id: unknown = 1): Promise<void> {
    return this.send({ jsonrpc: "2.0", id, method, params });
  }

  /** Calls a tool. */
  call(name: string, args: unknown = {}, id: unknown = 1): Promise<void> {
    return this.request("tools/call", { name, arguments: args }, id);
  }

  /** The next message; `undefined` at the end. */
  // deno-lint-ignore no-explicit-any -- tests read whatever the server wrote
  async next(): Promise<any> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end !== -1) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await this.#output.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  /** Ends the input, and reads what still comes. */
  // deno-lint-ignore no-explicit-any -- as above
  async end(): Promise<any[]> {
    await this.#input.close();
    const rest: unknown[] = [];
    const reading = (async () => {
      for (;;) {
        const message = await this.next();
        if (message === undefined) return;
        rest.push(message);
      }
    })();
    await this.done;
    await this.#output.cancel();
    await reading;
    return rest;
  }
}
