import { refuseQuestions } from "../../input/capabilities.ts";
import type { AppConfig } from "../config.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest } from "../http_request.ts";
import { methodNotAllowed } from "../http_response.ts";
import {
  invalidRequestError,
  methodNotFound,
  type RpcRequest,
} from "../json_rpc.ts";
import type { KeepAlive } from "../sse.ts";
import type { LegacyClients, LegacyHttpClient } from "./clients.ts";
import { initializeResult, readInitialize, readParams } from "./serve.ts";
import type { RunningCall } from "./running_call.ts";
import { invalidRequest } from "../../errors.ts";
import { ClientStream } from "./client_stream.ts";
import type { PostPeer } from "./post_reply.ts";

/** The revision of requests that do not name theirs (2025-11-25, basic, transports). */
const ASSUMED_VERSION = "2025-03-26";

/** Clients of which nothing is remembered: each request stands by itself. */
export class StatelessClients implements LegacyClients {
  readonly #engine: Engine;
  readonly #keepAlive: KeepAlive;
  readonly #exposesId: boolean;

  constructor(engine: Engine, config: AppConfig, keepAlive: KeepAlive) {
    this.#engine = engine;
    this.#keepAlive = keepAlive;
    this.#exposesId = config.exposeStatelessSessionId;
  }

  initialize(
    _incoming: HttpRequest,
    { params }: RpcRequest,
  ): Promise<{ result: string }> {
    const { version } = readInitialize(readParams(params));
    const result = initializeResult(this.#engine, version, false);
    return Promise.resolve({ result });
  }

  find({ auth, version }: HttpRequest): LegacyHttpClient {
    return {
      peer: new StatelessPeer(version ?? ASSUMED_VERSION, this.#keepAlive),
      caller: {
        era: "legacy",
        refuse: refuseQuestions,
        auth,
        tenantId: auth === undefined ? "default" : auth.tenantId,
        sessionId: this.#exposesId ? crypto.randomUUID() : undefined,
        clientCapabilities: undefined,
        clientInfo: undefined,
        logLevel: "debug",
        version: version ?? undefined,
      },
      calls: new Set<RunningCall>(),
      negotiated: version ?? undefined,
      notify() {},
      answer() {
        throw invalidRequestError("Invalid request: nothing was asked");
      },
    };
  }

  listen(): Promise<Response> {
    return Promise.resolve(methodNotAllowed("POST, OPTIONS"));
  }

  end(): Promise<Response> {
    return Promise.resolve(methodNotAllowed("POST, OPTIONS"));
  }

  endStreams(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * The client of a request that is served by itself: nothing is remembered of
 * it, and it cannot be asked anything, for no one knows what it can do.
 */
class StatelessPeer implements PostPeer {
  readonly resumable = false;
  readonly #keepAlive: KeepAlive;

  /**
   * @param version The revision the request says it is written in.
   * @param keepAlive Sends keep-alive comments.
   */
  constructor(readonly version: string, keepAlive: KeepAlive) {
    this.#keepAlive = keepAlive;
  }

  setLogLevel(): Promise<void> {
    return Promise.resolve();
  }

  subscribe(): Promise<void> {
    throw methodNotFound("resources/subscribe");
  }

  unsubscribe(): Promise<void> {
    throw methodNotFound("resources/unsubscribe");
  }

  openStream(_ids: readonly unknown[], onGone: () => void): ClientStream {
    return new ClientStream({ keepAlive: this.#keepAlive, onGone });
  }

  ask(): Promise<never> {
    return Promise.reject(
      invalidRequest("Cannot ask the client for input without a session"),
    );
  }
}
