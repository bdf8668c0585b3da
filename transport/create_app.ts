import type { App, ServedAddress } from "./app.ts";
import type { LogCategory } from "../context/log/process_line.ts";
import {
  configureProcessLog,
  isLogTapeLoaded,
  loadProcessLog,
  logProcess,
  processLogWritten,
} from "../context/log/process_log.ts";
import { configurationError, ErrorCode, McpError } from "../errors.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { createAuthenticator } from "./auth/create_authenticator.ts";
import { type AppConfig, resolveConfig } from "./config.ts";
import { createEngine } from "./create_engine.ts";
import type { Engine } from "./engine.ts";
import { openEnvironment } from "./settings.ts";
import {
  createEventBus,
  createNotifier,
  createSharedBus,
  type EventBus,
  type Notifier,
} from "./event_bus.ts";
import { checkExposure, createGuard, urlOf } from "./guard.ts";
import { createHttpHandler } from "./http.ts";
import type { FetchHandler, LegacyHttp } from "./http_request.ts";
import { LazyLegacy } from "./lazy_legacy.ts";
import type { Listener, listenHttp, ListenOptions } from "./listen_http.ts";
import type { AppOptions } from "./options.ts";
import { ABORT_MS, settledWithin } from "./running_calls.ts";
import type { Refusal } from "./serving_status.ts";
import { catchStrays, exitProcess, fatal, watchSignals } from "./process.ts";
import { KeepAlive } from "./sse.ts";
import type { ByteStreams, StreamService } from "./stdio/serve_stream.ts";

const SERVER: LogCategory = ["parley"];
const AUTH: LogCategory = ["parley", "auth"];
/** Where OpenTelemetry 1.x is found, when someone registered with it. */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

/** An app: what its definitions compile to, and the state it is in. */
class ParleyApp implements App {
  readonly fetch: FetchHandler;
  readonly onListen: (address: ServedAddress) => void;
  readonly notify: Notifier;
  readonly #options: AppOptions;
  readonly #config: AppConfig;
  readonly #engine: Engine;
  readonly #bus: EventBus;
  readonly #legacy: LegacyHttp;
  readonly #listeners = new Set<Listener>();
  readonly #streams = new Map<StreamService, Promise<void>>();
  readonly #status: { refusal: Refusal | undefined } = { refusal: undefined };
  readonly #authenticator: Authenticator | undefined;
  #ready: Promise<void> | undefined;
  #settling: Promise<void> | undefined;
  #isSettled = false;
  #hasFailed = false;
  #opening: Promise<unknown> | undefined;
  #closing: Promise<void> | undefined;
  #unwatchSignals: (() => void) | undefined;
  #releaseStrays: (() => void) | undefined;

  constructor(options: AppOptions) {
    const config = resolveConfig(options, openEnvironment());
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
      log: (level, message, properties) => {
        if (!this.#engine.services.logFloor.allows(level)) return;
        logProcess(AUTH, level, message, properties);
      },
    });
    this.#authenticator = authenticator;
    this.#legacy = new LazyLegacy(async () => {
      const { createLegacyHttp } = await import("./legacy/http.ts");
      const services = { keepAlive, authenticator };
      return createLegacyHttp(this.#engine, config, services);
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
      this.#isSettled
        ? handle(request, info)
        : this.#settle().then(() => handle(request, info));
    this.onListen = (address) => void this.#served(address);
  }

  async listen(options: ListenOptions = {}): Promise<Listener> {
    try {
      if (this.#closing !== undefined) {
        throw configurationError("Cannot listen: the app was closed");
      }
      const opening = this.#open(options);
      // For close(), which has to end what is about to listen, too.
      this.#opening = Promise.allSettled([this.#opening, opening]);
      return await opening;
    } catch (error) {
      throw fatal(error);
    }
  }

  async #open(options: ListenOptions): Promise<Listener> {
    // Loaded when it is needed: `deno serve` listens by itself.
    const [{ listenHttp }] = await Promise.all([
      import("./listen_http.ts"),
      this.#startHttp(),
    ]);
    return this.#listen(listenHttp, options);
  }

  #listen(listen: typeof listenHttp, options: ListenOptions): Listener {
    const { hostname = "127.0.0.1", signals = true } = options;
    checkExposure(hostname, this.#authenticator);
    const { closeTimeoutMs } = this.#config;
    const path = options.path ?? this.#shownPath();
    const listener = listen(this.fetch, { ...options, path }, {
      closeTimeoutMs,
      endStreams: () => this.#endStreams(),
      abortCalls: () => this.#abortCalls(),
    });
    if (signals) this.#watchSignals();
    this.#listeners.add(listener);
    listener.finished.then(() => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#releaseSignals();
    });
    return listener;
  }

  async serveStream(
    streams: ByteStreams,
    signal?: AbortSignal,
  ): Promise<void> {
    // Loaded when it is needed: most apps are served in one way.
    const { StreamService } = await import("./stdio/serve_stream.ts");
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

  close(): Promise<void> {
    return this.#closing ??= this.#shutDown();
  }

  async #shutDown(): Promise<void> {
    this.#status.refusal ??= "shutting_down";
    await Promise.allSettled([this.#ready, this.#opening]);
    this.#engine.closed = true;
    this.#endStreams();
    for (const service of this.#streams.keys()) service.end();
    await Promise.all([
      ...Array.from(this.#listeners, (listener) => listener.close()),
      ...this.#streams.values(),
      this.#drain(),
    ]);
    await this.#legacy.close();
    await this.#bus.close?.();
    await this.#engine.services.backend.close();
    this.#releaseSignals();
    this.#releaseStrays?.();
    await processLogWritten();
  }

  /** Waits for handlers, also those that no listener of ours knows of. */
  async #drain(): Promise<void> {
    const { running } = this.#engine.services;
    const { closeTimeoutMs } = this.#config;
    if (await settledWithin(closeTimeoutMs, running.idle())) return;
    this.#abortCalls();
    await settledWithin(ABORT_MS, running.idle());
  }

  #endStreams(): void {
    this.#engine.subscriptions?.endAll();
    this.#legacy.endStreams();
  }

  #abortCalls(): void {
    this.#engine.services.running.abortAll(
      new DOMException("The server is shutting down", "AbortError"),
    );
  }

  #watchSignals(): void {
    const { closeTimeoutMs } = this.#config;
    this.#unwatchSignals ??= watchSignals(() => this.close(), closeTimeoutMs);
  }

  #releaseSignals(): void {
    this.#unwatchSignals?.();
    this.#unwatchSignals = undefined;
  }

  /** `deno serve` listens, and leaves the rest to the app. */
  async #served({ hostname, port }: ServedAddress): Promise<void> {
    // A socket in the file system has neither.
    if (hostname !== undefined && port !== undefined) {
      console.error(
        `Listening on ${urlOf({ hostname, port }, this.#shownPath())}`,
      );
    }
    this.#watchSignals();
    await this.#settle(hostname);
    if (this.#hasFailed) exitProcess(1);
  }

  #shownPath(): string {
    return this.#config.path === "*" ? "/" : this.#config.path;
  }

  /** Starts, or takes note that requests cannot be served; never rejects. */
  #settle(hostname?: string): Promise<void> {
    return this.#settling ??= this.#trySettle(hostname);
  }

  async #trySettle(hostname: string | undefined): Promise<void> {
    try {
      if (this.#closing === undefined) await this.#startHttp();
      if (hostname !== undefined) checkExposure(hostname, this.#authenticator);
    } catch (error) {
      this.#hasFailed = true;
      this.#status.refusal ??= "not_started";
      const reason = error instanceof Error ? error.message : String(error);
      logProcess(SERVER, "error", "The server cannot start: {reason}", {
        reason,
        error,
      });
      await processLogWritten();
    }
    this.#isSettled = true;
  }

  /** @throws {McpError} When HTTP cannot be served as the server needs it. */
  async #startHttp(): Promise<void> {
    const { requireSessions, sessionMode, logLevel } = this.#config;
    configureProcessLog({ level: logLevel });
    if (requireSessions && sessionMode === "stateless") {
      throw configurationError(
        "Cannot serve over HTTP: the server requires sessions, and the session mode is stateless; set MCP_SESSION_MODE to stateful or auto",
      );
    }
    await this.#start();
  }

  #start(): Promise<void> {
    return this.#ready ??= this.#setup().catch((error) => {
      throw fatal(error);
    });
  }

  async #setup(): Promise<void> {
    const { state, stateChosen, stateWarning, logLevel, limits } = this.#config;
    configureProcessLog({ level: logLevel });
    // An application that uses LogTape itself gets each line at once.
    if (isLogTapeLoaded()) await loadProcessLog();
    this.#releaseStrays = catchStrays();
    if (OPEN_TELEMETRY in globalThis) {
      const { openTelemetry } = await import("./telemetry/open_telemetry.ts");
      this.#engine.telemetry = await openTelemetry();
    }
    if (limits !== undefined) {
      // Loaded now, so that no call has to wait for it.
      const { createLimits } = await import("./create_limits.ts");
      this.#engine.limits = createLimits(limits);
    }
    if (stateChosen) await state.open?.();
    if (stateWarning !== undefined) {
      logProcess(SERVER, "warning", "{warning}", { warning: stateWarning });
    }
    try {
      await this.#options.setup?.(this);
    } catch (cause) {
      throw setupError(cause);
    }
  }
}

/** The error of a `setup` that failed; one that speaks of the configuration says enough. */
function setupError(cause: unknown): McpError {
  if (
    cause instanceof McpError && cause.code === ErrorCode.ConfigurationError
  ) {
    return cause;
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return configurationError(
    `The setup of the app failed: ${reason}`,
    undefined,
    {
      cause,
    },
  );
}

/** The bus of an app that was given none: as far as its store reaches. */
function createBus({ state }: AppConfig): EventBus {
  const local = createEventBus();
  return state.shared ? createSharedBus(state, local) : local;
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
