import { databaseError } from "../errors.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "./backend.ts";
import type { KvConnection, KvConnectionOptions } from "./open_kv.ts";
import type { KvStore } from "./kv_store.ts";

/** Options of {@linkcode kvState}. */
export interface KvStateOptions {
  /**
   * The access token for a KV Connect URL. Otherwise the environment variable
   * `DENO_KV_ACCESS_TOKEN` is used.
   */
  readonly accessToken?: string;
  /**
   * How long to wait for a store that is busy or silent, in milliseconds.
   * 10,000 by default.
   */
  readonly timeout?: number;
  /** The clock, in milliseconds since the epoch. `Date.now` by default. */
  readonly now?: () => number;
}

/** The longest timer there is. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * Keeps state in Deno KV.
 *
 * Nothing is opened before `open()` or the first use, so a server that keeps no
 * state starts without KV.
 *
 * ```ts
 * import { kvState } from "@parley/mcp/state";
 * import assert from "node:assert/strict";
 *
 * const state = kvState(":memory:");
 * await state.commit({ sets: [{ key: ["note", "a"], value: "1" }] });
 * const [entry] = await state.get([["note", "a"]]);
 * assert.equal(entry?.value, "1");
 * await state.close();
 * ```
 *
 * @param target Nothing for the default database of the program, the path of a
 *   file, `":memory:"`, a KV Connect URL, or an open `Deno.Kv`, which is never
 *   closed here.
 * @throws {RangeError} When `timeout` is out of range.
 * @throws {McpError} `configurationError` from `open()` and from the first use
 *   when the database cannot be had.
 */
export function kvState(
  target?: string | KvStore,
  options: KvStateOptions = {},
): StateBackend {
  const { timeout = 10_000, now = Date.now, accessToken } = options;
  if (!(timeout >= 1 && timeout <= LONGEST_TIMEOUT)) {
    throw new RangeError(
      `The timeout is ${timeout}; it takes 1 to ${LONGEST_TIMEOUT} milliseconds`,
    );
  }
  return new KvState({ target, accessToken, timeout, now });
}

class KvState implements StateBackend {
  readonly name = "kv";
  readonly #options: KvConnectionOptions;
  #connection: KvConnection | undefined;
  #opening: Promise<KvConnection> | undefined;
  #closed = false;
  #lasting: boolean;

  constructor(options: KvConnectionOptions) {
    this.#options = options;
    this.#lasting = options.target !== ":memory:";
  }

  get shared(): boolean {
    return this.#lasting;
  }

  get durable(): boolean {
    return this.#lasting;
  }

  async open(): Promise<void> {
    await this.#connect();
  }

  async get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    const { reader } = this.#connection ?? await this.#connect();
    return await reader.get(keys);
  }

  async list(range: StateRange): Promise<StateEntry[]> {
    const { reader } = this.#connection ?? await this.#connect();
    return await reader.list(range);
  }

  async commit(write: StateWrite): Promise<boolean> {
    const { writer } = this.#connection ?? await this.#connect();
    return await writer.commit(write);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection = undefined;
    const connection = await this.#opening?.catch(() => undefined);
    const { target } = this.#options;
    const isOwn = target === undefined || typeof target === "string";
    if (isOwn) connection?.store.close();
  }

  #connect(): Promise<KvConnection> {
    if (this.#closed) {
      return Promise.reject(databaseError("The state store is closed"));
    }
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<KvConnection> {
    const { connectKv } = await import("./open_kv.ts");
    const connection = await connectKv(this.#options);
    if (!this.#closed) this.#connection = connection;
    this.#lasting = connection.lasting;
    return connection;
  }
}
