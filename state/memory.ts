import { databaseError } from "../errors.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "./backend.ts";
import type { MemoryStore } from "./memory_store.ts";

/** Options of {@linkcode memoryState}. */
export interface MemoryStateOptions {
  /** The clock, in milliseconds since the epoch. `Date.now` by default. */
  readonly now?: () => number;
}

// Loaded with the first operation: many servers keep nothing.
let loaded: typeof import("./memory_store.ts") | undefined;
/** One load for all: those who wait go on in the order in which they came. */
let loading: Promise<typeof import("./memory_store.ts")> | undefined;

/**
 * Keeps state in this process. It behaves as Deno KV does, limits included,
 * and is empty again after a restart. Each isolate of `deno serve --parallel`
 * has a memory of its own, and so sessions of its own: use `kvState()` there.
 *
 * ```ts
 * import { memoryState } from "@parley/mcp/state";
 * import assert from "node:assert/strict";
 *
 * const state = memoryState();
 * await state.commit({ sets: [{ key: ["note", "a"], value: "1" }] });
 * const [entry] = await state.get([["note", "a"]]);
 * assert.equal(entry?.value, "1");
 * ```
 */
export function memoryState(options: MemoryStateOptions = {}): StateBackend {
  const now = options.now ?? Date.now;
  return loaded === undefined
    ? new MemoryState(now)
    : new loaded.MemoryStore(now);
}

/** A store in memory, whose entries are made when they are first asked for. */
class MemoryState implements StateBackend {
  readonly name = "memory";
  readonly shared = false;
  readonly durable = false;
  readonly #now: () => number;
  #store: MemoryStore | undefined;
  #closed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    return this.#store?.get(keys) ?? this.#first((store) => store.get(keys));
  }

  list(range: StateRange): Promise<StateEntry[]> {
    return this.#store?.list(range) ??
      this.#first((store) => store.list(range));
  }

  commit(write: StateWrite): Promise<boolean> {
    return this.#store?.commit(write) ??
      this.#first((store) => store.commit(write));
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#store?.close() ?? this.#closeUnread();
  }

  /** Runs one of the operations that come before the store is there. */
  async #first<T>(run: (store: MemoryStore) => Promise<T>): Promise<T> {
    if (this.#closed) throw databaseError("The state store is closed");
    // Set by the first who waits, not by the load: what begins between the two
    // must not overtake those who wait.
    const { MemoryStore } = loaded ??= await (loading ??= load());
    this.#store ??= new MemoryStore(this.#now);
    return await run(this.#store);
  }

  /** What was begun before is still done, as it would be with the store there. */
  async #closeUnread(): Promise<void> {
    await loading?.catch(() => undefined);
    await this.#store?.close();
  }
}

async function load(): Promise<typeof import("./memory_store.ts")> {
  try {
    return await import("./memory_store.ts");
  } catch (error) {
    // The next operation tries again.
    loading = undefined;
    throw error;
  }
}
