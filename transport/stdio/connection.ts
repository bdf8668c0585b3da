import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import { type Caller, Exchange, type ReplyPort } from "../exchange.ts";
import { toWireError } from "../http_response.ts";
import {
  classify,
  errorMessage,
  isObject,
  type JsonObject,
  type RequestId,
  resultMessage,
  type RpcNotification,
  type RpcRequest,
  wellFormed,
  wireErrorMessage,
} from "../json_rpc.ts";
import { type Envelope, readEnvelope } from "../modern/envelope.ts";
import type { Subscription } from "../modern/listen.ts";
import { checkVersion, serveModern } from "../modern/serve.ts";
import { openStreamSubscription } from "./listen.ts";
import type { InputLine } from "./line_reader.ts";
import type { LineWriter } from "./line_writer.ts";

/** A call on its way to its answer. */
interface RunningCall {
  readonly exchange: Exchange;
  /** Resolves when the handler has ended. */
  readonly done: Promise<void>;
}

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
  #onIdle: (() => void)[] = [];

  constructor(engine: Engine, writer: LineWriter) {
    this.#engine = engine;
    this.#writer = writer;
    // What is sent ahead of an answer may be left out.
    this.#port = { send: (message) => writer.offer(message) };
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
    const classified = classify(value);
    switch (classified.kind) {
      case "request":
        return this.#request(classified.message);
      case "notification":
        return this.#notification(classified.message);
      case "invalid":
        return this.#refuse(
          classified.id,
          ErrorCode.InvalidRequest,
          classified.reason,
        );
    }
  }

  /** Ends all subscriptions; the listeners are told. */
  end(): void {
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
        "Invalid request: a request with this id is still running",
      );
    }
    try {
      const envelope = readEnvelope(message.params);
      checkVersion(envelope);
      if (method === "subscriptions/listen") return this.#listen(message);
      const exchange = new Exchange(
        this.#engine.services,
        callerOf(envelope),
        method,
        envelope.progressToken,
        this.#port,
      );
      const answer = serveModern(
        this.#engine,
        exchange,
        message.params as JsonObject,
      );
      if (typeof answer === "string") {
        return this.#writer.write(wellFormed(resultMessage(id, answer)));
      }
      const done = answer.then(
        (result) => this.#finish(id, exchange, resultMessage(id, result)),
        (error) =>
          this.#finish(id, exchange, wireErrorMessage(id, toWireError(error))),
      );
      this.#running.set(id, { exchange, done });
    } catch (error) {
      this.#writer.write(wireErrorMessage(id, toWireError(error)));
    }
  }

  #listen({ id, params }: RpcRequest): void {
    let ended = false;
    const onEnd = () => {
      ended = true;
      this.#subscriptions.delete(id);
    };
    const subscription = openStreamSubscription(
      this.#engine.subscriptions,
      this.#writer,
      { id, params, onEnd },
    );
    if (!ended) this.#subscriptions.set(id, subscription);
  }

  #finish(id: RequestId, exchange: Exchange, message: string): void {
    exchange.finish();
    // Nothing is sent for a call that was cancelled, not even its answer.
    if (exchange.cancelled) return;
    this.#writer.write(wellFormed(message));
    this.#forget(id);
  }

  #cancel(id: RequestId, { exchange, done }: RunningCall, why: unknown): void {
    exchange.cancel(why);
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

function callerOf(envelope: Envelope): Caller {
  return {
    era: "modern",
    auth: undefined,
    tenantId: "default",
    sessionId: undefined,
    clientCapabilities: envelope.capabilities,
    clientInfo: envelope.clientInfo,
    logLevel: envelope.logLevel,
  };
}
