import { refuseQuestions } from "../../input/capabilities.ts";
import type { AppConfig } from "../config.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest } from "../http_request.ts";
import { methodNotAllowed } from "../http_response.ts";
import { invalidRequestError, type RpcRequest } from "../json_rpc.ts";
import type { KeepAlive } from "../sse.ts";
import type { LegacyClients, LegacyHttpClient } from "./clients.ts";
import { initializeResult, readInitialize } from "./initialize.ts";
import type { RunningCall } from "./running_call.ts";
import { readParams } from "./serve.ts";
import { StatelessPeer } from "./stateless_peer.ts";

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
