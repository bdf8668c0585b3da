import { refuseQuestions } from "../../input/capabilities.ts";
import type { ServerEvent } from "../../context/call.ts";
import type { LogLevel } from "../../context/log/levels.ts";
import { type McpError, serviceUnavailable } from "../../errors.ts";
import type { InputRequests } from "../../types.ts";
import type { Engine } from "../engine.ts";
import type { Caller, Exchange } from "../exchange.ts";
import type { JsonObject, RpcResponse } from "../json_rpc.ts";
import { eventMessage } from "./stream_event.ts";
import { initializeResult, readInitialize } from "./serve.ts";
import type { LegacyPeer } from "./peer.ts";
import { Questions } from "./questions.ts";

/** What {@linkcode StreamClient} takes. */
export interface StreamClientOptions {
  /** Serves it. */
  readonly engine: Engine;
  /** Writes a message that must not be lost. */
  write(message: string): void;
  /** Writes a message that may be left out when too much waits. */
  offer(message: string): void;
}

/**
 * The client of a connection that began with `initialize`: the connection is
 * its session.
 */
export class StreamClient implements LegacyPeer {
  readonly #options: StreamClientOptions;
  readonly #questions = new Questions("q");
  readonly #subscriptions = new Set<string>();
  #unsubscribe: (() => void) | undefined;
  #canAnswer = true;
  #logLevel: LogLevel = "debug";
  #caller!: Caller;
  #version = "";

  constructor(options: StreamClientOptions) {
    this.#options = options;
  }

  get version(): string {
    return this.#version;
  }

  /** As whom its requests are served. */
  get caller(): Caller {
    return this.#caller;
  }

  /**
   * Takes note of who the client is.
   *
   * @returns The JSON of the result of `initialize`.
   * @throws {WireError} -32602 when the params are malformed.
   */
  initialize(params: JsonObject): string {
    const { version, capabilities, info } = readInitialize(params);
    this.#version = version;
    this.#caller = {
      era: "legacy",
      refuse: refuseQuestions,
      auth: undefined,
      tenantId: "default",
      sessionId: undefined,
      clientCapabilities: capabilities,
      clientInfo: info,
      logLevel: this.#logLevel,
      version,
    };
    this.#unsubscribe ??= this.#options.engine.events.subscribe((event) =>
      this.#tell(event)
    );
    return initializeResult(this.#options.engine, version, true);
  }

  #tell(event: ServerEvent): void {
    const wanted = event.kind !== "resource_updated" ||
      this.#subscriptions.has(event.uri);
    if (wanted) this.#options.offer(eventMessage(event));
  }

  setLogLevel(level: LogLevel): Promise<void> {
    this.#logLevel = level;
    this.#caller = { ...this.#caller, logLevel: level };
    return Promise.resolve();
  }

  subscribe(uri: string): Promise<void> {
    this.#subscriptions.add(uri);
    return Promise.resolve();
  }

  unsubscribe(uri: string): Promise<void> {
    this.#subscriptions.delete(uri);
    return Promise.resolve();
  }

  ask(
    exchange: Exchange,
    requests: InputRequests,
  ): Promise<Record<string, unknown>> {
    if (!this.#canAnswer) return Promise.reject(inputEnded());
    return this.#questions.ask({
      exchange,
      requests,
      version: this.#version,
      owner: "",
      send: (message) => {
        this.#options.write(message);
        return true;
      },
    });
  }

  /** Takes the answer to a question; one that was not put is passed over. */
  answer(response: RpcResponse): void {
    this.#questions.answer("", response);
  }

  /** No answers can come any more: gives up on what was asked. */
  stopAsking(): void {
    this.#canAnswer = false;
    this.#questions.failAll(inputEnded());
  }

  /** Hears of no more events. */
  end(): void {
    this.#unsubscribe?.();
  }
}

function inputEnded(): McpError {
  return serviceUnavailable(
    "The client cannot answer any more: its input has ended",
    { reason: "input_ended" },
  );
}
