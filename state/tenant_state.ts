import type { StateBackend } from "./backend.ts";
import type {
  ContextState,
  StateListOptions,
  StatePage,
  StateUpdateOptions,
  StateWriteOptions,
} from "./context_state.ts";
import type { StateSchema } from "./value.ts";
import type { TenantStateOptions } from "./tenant_operations.ts";

// Loaded with the first operation: most calls keep nothing.
let loaded: typeof import("./tenant_operations.ts") | undefined;
/** One load for all: those who wait go on in the order in which they came. */
let loading: Promise<typeof import("./tenant_operations.ts")> | undefined;

/**
 * Gives the state of one tenant in a store.
 *
 * ```ts
 * import { createTenantState, memoryState } from "@parley/mcp/state";
 * import assert from "node:assert/strict";
 *
 * const store = memoryState();
 * const acme = createTenantState(store, "acme");
 * await acme.set("item/1", { count: 2 }, { ttl: 3600 });
 * assert.deepEqual(await acme.take("item/1"), { count: 2 });
 * assert.equal(await acme.take("item/1"), null);
 * ```
 *
 * @param tenantId Any well-formed text. Without one every method rejects with
 *   `invalidRequest`.
 */
export function createTenantState(
  backend: StateBackend,
  tenantId: string | undefined,
  options: TenantStateOptions = {},
): ContextState {
  return loaded === undefined
    ? new FirstState(backend, tenantId, options)
    : loaded.openTenantState(backend, tenantId, options);
}

/** The state of a tenant that was asked for before its operations were loaded. */
class FirstState implements ContextState {
  readonly #backend: StateBackend;
  readonly #tenantId: string | undefined;
  readonly #options: TenantStateOptions;
  #state: ContextState | undefined;

  constructor(
    backend: StateBackend,
    tenantId: string | undefined,
    options: TenantStateOptions,
  ) {
    this.#backend = backend;
    this.#tenantId = tenantId;
    this.#options = options;
  }

  get<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    return this.#state?.get(key, schema!) ??
      this.#first((state) => state.get(key, schema!));
  }

  set(
    key: string,
    value: unknown,
    options?: StateWriteOptions,
  ): Promise<void> {
    return this.#state?.set(key, value, options) ??
      this.#firstSet(key, value, options);
  }

  delete(key: string): Promise<void> {
    return this.#state?.delete(key) ??
      this.#first((state) => state.delete(key));
  }

  deleteMany(keys: readonly string[]): Promise<number> {
    return this.#state?.deleteMany(keys) ??
      this.#first((state) => state.deleteMany(keys));
  }

  getMany<T>(keys: readonly string[]): Promise<Map<string, T>> {
    return this.#state?.getMany<T>(keys) ??
      this.#first((state) => state.getMany<T>(keys));
  }

  setMany(
    entries: ReadonlyMap<string, unknown>,
    options?: StateWriteOptions,
  ): Promise<void> {
    return this.#state?.setMany(entries, options) ??
      this.#firstSetMany(entries, options);
  }

  list(prefix?: string, options?: StateListOptions): Promise<StatePage> {
    return this.#state?.list(prefix, options) ??
      this.#first((state) => state.list(prefix, options));
  }

  take<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    return this.#state?.take(key, schema!) ??
      this.#first((state) => state.take(key, schema!));
  }

  update<T>(
    key: string,
    next: (current: T | null) => T | undefined | Promise<T | undefined>,
    options?: StateUpdateOptions<T>,
  ): Promise<T | null> {
    return this.#state?.update(key, next, options) ??
      this.#first((state) => state.update(key, next, options));
  }

  /** Runs one of the operations that come before the others are there. */
  async #first<T>(run: (state: ContextState) => Promise<T>): Promise<T> {
    // Set by the first who waits, not by the load: what begins between the two
    // must not overtake those who wait.
    const { openTenantState } = loaded ??= await (loading ??= load());
    this.#state ??= openTenantState(
      this.#backend,
      this.#tenantId,
      this.#options,
    );
    return await run(this.#state);
  }

  #firstSet(
    key: string,
    value: unknown,
    options: StateWriteOptions | undefined,
  ): Promise<void> {
    const now = valueNow(value);
    return this.#first((state) => state.set(key, now, options));
  }

  async #firstSetMany(
    entries: ReadonlyMap<string, unknown>,
    options: StateWriteOptions | undefined,
  ): Promise<void> {
    const now = new Map<string, unknown>();
    for (const [key, value] of entries) now.set(key, valueNow(value));
    await this.#first((state) => state.setMany(now, options));
  }
}

/**
 * The JSON form of a value, which does not change when the value does while
 * the write waits. What has none is left for the write to refuse.
 */
function valueNow(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return value;
  }
}

async function load(): Promise<typeof import("./tenant_operations.ts")> {
  try {
    return await import("./tenant_operations.ts");
  } catch (error) {
    // The next operation tries again.
    loading = undefined;
    throw error;
  }
}
