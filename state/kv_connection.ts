import { KvCalls } from "./kv_calls.ts";
import { KvReader } from "./kv_reader.ts";
import type { KvStore } from "./kv_store.ts";
import { KvWriter } from "./kv_writer.ts";
import { openKv } from "./open_kv.ts";

/** Options of {@linkcode connectKv}. */
export interface KvConnectionOptions {
  /** What to open, as `kvState` takes it, or an open store. */
  readonly target: string | KvStore | undefined;
  /** The access token for a KV Connect URL; otherwise that of the environment. */
  readonly accessToken: string | undefined;
  /** How long to wait for a busy or silent store, in milliseconds. */
  readonly timeout: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** An open store and those who work on it; `kv_record.ts` says how state lies there. */
export interface KvConnection {
  /** The store. */
  readonly store: KvStore;
  /** Whether the data is shared with other processes and outlives this one. */
  readonly lasting: boolean;
  /** Reads state out of it. */
  readonly reader: KvReader;
  /** Writes state into it. */
  readonly writer: KvWriter;
}

/**
 * Opens a store, unless it is open already.
 *
 * @throws {McpError} `configurationError` saying what is in the way.
 */
export async function connectKv(
  options: KvConnectionOptions,
): Promise<KvConnection> {
  const { target, timeout, now } = options;
  const { store, lasting } = target === undefined || typeof target === "string"
    ? await openKv(target, options)
    : { store: target, lasting: true };
  const calls = new KvCalls(timeout);
  const reader = new KvReader(store, calls, now);
  const writer = new KvWriter(store, reader, calls, now);
  return { store, lasting, reader, writer };
}
