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
import { checkVersion, serveModern } from "../modern/serve.ts";
import type { InputLine } from "./line_reader.ts";

/**
 * One connection of newline-delimited messages: both eras, any number of calls
 * at a time, answers in the order they are ready.
 */
export class StreamConnection {
  readonly #engine: Engine;
  readonly #write: (line: string) => void;
  /** Calls without an answer, by id; `1` and `"1"` are different. */
  readonly #running = new Map<RequestId, Exchange>();
  readonly #port: ReplyPort;
  #onIdle: (() => void)[] = [];

  constructor(engine: Engine, write: (line: string) => void) {
    this.#engine = engine;
    this.#write = write;
    this.#port = { send: write };
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

  /** The input has ended: nothing more is asked, and listeners end. */
  end(): void {}

  /** Resolves when no call is running. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Cancels every running call. */
  cancelAll(reason: unknown): void {
    for (const [id, exchange] of this.#running) {
      exchange.cancel(reason);
      this.#forget(id);
    }
  }

  #request(message: RpcRequest): void {
    const { id, method } = message;
    if (this.#running.has(id)) {
      return this.#refuse(
        id,
        ErrorCode.InvalidRequest,
        "Invalid request: a request with this id is still running",
      );
    }
    try {
      const envelope = readEnvelope(message.params);
      checkVersion(envelope);
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
        return this.#write(wellFormed(resultMessage(id, answer)));
      }
      this.#running.set(id, exchange);
      answer.then(
        (result) => this.#finish(id, exchange, resultMessage(id, result)),
        (error) =>
          this.#finish(id, exchange, wireErrorMessage(id, toWireError(error))),
      );
    } catch (error) {
      this.#write(wireErrorMessage(id, toWireError(error)));
    }
  }

  #finish(id: RequestId, exchange: Exchange, message: string): void {
    exchange.finish();
    // Nothing is sent for a call that was cancelled, not even its answer.
    if (exchange.cancelled) return;
    this.#write(wellFormed(message));
    this.#forget(id);
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
    const exchange = this.#running.get(id);
    if (exchange === undefined) return;
    const why = typeof reason === "string" ? reason : "The call was cancelled";
    exchange.cancel(new DOMException(why, "AbortError"));
    this.#forget(id);
  }

  #refuse(id: RequestId | undefined, code: number, message: string): void {
    this.#write(errorMessage(id, code, message));
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
