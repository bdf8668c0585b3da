import assert from "node:assert/strict";
import type { App } from "../../../mod.ts";
import { type CallOptions, type Json, modernRequest } from "./_client.ts";

/** A client's end of one `subscriptions/listen` stream. */
export class Listener {
  readonly response: Response;
  /** Comments that came between the messages. */
  readonly comments: string[] = [];
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(response: Response) {
    this.response = response;
    assert.equal(response.status, 200);
    this.#reader = response.body!.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  /** The next message; `undefined` at the end of the stream. */
  async next(): Promise<Json | undefined> {
    for (;;) {
      const event = await this.#event();
      if (event === undefined) return undefined;
      if (event.startsWith("data: ")) return JSON.parse(event.slice(6)) as Json;
      this.comments.push(event);
    }
  }

  /** The method of the next message, and its params. */
  async notification(): Promise<{ method: unknown; params: Json }> {
    const message = await this.next();
    return { method: message?.method, params: message?.params as Json };
  }

  /** Leaves. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async #event(): Promise<string | undefined> {
    for (;;) {
      const end = this.#rest.indexOf("\n\n");
      if (end !== -1) {
        const event = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 2);
        return event;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#rest += value;
    }
  }
}

/** Opens a stream. */
export async function listen(
  app: Pick<App, "fetch">,
  notifications: unknown,
  options: CallOptions = {},
): Promise<Listener> {
  const params = notifications === undefined ? {} : { notifications };
  const request = modernRequest(
    "subscriptions/listen",
    params as Json,
    options,
  );
  return new Listener(await app.fetch(request));
}

/** The id that a message carries in its `_meta`. */
export function subscriptionIdOf(message: Json | undefined): unknown {
  const carrier = (message?.params ?? message?.result) as Json;
  return (carrier._meta as Json)["io.modelcontextprotocol/subscriptionId"];
}
