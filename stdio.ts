/**
 * Serves an app over stdio:
 *
 * ```sh
 * deno run jsr:@parley/mcp/stdio ./server.ts
 * ```
 *
 * The server file exports the app by default. Nothing but messages is written
 * to stdout: what the server prints with `console` or `process.stdout` goes to
 * stderr.
 *
 * @module
 */
import { Console } from "node:console";
import process from "node:process";
import type { App } from "./transport/mod.ts";

/**
 * Serves an app over this process's stdin and stdout until stdin ends.
 *
 * @param app The app.
 */
export async function serveStdio(app: App): Promise<void> {
  keepStdoutClean();
  await app.serveStream({
    readable: Deno.stdin.readable,
    writable: Deno.stdout.writable,
  });
  await app.close();
}

/** Sends what is printed to stderr, so that stdout carries messages only. */
function keepStdoutClean(): void {
  globalThis.console = new Console(process.stderr) as typeof console;
  Object.defineProperty(process, "stdout", { get: () => process.stderr });
}

async function main(): Promise<never> {
  const [file] = Deno.args;
  if (file === undefined) {
    console.error("Usage: deno run stdio.ts <server file>");
    Deno.exit(2);
  }
  keepStdoutClean();
  const cwd = `file://${Deno.cwd().replaceAll("\\", "/")}/`;
  const { default: app } = await import(new URL(file, cwd).href);
  if (typeof app?.serveStream !== "function") {
    console.error(
      `Cannot serve ${file}: its default export is not an app; write "export default createApp({ ... })"`,
    );
    Deno.exit(1);
  }
  await serveStdio(app);
  // Timers of the server's own must not keep it alive.
  Deno.exit(0);
}

if (import.meta.main) await main();
