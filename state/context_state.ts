import type { StateSchema } from "./value.ts";

/** Options of a write. */
export interface StateWriteOptions {
  /**
   * Seconds until the value is gone, fractions allowed. Without it the value
   * stays. It is exact: an expired value is never read, listed or taken.
   */
  readonly ttl?: number | undefined;
}

/** Options of {@linkcode ContextState.update}. */
export interface StateUpdateOptions<T> extends StateWriteOptions {
  /** Checks the stored value before the function sees it. */
  readonly schema?: StateSchema<T> | undefined;
}

/** Options of {@linkcode ContextState.list}. */
export interface StateListOptions {
  /** Where the previous page ended, as that page said. */
  readonly cursor?: string | undefined;
  /** The most items to give, 1 to 1,000; 100 by default. */
  readonly limit?: number | undefined;
}

/** One item of a {@linkcode StatePage}. */
export interface StateItem {
  /** Its key, whole. */
  key: string;
  /** Its value. */
  value: unknown;
}

/** One page of a list. */
export interface StatePage {
  /** The items, in order of their keys. */
  items: StateItem[];
  /** Opaque base64url text to get the next page with; absent on the last page. */
  cursor?: string;
}

/**
 * Storage for one tenant: what is written under one tenant is not there for any
 * other.
 *
 * Values are stored as JSON on every backend, so a read gives the JSON form: a
 * `Date` comes back as text, a `Map` as `{}`, and never the object that was
 * written. A value may take up to 750 KiB as JSON.
 *
 * Keys are 1 to 1,024 of the characters `a-z A-Z 0-9 _ . - /`, without `..`.
 *
 * Every method can reject with these `McpError`s besides its own:
 *
 * - `invalidRequest` when the request has no tenant;
 * - `validationError` when a key, a prefix or an option is against the rules;
 * - `configurationError` when the store cannot be opened;
 * - `serviceUnavailable` when it stays busy, `databaseError` when it fails.
 */
export interface ContextState {
  /** Reads a value; `null` when there is none. */
  get<T = unknown>(key: string): Promise<T | null>;
  /**
   * Reads a value and checks it; `null` when there is none.
   *
   * @throws {McpError} `validationError` when the stored value does not match.
   */
  get<T>(key: string, schema: StateSchema<T>): Promise<T | null>;
  /**
   * Writes a value.
   *
   * @throws {McpError} `serializationError` when JSON cannot carry the value,
   *   `validationError` when it is too large. Nothing is written then.
   */
  set(key: string, value: unknown, options?: StateWriteOptions): Promise<void>;
  /** Removes a value, if there is one. */
  delete(key: string): Promise<void>;
  /**
   * Removes values, in batches of 50 that are atomic each.
   *
   * @returns How many of them were there.
   */
  deleteMany(keys: readonly string[]): Promise<number>;
  /** Reads values; the map holds those that are there, in the order of `keys`. */
  getMany<T = unknown>(keys: readonly string[]): Promise<Map<string, T>>;
  /**
   * Writes all of the values or none of them, in one atomic step.
   *
   * @throws {McpError} `serializationError` when JSON cannot carry one of the
   *   values, `validationError` when they are too large or too many for one step.
   *   Nothing is written then.
   */
  setMany(
    entries: ReadonlyMap<string, unknown>,
    options?: StateWriteOptions,
  ): Promise<void>;
  /**
   * Reads a page of the values whose keys start with `prefix`; all keys without
   * one. Pages stay in order while others write: an item that is there from the
   * first page to the last is given exactly once.
   *
   * @throws {McpError} `invalidParams` when the cursor is of another tenant or
   *   prefix, or none at all.
   */
  list(prefix?: string, options?: StateListOptions): Promise<StatePage>;
  /**
   * Reads and removes a value in one atomic step. Of any number of callers, in
   * any number of processes on one store, exactly one gets the value, and the
   * others get `null`.
   *
   * With a schema the value is checked after it was removed, so a record that
   * does not match is spent too.
   *
   * @throws {McpError} `validationError` when the stored value does not match.
   */
  take<T = unknown>(key: string): Promise<T | null>;
  /** Reads, removes and checks a value; see the other form. */
  take<T>(key: string, schema: StateSchema<T>): Promise<T | null>;
  /**
   * Replaces a value by what a function makes of it, and loses no other write.
   *
   * The function gets the value, or `null`, and gives the next one, or
   * `undefined` to remove it. It runs again when someone else wrote meanwhile, so
   * it should do nothing else. Without `ttl` a value keeps the expiry it has.
   *
   * @returns The new value, `null` when there is none.
   * @throws {McpError} `conflict` when others kept writing; what the function
   *   throws is passed on. Nothing is written then.
   */
  update<T = unknown>(
    key: string,
    next: (current: T | null) => T | undefined | Promise<T | undefined>,
    options?: StateUpdateOptions<T>,
  ): Promise<T | null>;
}
