// The one file of the state that works with Deno.
import { KvCalls } from "./kv_calls.ts";
import { KvReader } from "./kv_reader.ts";
import type { KvStore } from "./kv_store.ts";
import { KvWriter } from "./kv_writer.ts";
import { configurationError, type McpError } from "../errors.ts";

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

/** Options of {@linkcode openKv}. */
export interface OpenKvOptions {
  /** The access token for a KV Connect URL; otherwise that of the environment. */
  readonly accessToken: string | undefined;
  /** How long to wait for the database, in milliseconds. */
  readonly timeout: number;
}

/** A Deno KV that can be written to. */
export interface OpenedKv {
  /** The store. */
  readonly store: KvStore;
  /** Whether the data is shared with other processes and outlives this one. */
  readonly lasting: boolean;
}

/**
 * Opens Deno KV and makes sure that it can be written to.
 *
 * @param target A path, `":memory:"`, a KV Connect URL, or nothing for the default.
 * @throws {McpError} `configurationError` saying what is in the way.
 */
export async function openKv(
  target: string | undefined,
  options: OpenKvOptions,
): Promise<OpenedKv> {
  if (globalThis.Deno?.openKv === undefined) {
    throw configurationError(
      'Deno KV is not available: run with --unstable-kv or put "unstable": ["kv"] into deno.json, or keep state in memory with MCP_STATE=memory',
    );
  }
  const opening = start(target, options.accessToken);
  const ready = opening.then(async (kv) => {
    try {
      // The first write finds out what opening does not: a lock, a broken file.
      await kv.delete(["parley/probe"]);
      return kv;
    } catch (error) {
      kv.close();
      throw error;
    }
  });
  try {
    const store = await within(ready, options.timeout);
    return { store, lasting: isLasting(target) };
  } catch (error) {
    // Closing blocks the process while the store waits for a lock, so a silent
    // store is closed when it speaks.
    if (error instanceof SilentError) {
      void ready.then((kv) => kv.close(), () => {});
    }
    throw explain(target, error);
  }
}

/** The store did not answer in time. */
class SilentError extends Error {}

async function within<T>(promise: Promise<T>, limit: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new SilentError()), limit);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

async function start(
  target: string | undefined,
  accessToken: string | undefined,
): Promise<Deno.Kv> {
  if (accessToken === undefined) return await Deno.openKv(target);
  // Deno takes the token from the environment only, and reads it before
  // openKv() returns its promise. So it stands there for just that long, and
  // no other call can meet it.
  const name = "DENO_KV_ACCESS_TOKEN";
  const before = Deno.env.get(name);
  Deno.env.set(name, accessToken);
  let opening: Promise<Deno.Kv>;
  try {
    opening = Deno.openKv(target);
  } finally {
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
  return await opening;
}

/** Whether a database that could be opened is more than this process's memory. */
function isLasting(target: string | undefined): boolean {
  if (target !== undefined) return target !== ":memory:";
  // Told to, Deno puts up with memory where no database is attached.
  const variable = "DENO_KV_REQUIRES_DISTRIBUTED_DATABASE";
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state !== "granted" || Deno.env.get(variable) !== "warn";
}

/** What is in the way, by the texts that Deno and SQLite give. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [
    /no KV database is attached/,
    "no KV database is attached to this deployment; attach one, or keep state in memory with MCP_STATE=memory",
  ],
  [
    /Missing DENO_KV_ACCESS_TOKEN/,
    "the access token is missing; set DENO_KV_ACCESS_TOKEN",
  ],
  [/status 40[13]/, "the server refused the access token"],
  [/failed to connect|metadata/, "the server does not answer as KV Connect"],
  [/is locked/, "another process has locked it"],
  [/readonly|read-only/, "it is read-only; the server needs to write to it"],
  [
    /not a database|malformed|already exists|[Dd]atabase is closed/,
    "the file is damaged or is not a Deno KV database",
  ],
  [
    /unable to open/,
    "the file cannot be opened; its folder must exist and be writable",
  ],
];

function explain(target: string | undefined, error: unknown): McpError {
  const what = describe(target);
  const message = error instanceof Error ? error.message : String(error);
  let why = CAUSES.find(([pattern]) => pattern.test(message))?.[1] ??
    `it failed with ${error instanceof Error ? error.name : "an error"}`;
  if (error instanceof SilentError) {
    why = isUrl(target)
      ? "the server did not answer"
      : "another process has locked it";
  } else if (error instanceof Deno.errors.NotCapable) {
    why = "permission is missing; --allow-read and --allow-write are needed " +
      "for a file, --allow-net and --allow-env for a URL";
  }
  return configurationError(
    `The state store, ${what}, cannot be opened: ${why}`,
    undefined,
    { cause: error },
  );
}

function describe(target: string | undefined): string {
  if (target === undefined) return "the default Deno KV database";
  if (!isUrl(target)) return `the Deno KV database "${target}"`;
  // A URL can carry a password or a token, which are not for showing.
  const url = URL.parse(target!);
  return `the Deno KV database at ${
    url ? url.origin + url.pathname : "the URL"
  }`;
}

function isUrl(target: string | undefined): boolean {
  return /^https?:/.test(target ?? "");
}
