import type { Notifier } from "./event_bus.ts";
import type { FetchHandler } from "./http_request.ts";
import type { Listener, ListenOptions } from "./listen_http.ts";
import type { ByteStreams } from "./stdio/serve_stream.ts";

/** An MCP server: definitions, and the ways to serve them. */
export interface App {
  /**
   * Answers HTTP requests; what `deno serve` and every fetch router take. A
   * server that could not start answers 503, and its log says why.
   */
  readonly fetch: FetchHandler;
  /**
   * Called by `deno serve` when it listens: starts the app at once, and ends
   * the process when it cannot start. SIGINT and SIGTERM close the app.
   */
  readonly onListen: (address: ServedAddress) => void;
  /** Publishes events from outside any request. */
  readonly notify: Notifier;
  /**
   * Serves over HTTP until the app is closed, SIGINT or SIGTERM; a second
   * signal ends the process at once. Deno only.
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
  /**
   * Stops accepting, ends streams, lets running calls finish within
   * `closeTimeoutMs`, then aborts their `ctx.signal`, and lets go of the store.
   */
  close(): Promise<void>;
}

/** Where `deno serve` listens. */
export interface ServedAddress {
  /** The address. */
  readonly hostname?: string;
  /** The port. */
  readonly port?: number;
}
