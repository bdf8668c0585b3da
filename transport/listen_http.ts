import { configurationError } from "../errors.ts";
import type { FetchHandler } from "./http_request.ts";

/** Where to listen. */
export interface ListenOptions {
  /** The port; 0 for a free one. Default: 8000. */
  readonly port?: number | undefined;
  /** The address. Default: 127.0.0.1, which only this machine reaches. */
  readonly hostname?: string | undefined;
  /** The path that is printed behind the address. Default: `/mcp`. */
  readonly path?: string | undefined;
  /** Called with the URL instead of printing it. */
  readonly onListen?: ((url: string) => void) | undefined;
}

/** A server that listens. */
export interface Listener {
  /** The URL of the endpoint. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** Settles when the server has stopped. */
  readonly finished: Promise<void>;
  /** Stops accepting, and resolves when running calls are done. */
  close(): Promise<void>;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** How often streams are ended while the server stops, ms. */
const END_STREAMS_MS = 100;

/**
 * Serves over HTTP with `Deno.serve`; SIGINT and SIGTERM end it.
 *
 * @param endStreams Ends the streams that last until the server ends them.
 * @throws {McpError} `configurationError` where there is no Deno, or the
 * address cannot be used.
 */
export function listenHttp(
  handler: FetchHandler,
  options: ListenOptions,
  endStreams: () => void,
): Listener {
  if (!("Deno" in globalThis)) {
    throw configurationError(
      "Cannot listen here: app.listen needs Deno; hand app.fetch to the server of this runtime",
    );
  }
  const { port = 8000, hostname = "127.0.0.1", path = "/mcp" } = options;
  const server = serve(handler, port, hostname);
  const { addr } = server;
  const host = addr.hostname.includes(":")
    ? `[${addr.hostname}]`
    : addr.hostname;
  const url = `http://${host}:${addr.port}${path}`;
  if (options.onListen) options.onListen(url);
  else console.error(`Listening on ${url}`);
  let ending: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    endStreams();
    // A stream may open yet, for a request that was on its way.
    ending ??= setInterval(endStreams, END_STREAMS_MS);
    void server.shutdown();
  };
  for (const signal of SIGNALS) Deno.addSignalListener(signal, stop);
  const finished = server.finished.then(() => {
    clearInterval(ending);
    for (const signal of SIGNALS) Deno.removeSignalListener(signal, stop);
  });
  return {
    url,
    port: addr.port,
    finished,
    async close() {
      stop();
      await finished;
    },
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
