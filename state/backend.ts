/** A place in a store: two to eight parts, the first of which names an area. */
export type StateKey = readonly string[];

/** One stored value, as a {@linkcode StateBackend} gives it. */
export interface StateEntry {
  /** Where it is. */
  readonly key: StateKey;
  /** JSON text, exactly as it was written. */
  readonly value: string;
  /**
   * Changes with every write of the key and never comes back, not even when
   * the key is deleted and written again. Opaque to everyone but the backend.
   */
  readonly version: string;
  /** Milliseconds since the epoch from which the entry is gone; absent for never. */
  readonly expiresAt?: number;
}

/** What {@linkcode StateBackend.list} reads. */
export interface StateRange {
  /** The entries exactly one part below this key are listed. */
  readonly prefix: StateKey;
  /** Only last parts that sort after this text. */
  readonly after?: string;
  /** Only last parts that start with this text. */
  readonly startsWith?: string;
  /** The most entries to give, 1 to 1,001. */
  readonly limit: number;
}

/** A condition of a {@linkcode StateWrite}. */
export interface StateCheck {
  /** The entry looked at. */
  readonly key: StateKey;
  /** The version it must have now; `null` when it must not exist. */
  readonly version: string | null;
}

/** A value to store. */
export interface StateSet {
  /** Where to. */
  readonly key: StateKey;
  /** JSON text. */
  readonly value: string;
  /** Milliseconds since the epoch from which the entry is gone; absent for never. */
  readonly expiresAt?: number;
}

/** What {@linkcode StateBackend.commit} does, all of it or nothing. */
export interface StateWrite {
  /** Conditions, at most 100. */
  readonly checks?: readonly StateCheck[];
  /** Values to store. No key is both set and deleted. */
  readonly sets?: readonly StateSet[];
  /** Entries to remove. Removing what is not there does nothing. */
  readonly deletes?: readonly StateKey[];
}

/**
 * A store for state: five operations, small enough to write for another
 * database in an afternoon. `stateBackendSuite` tests one.
 *
 * - Every part of a key is 1 to 1,024 characters of printable ASCII (0x21 to
 *   0x7E), and case matters. {@linkcode keyPart} turns other text into a part.
 * - Values are well-formed JSON texts of up to 750 KiB.
 * - An entry whose `expiresAt` has come is absent to every operation, checks
 *   included, whether or not the store has removed it.
 * - Temporary trouble (busy, throttled) is retried inside, within a bound, but
 *   only where it is certain that nothing was written. What remains is thrown as
 *   `databaseError` or `serviceUnavailable`; what the store can never take is a
 *   `validationError`.
 */
export interface StateBackend {
  /** A short name for messages, such as `"kv"`. */
  readonly name: string;
  /** Whether other processes and isolates see the same data. */
  readonly shared: boolean;
  /** Whether the data outlives this process. */
  readonly durable: boolean;
  /**
   * Connects to the store now rather than at the first use.
   *
   * @throws {McpError} `configurationError` when the store cannot be had.
   */
  open?(): Promise<void>;
  /** Reads entries; the answer has one element for each key, `null` where there is none. */
  get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]>;
  /** Reads the entries one part below a key, in ASCII order of their last part. */
  list(range: StateRange): Promise<StateEntry[]>;
  /**
   * Writes all or nothing, in one atomic step with its checks.
   *
   * @returns `false` when a check did not hold, and then nothing was written.
   */
  commit(write: StateWrite): Promise<boolean>;
  /** Lets go of the store. Further calls fail. */
  close(): Promise<void>;
}
