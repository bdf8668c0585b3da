import { databaseError } from "../errors.ts";
import type {
  StateBackend,
  StateCheck,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "./backend.ts";
import { backOff } from "./back_off.ts";
import {
  formatVersion,
  fromHeadKey,
  headKey,
  joinPieces,
  type KvHead,
  parseVersion,
  pieceKey,
  readHead,
} from "./kv_record.ts";
import type { OpenedKv } from "./open_kv.ts";
import { KvCalls } from "./kv_calls.ts";
import type { KvEntry, KvStore } from "./kv_store.ts";
import { addWrite, LONG_MARK, type ReplacedValue } from "./kv_write.ts";
import { checkWriteSize } from "./limits.ts";

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

/** The most keys that Deno KV reads in one snapshot. */
const SNAPSHOT_KEYS = 10;
/** How often a long value is read again while writers replace it. */
const LONG_READ_ATTEMPTS = 50;
/** How long a process goes on believing that no value is in pieces, in milliseconds. */
const MARK_TRUST_MS = 5_000;

/** State in an open Deno KV; `kv_record.ts` says how it lies there. */
export class KvBackend implements StateBackend {
  readonly name = "kv";
  readonly #options: KvBackendOptions;
  readonly #calls: KvCalls;
  #kv: KvStore | undefined;
  #opening: Promise<KvStore> | undefined;
  #closed = false;
  #lasting: boolean;
  /** Whether this process has seen a value in pieces. */
  #holdsLong = false;
  #markReadAt = -Infinity;

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
    await this.#store();
  }

  async get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    const kv = this.#kv ?? await this.#store();
    if (keys.length === 1) {
      const key = keys[0]!;
      const entry = await this.#calls.run(() => kv.get(headKey(key)));
      return [this.#toShort(key, entry) ?? await this.#toEntry(kv, key, entry)];
    }
    const entries = await this.#read(kv, keys);
    const found: (StateEntry | null)[] = [];
    for (const [index, key] of keys.entries()) {
      const entry = entries[index]!;
      found.push(
        this.#toShort(key, entry) ?? await this.#toEntry(kv, key, entry),
      );
    }
    return found;
  }

  async list(range: StateRange): Promise<StateEntry[]> {
    const kv = this.#kv ?? await this.#store();
    const level = headKey([...range.prefix, ""]).slice(0, -1);
    const startsWith = range.startsWith ?? "";
    let after = range.after ?? "";
    const found: StateEntry[] = [];
    for (;;) {
      const limit = range.limit - found.length;
      // Parts are ASCII: U+0000 gives the next text, U+10FFFF one past all.
      const from = after >= startsWith && after !== ""
        ? after + "\0"
        : startsWith;
      const to = startsWith + "\u{10ffff}";
      if (from >= to) return found;
      const start = [...level, from];
      const end = [...level, to];
      const entries = await this.#calls.run(() =>
        Array.fromAsync(kv.list({ start, end }, { limit }))
      );
      for (const entry of entries) {
        const key = fromHeadKey(entry.key);
        const state = this.#toShort(key, entry) ??
          await this.#toEntry(kv, key, entry);
        if (state !== null) found.push(state);
      }
      // Fewer than asked for is the end; what was left out had expired.
      if (entries.length < limit || found.length >= range.limit) return found;
      after = fromHeadKey(entries.at(-1)!.key).at(-1)!;
    }
  }

  async commit(write: StateWrite): Promise<boolean> {
    const kv = this.#kv ?? await this.#store();
    checkWriteSize(write);
    if (this.#namesExpired(write)) return false;
    if (await this.#commit(kv, write)) return true;
    const checks = await this.#checksOfExpired(kv, write.checks ?? []);
    return checks !== undefined && await this.#commit(kv, { ...write, checks });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const kv = this.#kv ?? await this.#opening?.catch(() => undefined);
    this.#kv = undefined;
    if (this.#options.owned) kv?.close();
  }

  #store(): Promise<KvStore> {
    if (this.#closed) {
      return Promise.reject(databaseError("The state store is closed"));
    }
    this.#opening ??= this.#options.open().then(({ store, lasting }) => {
      if (!this.#closed) this.#kv = store;
      this.#lasting = lasting;
      return store;
    }, (error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Reads heads. */
  async #read(kv: KvStore, keys: readonly StateKey[]): Promise<KvEntry[]> {
    if (keys.length === 1) {
      return [await this.#calls.run(() => kv.get(headKey(keys[0]!)))];
    }
    const reads: Promise<KvEntry[]>[] = [];
    for (let start = 0; start < keys.length; start += SNAPSHOT_KEYS) {
      const some = keys.slice(start, start + SNAPSHOT_KEYS).map(headKey);
      reads.push(this.#calls.run(() => kv.getMany(some)));
    }
    return (await Promise.all(reads)).flat();
  }

  /** Gives the entry of a plain text, which most are, with nothing to wait for. */
  #toShort(
    key: StateKey,
    { value, versionstamp }: KvEntry,
  ): StateEntry | undefined {
    if (typeof value !== "string" || versionstamp === null) return undefined;
    return { key, value, version: versionstamp };
  }

  /** Gives the entry of a head, with the pieces of a long value; `null` for none. */
  async #toEntry(
    kv: KvStore,
    key: StateKey,
    entry: KvEntry,
  ): Promise<StateEntry | null> {
    for (let attempt = 0; attempt < LONG_READ_ATTEMPTS; attempt++) {
      if (entry.versionstamp === null) return null;
      const head = readHead(entry.value);
      if (this.#isExpired(head.expiresAt)) return null;
      const value = head.text ??
        await this.#readPieces(kv, key, head, entry.versionstamp);
      if (value !== undefined) {
        const version = formatVersion(entry.versionstamp, head);
        return head.expiresAt === undefined
          ? { key, value, version }
          : { key, value, version, expiresAt: head.expiresAt };
      }
      // It was replaced between the reads of its head and of its pieces.
      if (attempt > 0) await backOff(attempt);
      entry = await this.#calls.run(() => kv.get(headKey(key)));
    }
    throw databaseError("A long value changed too often to be read");
  }

  #isExpired(expiresAt: number | undefined): boolean {
    return expiresAt !== undefined && expiresAt <= this.#options.now();
  }

  async #readPieces(
    kv: KvStore,
    key: StateKey,
    head: KvHead,
    versionstamp: string,
  ): Promise<string | undefined> {
    this.#holdsLong = true;
    const pieces: Uint8Array[] = [];
    while (pieces.length < (head.pieces ?? 0)) {
      const first = pieces.length;
      const count = Math.min(SNAPSHOT_KEYS, (head.pieces ?? 0) - first);
      const keys = Array.from(
        { length: count },
        (_, index) => pieceKey(key, first + index),
      );
      for (const piece of await this.#calls.run(() => kv.getMany(keys))) {
        if (piece.versionstamp !== versionstamp) return undefined;
        pieces.push(piece.value as Uint8Array);
      }
    }
    return joinPieces(pieces);
  }

  /** Whether a check names a version that has expired since it was read. */
  #namesExpired(write: StateWrite): boolean {
    return write.checks?.some(({ version }) =>
      version !== null && this.#isExpired(parseVersion(version).expiresAt)
    ) ?? false;
  }

  /**
   * Finds the values in pieces that a write replaces. A check on the same key
   * tells; otherwise the head must be read, which only stores pay for that have
   * held such a value.
   */
  async #findReplaced(
    kv: KvStore,
    write: StateWrite,
  ): Promise<ReplacedValue[]> {
    const replaced: ReplacedValue[] = [];
    const unknown: StateKey[] = [];
    const written = [
      ...(write.sets ?? []).map((set) => set.key),
      ...(write.deletes ?? []),
    ];
    for (const key of written) {
      const check = write.checks?.find((check) => isSameKey(check.key, key));
      if (check === undefined) unknown.push(key);
      else if (check.version !== null) {
        const { pieces, versionstamp } = parseVersion(check.version);
        if (pieces > 0) replaced.push({ key, pieces, versionstamp });
      }
    }
    if (unknown.length === 0 || !await this.#mayHoldLong(kv)) return replaced;
    const heads = await this.#read(kv, unknown);
    for (const [index, { value, versionstamp }] of heads.entries()) {
      if (versionstamp === null) continue;
      const { pieces } = readHead(value);
      if (pieces === undefined) continue;
      replaced.push({ key: unknown[index]!, pieces, versionstamp });
    }
    return replaced;
  }

  async #mayHoldLong(kv: KvStore): Promise<boolean> {
    if (this.#holdsLong) return true;
    const time = performance.now();
    if (time - this.#markReadAt < MARK_TRUST_MS) return false;
    const mark = await this.#calls.run(() => kv.get(LONG_MARK));
    this.#markReadAt = time;
    this.#holdsLong = mark.versionstamp !== null;
    return this.#holdsLong;
  }

  async #commit(kv: KvStore, write: StateWrite): Promise<boolean> {
    const replaced = await this.#findReplaced(kv, write);
    const { result, long, leftovers } = await this.#calls.run(async () => {
      const atomic = kv.atomic();
      const added = addWrite(atomic, write, replaced, this.#options.now());
      return { ...added, result: await atomic.commit() };
    });
    if (!result.ok) return false;
    this.#holdsLong ||= long;
    for (const { key, versionstamp } of leftovers) {
      // The write is done, so a failure here only leaves an unused piece behind.
      await this.#calls.run(() =>
        kv.atomic().check({ key, versionstamp }).delete(key).commit()
      ).catch(() => undefined);
    }
    return true;
  }

  /**
   * Gives the checks again with the versions of entries that have expired and
   * are still stored, where the check asks for none; undefined if there are none.
   */
  async #checksOfExpired(
    kv: KvStore,
    checks: readonly StateCheck[],
  ): Promise<StateCheck[] | undefined> {
    const absent = checks.filter((check) => check.version === null);
    if (absent.length === 0) return undefined;
    const heads = await this.#read(kv, absent.map((check) => check.key));
    const renewed = new Map<StateCheck, StateCheck>();
    for (const [index, { value, versionstamp }] of heads.entries()) {
      if (versionstamp === null) continue;
      const head = readHead(value);
      if (!this.#isExpired(head.expiresAt)) return undefined;
      const check = absent[index]!;
      const version = formatVersion(versionstamp, head);
      renewed.set(check, { key: check.key, version });
    }
    if (renewed.size === 0) return undefined;
    return checks.map((check) => renewed.get(check) ?? check);
  }
}

function isSameKey(a: StateKey, b: StateKey): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}
