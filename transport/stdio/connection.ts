import { clientPayload } from "../../context/log/client_payload.ts";
import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import { Exchange, type ReplyPort } from "../exchange.ts";
import { toWireError } from "../http_response.ts";
import {
  classify,
  errorMessage,
  invalidRequestError,
  isObject,
  type JsonObject,
  type RequestId,
  resultMessage,
  type RpcNotification,
  type RpcRequest,
  wellFormed,
  wireErrorMessage,
} from "../json_rpc.ts";
import { readBatch } from "../legacy/post.ts";
import { progressTokenOf, readParams, serveLegacy } from "../legacy/serve.ts";
import { StreamClient } from "../legacy/stream_client.ts";
import { hasEnvelope, readEnvelope } from "../modern/envelope.ts";
import type { Subscription } from "../modern/listen.ts";
import { checkVersion, sealQuestions, serveModern } from "../modern/serve.ts";
import { subscriptionsOf } from "../modern/listen_stream.ts";
import { isHandlerMethod } from "../run/call.ts";
import { openStreamSubscription } from "./listen.ts";
import type { InputLine, LineWriter } from "./lines.ts";

/** Takes the answer to a request; none for one that was cancelled. */
type Reply = (message: string | undefined) => void;

/** A call on its way to its answer. */
interface RunningCall {
  readonly exchange: Exchange;
  /** Takes the answer. */
  readonly reply: Reply;
  /** Resolves when the handler has ended. */
  readonly done: Promise<void>;
}

const RUNNING = "Invalid request: a request with this id is still running";

/**
 * One connection of newline-delimited messages: both eras, any number of calls
 * at a time, answers in the order they are ready.
 */
export class StreamConnection {
  readonly #engine: Engine;
  readonly #writer: LineWriter;
  /** Calls without an answer, by id; `1` and `"1"` are different. */
  readonly #running = new Map<RequestId, RunningCall>();
  /** Cancelled calls whose handlers go on. */
  readonly #cancelled = new Set<Promise<void>>();
  readonly #subscriptions = new Map<RequestId, Subscription>();
  readonly #port: ReplyPort;
  readonly #reply: Reply;
  /** The client, once it began as one of the 2025 era. */
  #legacy: StreamClient | undefined;
  #onIdle: (() => void)[] = [];

  constructor(engine: Engine, writer: LineWriter) {
    this.#engine = engine;
    this.#writer = writer;
    // What is sent ahead of an answer may be left out.
    this.#port = {
      transport: "stdio",
      send: (message) => writer.offer(message),
    };
    this.#reply = (message) => {
      if (message !== undefined) writer.write(message);
    };
  }

  /** Takes one line of input; never throws. */
  receive(line: InputLine): void {
    if (typeof line !== "string") {
      return this.#refuse(
        undefined,
        ErrorCode.InvalidRequest,
        `Message too long: ${line.tooLong} characters`,
      );
    }
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#refuse(
        undefined,
        ErrorCode.ParseError,
        "Parse error: the line is not JSON",
      );
    }
    if (Array.isArray(value)) return this.#batch(value);
    const classified = classify(value);
    switch (classified.kind) {
      case "request":
        return this.#request(classified.message);
      case "notification":
        return this.#notification(classified.message);
      case "response":
        return this.#legacy?.answer(classified.message);
      case "invalid":
        return this.#refuse(
          classified.id,
          ErrorCode.InvalidRequest,
          classified.reason,
        );
    }
  }

  /** No more input comes, so that nobody can be asked any more. */
  stopAsking(): void {
    this.#legacy?.stopAsking();
  }

  /** Ends all subscriptions; the listeners are told. */
  end(): void {
    this.#legacy?.end();
    for (const subscription of [...this.#subscriptions.values()]) {
      subscription.end();
    }
  }

  /** Resolves when every call has been answered or cancelled. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Cancels every running call. @returns When their handlers have ended. */
  async cancelAll(reason: unknown): Promise<void> {
    for (const [id, call] of this.#running) this.#cancel(id, call, reason);
    await Promise.all(this.#cancelled);
  }

  #request(message: RpcRequest): void {
    const { id, method } = message;
    if (this.#running.has(id) || this.#subscriptions.has(id)) {
      return this.#refuse(
        id,
        ErrorCode.InvalidRequest,
        RUNNING,
      );
    }
    if (!hasEnvelope(message.params)) {
      if (this.#legacy !== undefined || method === "initialize") {
        return this.#legacyRequest(message, this.#reply);
      }
      // The one request that a client may send before it begins.
      if (method === "ping") return this.#reply(resultMessage(id, "{}"));
    }
    try {
      const envelope = readEnvelope(message.params);
      checkVersion(envelope);
      if (method === "subscriptions/listen") return this.#listen(message);
      const exchange = new Exchange(
        this.#engine.services,
        envelope,
        method,
        envelope.progressToken,
        this.#port,
      );
      exchange.rpcId = id;
      exchange.payloadOf = clientPayload;
      const answer = serveModern(
        this.#engine,
        exchange,
        message.params as JsonObject,
      );
      if (typeof answer === "string" && !isHandlerMethod(method)) {
        return this.#writer.write(wellFormed(resultMessage(id, answer)));
      }
      // In a later turn than what the handler sent: clients drop progress that
      // they read together with the result.
      const sealed = Promise.resolve(answer).then((outcome) =>
        typeof outcome === "string"
          ? outcome
          : sealQuestions(this.#engine, exchange, outcome)
      );
      this.#run(id, exchange, sealed, this.#reply);
    } catch (error) {
      this.#writer.write(wireErrorMessage(id, toWireError(error)));
    }
  }

  #legacyRequest({ id, method, params: sent }: RpcRequest, reply: Reply): void {
    try {
      const params = readParams(sent);
      if (method === "initialize") {
        const client = this.#legacy ?? new StreamClient({
          engine: this.#engine,
          write: (message) => this.#writer.write(message),
          offer: (message) => this.#writer.offer(message),
        });
        const result = client.initialize(params);
        this.#legacy = client;
        return reply(resultMessage(id, result));
      }
      const client = this.#legacy!;
      const exchange = new Exchange(
        this.#engine.services,
        client.caller,
        method,
        progressTokenOf(params),
        this.#port,
      );
      exchange.rpcId = id;
      exchange.payloadOf = clientPayload;
      const answer = serveLegacy(this.#engine, exchange, params, client);
      if (typeof answer !== "string" || isHandlerMethod(method)) {
        return this.#run(id, exchange, Promise.resolve(answer), reply);
      }
      reply(wellFormed(resultMessage(id, answer)));
    } catch (error) {
      reply(wireErrorMessage(id, toWireError(error)));
    }
  }

  /** Answers what came as an array, where the revision has such, in one too. */
  #batch(values: readonly unknown[]): void {
    try {
      const batch = readBatch(values, this.#legacy?.version);
      for (const message of batch.notifications) this.#notification(message);
      for (const message of batch.responses) this.#legacy?.answer(message);
      const answers: string[] = [];
      let open = batch.requests.length;
      for (const message of batch.requests) {
        const reply: Reply = (answer) => {
          if (answer !== undefined) answers.push(answer);
          if (--open > 0 || answers.length === 0) return;
          this.#writer.write(`[${answers.join(",")}]`);
        };
        if (this.#running.has(message.id)) {
          const error = invalidRequestError(RUNNING);
          reply(wireErrorMessage(message.id, error));
        } else this.#legacyRequest(message, reply);
      }
    } catch (error) {
      this.#writer.write(wireErrorMessage(undefined, toWireError(error)));
    }
  }

  #run(
    id: RequestId,
    exchange: Exchange,
    answer: Promise<string>,
    reply: Reply,
  ): void {
    const done = answer.then(
      (result) => this.#finish(id, exchange, resultMessage(id, result)),
      (error) =>
        this.#finish(id, exchange, wireErrorMessage(id, toWireError(error))),
    );
    this.#running.set(id, { exchange, reply, done });
  }

  #listen({ id, params }: RpcRequest): void {
    let ended = false;
    const onEnd = () => {
      ended = true;
      this.#subscriptions.delete(id);
    };
    const subscription = openStreamSubscription(
      subscriptionsOf(this.#engine),
      this.#writer,
      { id, params, onEnd },
    );
    if (!ended) this.#subscriptions.set(id, subscription);
  }

  #finish(id: RequestId, exchange: Exchange, message: string): void {
    exchange.finish();
    // Nothing is sent for a call that was cancelled, not even its answer.
    if (exchange.cancelled) return;
    this.#running.get(id)?.reply(wellFormed(message));
    this.#forget(id);
  }

  #cancel(id: RequestId, call: RunningCall, why: unknown): void {
    const { exchange, reply, done } = call;
    exchange.cancel(why);
    reply(undefined);
    this.#forget(id);
    this.#cancelled.add(done);
    done.then(() => this.#cancelled.delete(done));
  }

  #forget(id: RequestId): void {
    this.#running.delete(id);
    if (this.#running.size > 0) return;
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #notification({ method, params }: RpcNotification): void {
    if (method !== "notifications/cancelled" || !isObject(params)) return;
    const { requestId, reason } = params;
    const id = requestId as RequestId;
    const call = this.#running.get(id);
    if (call !== undefined) {
      const why = typeof reason === "string"
        ? reason
        : "The call was cancelled";
      this.#cancel(id, call, new DOMException(why, "AbortError"));
      return;
    }
    // A listener that ended its subscription hears nothing more of it.
    this.#subscriptions.get(id)?.cancel();
    this.#subscriptions.delete(id);
  }

  #refuse(id: RequestId | undefined, code: number, message: string): void {
    this.#writer.write(errorMessage(id, code, message));
  }
}
