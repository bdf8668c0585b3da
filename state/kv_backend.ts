import { databaseError } from "../errors.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "./backend.ts";
import { KvCalls } from "./kv_calls.ts";
import { KvReader } from "./kv_reader.ts";
import type { KvStore } from "./kv_store.ts";
import { KvWriter } from "./kv_writer.ts";
import type { OpenedKv } from "./open_kv.ts";

/** What a {@linkcode KvBackend} is made of. */
export interface KvBackendOptions {
  /** Opens the store; called again after it failed, and never twice at a time. */
  readonly open: () => Promise<OpenedKv>;
  /** Whether `close` closes the store. */
  readonly owned: boolean;
  /** What to take for `shared` and `durable` until the store is open. */
  readonly lasting: boolean;
  /** How long to wait for a busy or silent store, in milliseconds. */
  readonly timeout: number;
  /** The clock, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** An open store and those who work on it. */
interface Connection {
  readonly store: KvStore;
  readonly reader: KvReader;
  readonly writer: KvWriter;
}

/** State in Deno KV; `kv_record.ts` says how it lies there. */
export class KvBackend implements StateBackend {
  readonly name = "kv";
  readonly #options: KvBackendOptions;
  readonly #calls: KvCalls;
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #closed = false;
  #lasting: boolean;

  constructor(options: KvBackendOptions) {
    this.#options = options;
    this.#calls = new KvCalls(options.timeout);
    this.#lasting = options.lasting;
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
    if (this.#options.owned) connection?.store.close();
  }

  #connect(): Promise<Connection> {
    if (this.#closed) {
      return Promise.reject(databaseError("The state store is closed"));
    }
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Connection> {
    const { store, lasting } = await this.#options.open();
    const { now } = this.#options;
    const reader = new KvReader(store, this.#calls, now);
    const writer = new KvWriter(store, reader, this.#calls, now);
    const connection = { store, reader, writer };
    if (!this.#closed) this.#connection = connection;
    this.#lasting = lasting;
    return connection;
  }
}
