/**
 * Serves an app over stdio:
 *
 * ```sh
 * deno run jsr:@parley/mcp/stdio ./server.ts
 * ```
 *
 * The server file exports the app by default. Nothing but messages is written
 * to stdout: what the server prints with `console`, `process.stdout` or
 * `Deno.stdout` goes to stderr.
 *
 * @module
 */
import { pathToFileURL } from "node:url";
import type { App } from "./transport/mod.ts";
import { claimStdio } from "./transport/stdio/claim_stdio.ts";
import type { ByteStreams } from "./transport/stdio/serve_stream.ts";

/** How long the server may take to stop after a signal, ms. */
const STOP_MS = 3_000;

/** How long the app may take to close after the connection has ended, ms. */
const CLOSE_MS = 1_000;

/**
 * Serves an app over this process's stdin and stdout until stdin ends, stdout
 * breaks, or SIGINT or SIGTERM comes; then closes the app.
 *
 * Running calls have three seconds to end after stdin has ended. A signal
 * cancels them.
 *
 * @param app The app.
 */
export async function serveStdio(app: App): Promise<void> {
  await serve(app, claimStdio());
}

async function serve(app: App, streams: ByteStreams): Promise<void> {
  const stopped = new AbortController();
  const late = Promise.withResolvers<void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    stopped.abort();
    limit(STOP_MS);
  };
  const limit = (ms: number) => {
    timer ??= setTimeout(late.resolve, ms);
  };
  // Windows knows no SIGTERM.
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, stop);
  try {
    const served = app.serveStream(streams, stopped.signal).then(() => {
      limit(CLOSE_MS);
      return app.close();
    });
    await Promise.race([served, late.promise]);
  } finally {
    clearTimeout(timer);
    for (const signal of signals) Deno.removeSignalListener(signal, stop);
  }
}

async function main(): Promise<never> {
  const [file] = Deno.args;
  if (file === undefined) {
    console.error("Usage: deno run stdio.ts <server file>");
    Deno.exit(2);
  }
  // Before the import, which may print.
  const streams = claimStdio();
  // One letter and a colon is a drive.
  const url = /^[a-z][a-z\d+.-]+:/i.test(file)
    ? file
    : pathToFileURL(file).href;
  const { default: app } = await import(url).catch((error) => {
    console.error(`Cannot load ${file}:`, error);
    Deno.exit(1);
  });
  if (typeof app?.serveStream !== "function") {
    console.error(
      `Cannot serve ${file}: its default export is not an app; write "export default createApp({ ... })"`,
    );
    Deno.exit(1);
  }
  await serve(app, streams);
  // Timers of the server's own must not keep it alive.
  Deno.exit(0);
}

if (import.meta.main) await main();
