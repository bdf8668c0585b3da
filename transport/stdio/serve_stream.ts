import type { Engine } from "../engine.ts";
import { StreamConnection } from "./connection.ts";
import { readLines } from "./line_reader.ts";
import { LineWriter } from "./line_writer.ts";

/** The two directions of a connection. */
export interface ByteStreams {
  /** What the client writes. */
  readonly readable: ReadableStream<Uint8Array>;
  /** What the client reads. */
  readonly writable: WritableStream<Uint8Array>;
}

/** How long calls may go on after the input has ended, ms. */
const DRAIN_MS = 2_000;

/** How long cancelled calls may take to notice, ms. */
const ABORT_MS = 500;

/**
 * Serves newline-delimited messages (2026-07-28, basic, transports, stdio)
 * until the input ends or the other end is gone.
 */
export async function serveStream(
  engine: Engine,
  { readable, writable }: ByteStreams,
): Promise<void> {
  const writer = new LineWriter(writable);
  const connection = new StreamConnection(engine, (line) => writer.write(line));
  try {
    for await (const line of readLines(readable)) {
      connection.receive(line);
      await writer.ready();
      if (writer.broken) break;
    }
  } finally {
    connection.end();
    if (!writer.broken) await within(DRAIN_MS, connection.idle());
    connection.cancelAll(new DOMException("The client is gone", "AbortError"));
    await within(ABORT_MS, connection.idle());
    await within(DRAIN_MS, writer.drained());
    writer.release();
  }
}

/** Waits for a promise, but no longer than `ms`. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
