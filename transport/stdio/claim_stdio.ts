import { Console } from "node:console";
import process from "node:process";
import type { ByteStreams } from "./serve_stream.ts";

/**
 * Takes the standard streams of this process for messages, and sends to
 * stderr what else is written to stdout (2026-07-28, basic, transports, stdio: stdout
 * carries messages only): by `console`, `process.stdout` and `Deno.stdout`.
 *
 * What writes to file descriptor 1 past these is out of reach: a worker's
 * `console`, `fs.writeSync(1)`, and child processes that inherit stdout.
 */
export function claimStdio(): ByteStreams {
  const { stdin, stdout } = Deno;
  // The object itself is changed, for others may hold it already.
  Object.assign(console, new Console(process.stderr));
  Object.assign(process.stdout, {
    write: process.stderr.write.bind(process.stderr),
    end: process.stderr.write.bind(process.stderr),
  });
  Object.defineProperty(Deno, "stdout", { value: Deno.stderr });
  return { readable: stdin.readable, writable: stdout.writable };
}
