import { getLogger } from "@logtape/logtape";
import { configureLogging } from "../context/log/configure.ts";
import { configurationError } from "../errors.ts";
import { createAuthenticator } from "./auth/mod.ts";
import { type AppConfig, resolveConfig } from "./config.ts";
import { createEngine } from "./create_engine.ts";
import type { Engine } from "./engine.ts";
import { readEnvironment } from "./environment.ts";
import {
  createEventBus,
  createNotifier,
  type EventBus,
  type Notifier,
} from "./event_bus.ts";
import { createGuard } from "./guard.ts";
import { createHttpHandler } from "./http.ts";
import type { FetchHandler, LegacyHttp } from "./http_request.ts";
import { KeepAlive } from "./keep_alive.ts";
import { createLegacyHttp } from "./legacy/http.ts";
import {
  type Listener,
  listenHttp,
  type ListenOptions,
} from "./listen_http.ts";
import type { AppOptions } from "./options.ts";
import type { RetryLaterError } from "./retry_later.ts";
import { createSharedBus } from "./shared_bus.ts";
import { type ByteStreams, StreamService } from "./stdio/serve_stream.ts";
import { openTelemetry } from "./telemetry/open_telemetry.ts";

/** An MCP server: definitions, and the ways to serve them. */
export interface App {
  /** Answers HTTP requests; what `deno serve` and every fetch router take. */
  readonly fetch: FetchHandler;
  /** Publishes events from outside any request. */
  readonly notify: Notifier;
  /**
   * Serves over HTTP until the app is closed, SIGINT or SIGTERM. Deno only.
   *
   * @throws {McpError} `configurationError` when it cannot start.
   */
  listen(options?: ListenOptions): Promise<Listener>;
  /**
   * Serves one connection of newline-delimited messages, such as stdio, until
   * its input ends, its output breaks, or the app is closed. Calls that run
   * then have three seconds to end, and are cancelled afterwards.
   *
   * @param signal Ends the connection at once, and cancels what is running.
   * @returns When everything that was asked has been answered.
   */
  serveStream(streams: ByteStreams, signal?: AbortSignal): Promise<void>;
  /** Ends listeners and streams, lets running calls finish, and lets go of the store. */
  close(): Promise<void>;
}

/**
 * Makes an app of its definitions.
 *
 * @example A server
 * ```ts
 * import { createApp, tool, z } from "@parley/mcp";
 * import assert from "node:assert/strict";
 *
 * const greet = tool("greet", {
 *   input: z.object({ name: z.string() }),
 *   output: z.object({ greeting: z.string() }),
 *   handler: ({ name }) => ({ greeting: `Hello, ${name}` }),
 * });
 * const app = createApp({ name: "hello", version: "1.0.0", tools: [greet] });
 * assert.equal((await app.fetch(new Request("http://localhost/"))).status, 404);
 * ```
 *
 * @param options The definitions, and how they are served.
 * @throws {TypeError} When a definition cannot be served; says which and why.
 * @throws {McpError} `configurationError` when an option or a variable is invalid.
 */
export function createApp(options: AppOptions): App {
  return new ParleyApp(options);
}

class ParleyApp implements App {
  readonly fetch: FetchHandler;
  readonly notify: Notifier;
  readonly #options: AppOptions;
  readonly #config: AppConfig;
  readonly #engine: Engine;
  readonly #bus: EventBus;
  readonly #legacy: LegacyHttp;
  readonly #listeners = new Set<Listener>();
  readonly #streams = new Map<StreamService, Promise<void>>();
  readonly #status: { refusal: RetryLaterError | undefined } = {
    refusal: undefined,
  };
  #ready: Promise<void> | undefined;
  #isReady = false;

  constructor(options: AppOptions) {
    const config = resolveConfig(options, readEnvironment);
    this.#config = config;
    this.#options = options;
    this.#bus = options.eventBus ?? createBus(config);
    this.#engine = createEngine(options, config, this.#bus);
    this.notify = createNotifier(this.#bus);
    const keepAlive = new KeepAlive(config.keepAliveMs);
    const authenticator = createAuthenticator(config.auth, {
      publicUrl: options.publicUrl,
      path: config.path,
      resourceName: options.title ?? options.name,
    });
    this.#legacy = createLegacyHttp(this.#engine, config, {
      keepAlive,
      authenticator,
    });
    const handle = createHttpHandler(this.#engine, {
      path: config.path,
      healthPath: config.healthPath,
      status: this.#status,
      guard: createGuard(config),
      maxBodyBytes: config.maxBodyBytes,
      keepAlive,
      authenticator,
      legacy: this.#legacy,
    });
    this.fetch = (request, info) =>
      this.#isReady
        ? handle(request, info)
        : this.#startHttp().then(() => handle(request, info));
  }

  async listen(options: ListenOptions = {}): Promise<Listener> {
    await this.#startHttp();
    const { subscriptions } = this.#engine;
    const endStreams = () => {
      subscriptions.endAll();
      this.#legacy.endStreams();
    };
    const listener = listenHttp(this.fetch, options, endStreams);
    this.#listeners.add(listener);
    listener.finished.then(() => this.#listeners.delete(listener));
    return listener;
  }

  async serveStream(
    streams: ByteStreams,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#start();
    const service = new StreamService(this.#engine, streams);
    const abort = () => service.abort();
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    const done = service.run();
    this.#streams.set(service, done);
    await done;
    this.#streams.delete(service);
    signal?.removeEventListener("abort", abort);
  }

  async close(): Promise<void> {
    this.#engine.subscriptions.close();
    this.#legacy.endStreams();
    for (const service of this.#streams.keys()) service.end();
    await Promise.all([
      ...Array.from(this.#listeners, (listener) => listener.close()),
      ...this.#streams.values(),
    ]);
    await this.#legacy.close();
    await this.#bus.close?.();
    await this.#engine.services.backend.close();
  }

  /** @throws {McpError} When HTTP cannot be served as the server needs it. */
  async #startHttp(): Promise<void> {
    const { requireSessions, sessionMode } = this.#config;
    if (requireSessions && sessionMode === "stateless") {
      throw configurationError(
        "Cannot serve over HTTP: the server requires sessions, and the session mode is stateless; set MCP_SESSION_MODE to stateful or auto",
      );
    }
    await this.#start();
  }

  #start(): Promise<void> {
    return this.#ready ??= this.#setup();
  }

  async #setup(): Promise<void> {
    const { state, stateChosen, stateWarning, logLevel } = this.#config;
    configureLogging({ level: logLevel });
    this.#engine.telemetry = await openTelemetry();
    if (stateChosen) await state.open?.();
    if (stateWarning !== undefined) {
      getLogger(["parley"]).warning("{warning}", { warning: stateWarning });
    }
    await this.#options.setup?.(this);
    this.#isReady = true;
  }
}

/** The bus of an app that was given none: as far as its store reaches. */
function createBus({ state }: AppConfig): EventBus {
  const local = createEventBus();
  return state.shared ? createSharedBus(state, local) : local;
}
