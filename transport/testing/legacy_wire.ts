import type { JsonObject } from "../json_rpc.ts";
import { questionOf } from "./answers.ts";
import { messagesOf } from "./messages.ts";
import {
  hear,
  noAnswer,
  post,
  type RequestOptions,
  resultOf,
  type Wire,
  type WireOptions,
} from "./wire.ts";

/** A client of the 2025 era: a session, and questions that come as requests. */
export class LegacyWire implements Wire {
  readonly #options: WireOptions;
  readonly #wanted: string;
  #version: string | undefined;
  #session: string | undefined;
  #begun: Promise<void> | undefined;
  #lastId = 0;

  /**
   * @param options What the client is.
   * @param version The revision it asks for.
   */
  constructor(options: WireOptions, version: string) {
    this.#options = options;
    this.#wanted = version;
  }

  async request(
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject> {
    await (this.#begun ??= this.#begin());
    return await this.#send(method, params, options);
  }

  async close(): Promise<void> {
    await this.#begun;
    if (this.#session === undefined) return;
    const { app, url, headers } = this.#options;
    const request = new Request(url, {
      method: "DELETE",
      headers: { ...headers, ...defined(this.#headers()) },
    });
    await (await app.fetch(request)).body?.cancel();
  }

  async #begin(): Promise<void> {
    const { capabilities, clientInfo, logLevel } = this.#options;
    const protocolVersion = this.#wanted;
    const result = await this.#send(
      "initialize",
      { protocolVersion, capabilities, clientInfo },
      {},
    );
    this.#version = String(result.protocolVersion);
    await this.#tell({ method: "notifications/initialized" });
    if (logLevel === undefined) return;
    await this.#send("logging/setLevel", { level: logLevel }, {});
  }

  async #send(
    method: string,
    params: JsonObject,
    { signal, meta, headers }: RequestOptions,
  ): Promise<JsonObject> {
    const id = ++this.#lastId;
    const cancel = () => this.#cancel(id);
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      const response = await post(
        this.#options,
        { ...this.#headers(), ...headers },
        { id, method, params: { ...params, ...this.#metaOf(id, meta) } },
        signal,
      );
      this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
      return await this.#result(response);
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  async #result(response: Response): Promise<JsonObject> {
    const answering: Promise<void>[] = [];
    for await (const message of messagesOf(response)) {
      if (!("method" in message)) {
        await Promise.all(answering);
        return resultOf(message, response);
      }
      if ("id" in message) {
        const answered = this.#answer(message);
        // Awaited once the call has ended, which it does without the answer.
        answered.catch(() => {});
        answering.push(answered);
      } else hear(this.#options, message);
    }
    throw noAnswer(response);
  }

  /** @throws {Error} When the script has no answer; the server is told so too. */
  async #answer(request: JsonObject): Promise<void> {
    const { id, method } = request;
    if (method === "ping") return await this.#tell({ id, result: {} });
    try {
      const question = questionOf(keyIn(String(id)), request);
      const result = await this.#options.script.answer(question);
      await this.#tell({ id, result });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      await this.#tell({ id, error: { code: -32603, message } });
      throw error;
    }
  }

  #cancel(requestId: number): void {
    const params = { requestId, reason: "The test cancelled it" };
    this.#tell({ method: "notifications/cancelled", params }).catch(() => {});
  }

  /** Sends what wants no answer. */
  async #tell(message: JsonObject): Promise<void> {
    const response = await post(this.#options, this.#headers(), message);
    await response.body?.cancel();
  }

  #headers(): Record<string, string | undefined> {
    return {
      "mcp-session-id": this.#session,
      "mcp-protocol-version": this.#version,
    };
  }

  #metaOf(id: number, meta: RequestOptions["meta"]): JsonObject {
    const { progress } = this.#options;
    if (!progress && meta === undefined) return {};
    return { _meta: { ...(progress && { progressToken: id }), ...meta } };
  }
}

/** The key of a question, which ends the id of the request it came as. */
function keyIn(id: string): string {
  return decodeURIComponent(id.slice(id.indexOf(".") + 1));
}

function defined(
  headers: Record<string, string | undefined>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] =>
      entry[1] !== undefined
    ),
  );
}
