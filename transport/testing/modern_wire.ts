import { isObject, type JsonObject } from "../json_rpc.ts";
import { Meta, MODERN_VERSION } from "../protocol.ts";
import { questionOf } from "./answers.ts";
import { messagesOf } from "./messages.ts";
import { headerValue, nameOf } from "./mirrored_headers.ts";
import {
  hear,
  noAnswer,
  post,
  type RequestOptions,
  resultOf,
  type Wire,
  type WireOptions,
} from "./wire.ts";

/** A client of 2026-07-28: each request stands alone, questions come as results. */
export class ModernWire implements Wire {
  readonly #options: WireOptions;
  #lastId = 0;

  /** @param options What the client is. */
  constructor(options: WireOptions) {
    this.#options = options;
  }

  async request(
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject> {
    const { maxRounds } = this.#options;
    let input: JsonObject = {};
    for (let round = 0; round <= maxRounds; round++) {
      const result = await this.#send(method, { ...params, ...input }, options);
      if (result.resultType !== "input_required") return result;
      input = await this.#answer(result);
    }
    throw new Error(
      `Cannot go on with ${method}: it still asks for input after ${maxRounds} rounds`,
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #send(
    method: string,
    params: JsonObject,
    { signal, meta, headers }: RequestOptions,
  ): Promise<JsonObject> {
    const id = ++this.#lastId;
    const name = nameOf(method, params);
    const response = await post(
      this.#options,
      {
        "mcp-protocol-version": MODERN_VERSION,
        "mcp-method": method,
        "mcp-name": name === undefined ? undefined : headerValue(name),
        ...headers,
      },
      {
        id,
        method,
        params: { ...params, _meta: { ...this.#envelope(id), ...meta } },
      },
      signal,
    );
    for await (const message of messagesOf(response)) {
      if ("method" in message) hear(this.#options, message);
      else return resultOf(message, response);
    }
    throw noAnswer(response);
  }

  #envelope(id: number): JsonObject {
    const { capabilities, clientInfo, logLevel, progress } = this.#options;
    return {
      [Meta.protocolVersion]: MODERN_VERSION,
      [Meta.clientInfo]: clientInfo,
      [Meta.clientCapabilities]: capabilities,
      ...(logLevel !== undefined && { [Meta.logLevel]: logLevel }),
      ...(progress && { progressToken: id }),
    };
  }

  async #answer(
    { inputRequests, requestState }: JsonObject,
  ): Promise<JsonObject> {
    const inputResponses: JsonObject = {};
    const requests = isObject(inputRequests) ? inputRequests : {};
    for (const [key, request] of Object.entries(requests)) {
      const question = questionOf(key, request);
      inputResponses[key] = await this.#options.script.answer(question);
    }
    return {
      ...(isObject(inputRequests) && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
    };
  }
}
