import type { StateCheck, StateKey, StateWrite } from "./backend.ts";
import type { KvCalls } from "./kv_calls.ts";
import type { KvReader } from "./kv_reader.ts";
import {
  formatVersion,
  headKey,
  parseVersion,
  pieceKey,
  readHead,
  splitValue,
} from "./kv_record.ts";
import type { KvAtomic, KvKey, KvStore } from "./kv_store.ts";
import { checkWriteSize } from "./value.ts";
import { StateLimits } from "./limits.ts";

/** How long a process goes on believing that no value is in pieces, in milliseconds. */
const MARK_TRUST_MS = 5_000;

/** Writes state into an open Deno KV. */
export class KvWriter {
  readonly #store: KvStore;
  readonly #reader: KvReader;
  readonly #calls: KvCalls;
  readonly #now: () => number;
  /** Whether the store holds, or has held, a value in pieces. */
  #holdsLong = false;
  #markReadAt = -Infinity;

  constructor(
    store: KvStore,
    reader: KvReader,
    calls: KvCalls,
    now: () => number,
  ) {
    this.#store = store;
    this.#reader = reader;
    this.#calls = calls;
    this.#now = now;
  }

  /** As {@linkcode StateBackend.commit}. */
  async commit(write: StateWrite): Promise<boolean> {
    checkWriteSize(write);
    if (this.#namesExpired(write)) return false;
    if (await this.#commit(write)) return true;
    const checks = await this.#checksOfExpired(write.checks ?? []);
    return checks !== undefined && await this.#commit({ ...write, checks });
  }

  async #commit(write: StateWrite): Promise<boolean> {
    const replaced = await this.#findReplaced(write);
    const { result, long, leftovers } = await this.#calls.run(async () => {
      const atomic = this.#store.atomic();
      const added = addWrite(atomic, write, replaced, this.#now());
      return { ...added, result: await atomic.commit() };
    });
    if (!result.ok) return false;
    this.#holdsLong ||= long;
    for (const { key, versionstamp } of leftovers) {
      // The write is done, so a failure here only leaves an unused piece behind.
      await this.#calls.run(() =>
        this.#store.atomic().check({ key, versionstamp }).delete(key).commit()
      ).catch(() => undefined);
    }
    return true;
  }

  /** Whether a check names a version that has expired since it was read. */
  #namesExpired(write: StateWrite): boolean {
    return write.checks?.some(({ version }) =>
      version !== null &&
      this.#reader.isExpired(parseVersion(version).expiresAt)
    ) ?? false;
  }

  /**
   * Gives the checks again with the versions of entries that have expired and
   * are still stored, where the check asks for none; undefined if there are none.
   */
  async #checksOfExpired(
    checks: readonly StateCheck[],
  ): Promise<StateCheck[] | undefined> {
    const absent = checks.filter((check) => check.version === null);
    if (absent.length === 0) return undefined;
    const heads = await this.#reader.heads(absent.map((check) => check.key));
    const renewed = new Map<StateCheck, StateCheck>();
    for (const [index, { value, versionstamp }] of heads.entries()) {
      if (versionstamp === null) continue;
      const head = readHead(value);
      if (!this.#reader.isExpired(head.expiresAt)) return undefined;
      const check = absent[index]!;
      const version = formatVersion(versionstamp, head);
      renewed.set(check, { key: check.key, version });
    }
    if (renewed.size === 0) return undefined;
    return checks.map((check) => renewed.get(check) ?? check);
  }

  /**
   * Finds the values in pieces that a write replaces. A check on the same key
   * tells; otherwise the head must be read, which only stores pay for that have
   * held such a value.
   */
  async #findReplaced(write: StateWrite): Promise<ReplacedValue[]> {
    const replaced: ReplacedValue[] = [];
    const unknown: StateKey[] = [];
    for (const key of writtenKeys(write)) {
      const check = write.checks?.find((check) => isSameKey(check.key, key));
      if (check === undefined) unknown.push(key);
      else if (check.version !== null) {
        const { pieces, versionstamp } = parseVersion(check.version);
        if (pieces > 0) replaced.push({ key, pieces, versionstamp });
      }
    }
    if (unknown.length === 0 || !await this.#mayHoldLong()) return replaced;
    const heads = await this.#reader.heads(unknown);
    for (const [index, { value, versionstamp }] of heads.entries()) {
      if (versionstamp === null) continue;
      const { pieces } = readHead(value);
      if (pieces === undefined) continue;
      replaced.push({ key: unknown[index]!, pieces, versionstamp });
    }
    return replaced;
  }

  async #mayHoldLong(): Promise<boolean> {
    if (this.#holdsLong || this.#reader.sawLong) return true;
    const time = performance.now();
    if (time - this.#markReadAt < MARK_TRUST_MS) return false;
    const mark = await this.#calls.run(() => this.#store.get(LONG_MARK));
    this.#markReadAt = time;
    this.#holdsLong = mark.versionstamp !== null;
    return this.#holdsLong;
  }
}

function writtenKeys(write: StateWrite): StateKey[] {
  const sets = write.sets?.map((set) => set.key) ?? [];
  return write.deletes === undefined ? sets : [...sets, ...write.deletes];
}

function isSameKey(a: StateKey, b: StateKey): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** Exists once a store has held a value in pieces. */
const LONG_MARK: KvKey = ["parley/long"];

/** A long value that a write replaces or removes. */
interface ReplacedValue {
  /** Where it is. */
  readonly key: StateKey;
  /** How many pieces it has. */
  readonly pieces: number;
  /** The versionstamp of its head and pieces. */
  readonly versionstamp: string;
}

/** A piece that belongs to no value any more. */
interface LeftoverPiece {
  /** Where it is. */
  readonly key: KvKey;
  /** Its versionstamp, unless a newer value has taken its place. */
  readonly versionstamp: string;
}

/** Deno KV removes what expired, never early; it cannot note a date beyond this. */
const LATEST_REMOVAL_MS = 1e12;

/**
 * Adds a whole write to an atomic operation.
 *
 * @returns Whether it stores a value in pieces, and the pieces it replaces for
 *   whose removal there was no room.
 */
function addWrite(
  atomic: KvAtomic,
  write: StateWrite,
  replaced: readonly ReplacedValue[],
  now: number,
): { long: boolean; leftovers: LeftoverPiece[] } {
  for (const { key, version } of write.checks ?? []) {
    const versionstamp = version === null
      ? null
      : parseVersion(version).versionstamp;
    atomic.check({ key: headKey(key), versionstamp });
  }
  let mutations = 1;
  for (const key of write.deletes ?? []) {
    atomic.delete(headKey(key));
    mutations++;
  }
  const newPieces = new Map<string, number>();
  for (const set of write.sets ?? []) {
    const { head, pieces } = splitValue(set);
    const options = removal(set.expiresAt, now);
    atomic.set(headKey(set.key), head, options);
    for (const [index, piece] of pieces.entries()) {
      atomic.set(pieceKey(set.key, index), piece, options);
    }
    mutations += 1 + pieces.length;
    if (pieces.length > 0) newPieces.set(set.key.join(" "), pieces.length);
  }
  const leftovers: LeftoverPiece[] = [];
  for (const { key, pieces, versionstamp } of replaced) {
    const first = newPieces.get(key.join(" ")) ?? 0;
    for (let index = first; index < pieces; index++) {
      if (mutations++ < StateLimits.writes) atomic.delete(pieceKey(key, index));
      else leftovers.push({ key: pieceKey(key, index), versionstamp });
    }
  }
  const long = newPieces.size > 0;
  if (long) atomic.set(LONG_MARK, true);
  return { long, leftovers };
}

function removal(
  expiresAt: number | undefined,
  now: number,
): { expireIn?: number } {
  if (expiresAt === undefined) return {};
  const expireIn = Math.max(0, Math.ceil(expiresAt - now));
  return expireIn > LATEST_REMOVAL_MS ? {} : { expireIn };
}
