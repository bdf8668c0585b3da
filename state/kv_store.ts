/** A key in Deno KV, as far as it is used here. */
export type KvKey = readonly (string | number)[];

/** An entry of Deno KV; `versionstamp` is `null` where there is none. */
export interface KvEntry {
  /** Where it is. */
  readonly key: readonly unknown[];
  /** What is stored. */
  readonly value: unknown;
  /** Its version. */
  readonly versionstamp: string | null;
}

/** The atomic operation of Deno KV. */
export interface KvAtomic {
  /** Adds a condition. */
  check(check: { key: KvKey; versionstamp: string | null }): this;
  /** Adds a write. */
  set(key: KvKey, value: unknown, options?: { expireIn?: number }): this;
  /** Adds a removal. */
  delete(key: KvKey): this;
  /** Does it. */
  commit(): Promise<{ ok: boolean }>;
}

/**
 * The part of `Deno.Kv` that state needs. An open `Deno.Kv` is one, and so is
 * the store that the `@deno/kv` package gives on Node.
 */
export interface KvStore {
  /** Reads one entry. */
  get(key: KvKey): Promise<KvEntry>;
  /** Reads up to ten entries in one snapshot. */
  getMany(keys: KvKey[]): Promise<KvEntry[]>;
  /** Reads a range in order. */
  list(
    selector: { prefix: KvKey } | { start: KvKey; end: KvKey },
    options: { limit: number },
  ): AsyncIterable<KvEntry>;
  /** Starts an atomic operation. */
  atomic(): KvAtomic;
  /** Lets go of it. */
  close(): void;
}
