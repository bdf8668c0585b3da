import { configurationError } from "../errors.ts";
import { urlOf } from "./guard.ts";
import type { FetchHandler } from "./http_request.ts";
import { ABORT_MS, settledWithin } from "./running_calls.ts";

/** Where to listen. */
export interface ListenOptions {
  /** The port; 0 for a free one. Default: 8000. */
  readonly port?: number | undefined;
  /** The address. Default: 127.0.0.1, which only this machine reaches. */
  readonly hostname?: string | undefined;
  /** The path that is printed behind the address. Default: the app's. */
  readonly path?: string | undefined;
  /** Called with the URL instead of printing it. */
  readonly onListen?: ((url: string) => void) | undefined;
  /**
   * Whether SIGINT and SIGTERM close the app, and a second one ends the process
   * at once. Default: true.
   */
  readonly signals?: boolean | undefined;
}

/** A server that listens. */
export interface Listener {
  /** The URL of the endpoint. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** Settles when the server has stopped. */
  readonly finished: Promise<void>;
  /**
   * Stops accepting, ends the streams, and resolves when running calls are
   * done, or have had their time.
   */
  close(): Promise<void>;
}

/** How {@linkcode listenHttp} stops. */
export interface ListenHooks {
  /** Milliseconds that running calls have to finish. */
  readonly closeTimeoutMs: number;
  /** Ends the streams that last until the server ends them. */
  endStreams(): void;
  /** Tells the calls that are still running to stop. */
  abortCalls(): void;
}

/** How often streams are ended while the server stops, ms. */
const END_STREAMS_MS = 100;

/**
 * Serves over HTTP with `Deno.serve`.
 *
 * @throws {McpError} `configurationError` where there is no Deno, or the
 * address cannot be used.
 */
export function listenHttp(
  handler: FetchHandler,
  options: ListenOptions,
  hooks: ListenHooks,
): Listener {
  if (!("Deno" in globalThis)) {
    throw configurationError(
      "Cannot listen here: app.listen needs Deno; hand app.fetch to the server of this runtime",
    );
  }
  const { port = 8000, hostname = "127.0.0.1", path = "/mcp" } = options;
  const server = serve(handler, port, hostname);
  const url = urlOf(server.addr, path);
  if (options.onListen) options.onListen(url);
  else console.error(`Listening on ${url}`);
  const stopped = Promise.withResolvers<void>();
  server.finished.then(stopped.resolve);

  async function stop(): Promise<void> {
    hooks.endStreams();
    // A stream may open yet, for a request that was on its way.
    const ending = setInterval(() => hooks.endStreams(), END_STREAMS_MS);
    const shutdown = server.shutdown();
    if (!await settledWithin(hooks.closeTimeoutMs, shutdown)) {
      hooks.abortCalls();
      await settledWithin(ABORT_MS, shutdown);
    }
    clearInterval(ending);
    // What has not ended by now is left behind: Deno cannot cut it off.
    stopped.resolve();
  }

  let stopping: Promise<void> | undefined;
  return {
    url,
    port: server.addr.port,
    finished: stopped.promise,
    close: () => stopping ??= stop(),
  };
}

function serve(
  handler: FetchHandler,
  port: number,
  hostname: string,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ port, hostname, onListen() {} }, handler);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw configurationError(
      `Cannot listen on ${hostname}:${port}: ${reason}`,
      undefined,
      { cause },
    );
  }
}
