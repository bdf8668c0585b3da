import { databaseError } from "../errors.ts";
import type { StateEntry, StateKey, StateRange } from "./backend.ts";
import { backOff } from "./back_off.ts";
import type { KvCalls } from "./kv_calls.ts";
import {
  formatVersion,
  fromHeadKey,
  headKey,
  joinPieces,
  type KvHead,
  pieceKey,
  readHead,
} from "./kv_record.ts";
import type { KvEntry, KvStore } from "./kv_store.ts";

/** The most keys that Deno KV reads in one snapshot. */
const SNAPSHOT_KEYS = 10;
/** How often a long value is read again while writers replace it. */
const LONG_READ_ATTEMPTS = 50;

/** Reads state out of an open Deno KV. */
export class KvReader {
  readonly #store: KvStore;
  readonly #calls: KvCalls;
  readonly #now: () => number;
  /** Whether it has met a value in pieces. */
  sawLong = false;

  constructor(store: KvStore, calls: KvCalls, now: () => number) {
    this.#store = store;
    this.#calls = calls;
    this.#now = now;
  }

  /** As {@linkcode StateBackend.get}. */
  async get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    if (keys.length === 1) {
      const key = keys[0]!;
      const entry = await this.#calls.run(() => this.#store.get(headKey(key)));
      return [toPlainEntry(key, entry) ?? await this.#toEntry(key, entry)];
    }
    const heads = await this.heads(keys);
    const found: (StateEntry | null)[] = [];
    for (const [index, key] of keys.entries()) {
      const head = heads[index]!;
      found.push(toPlainEntry(key, head) ?? await this.#toEntry(key, head));
    }
    return found;
  }

  /** As {@linkcode StateBackend.list}. */
  async list(range: StateRange): Promise<StateEntry[]> {
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
      const selector = { start: [...level, from], end: [...level, to] };
      const heads = await this.#calls.run(() =>
        Array.fromAsync(this.#store.list(selector, { limit }))
      );
      for (const head of heads) {
        const key = fromHeadKey(head.key);
        const entry = toPlainEntry(key, head) ?? await this.#toEntry(key, head);
        if (entry !== null) found.push(entry);
      }
      // Fewer than asked for is the end; what was left out had expired.
      if (heads.length < limit || found.length >= range.limit) return found;
      after = fromHeadKey(heads.at(-1)!.key).at(-1)!;
    }
  }

  /** Reads the heads of entries as they lie there, expired ones included. */
  async heads(keys: readonly StateKey[]): Promise<KvEntry[]> {
    const reads: Promise<KvEntry[]>[] = [];
    for (let start = 0; start < keys.length; start += SNAPSHOT_KEYS) {
      const some = keys.slice(start, start + SNAPSHOT_KEYS).map(headKey);
      reads.push(this.#calls.run(() => this.#store.getMany(some)));
    }
    return (await Promise.all(reads)).flat();
  }

  /** Whether the moment has come. */
  isExpired(expiresAt: number | undefined): boolean {
    return expiresAt !== undefined && expiresAt <= this.#now();
  }

  /** Gives the entry of a head, with the pieces of a long value; `null` for none. */
  async #toEntry(key: StateKey, entry: KvEntry): Promise<StateEntry | null> {
    for (let attempt = 0; attempt < LONG_READ_ATTEMPTS; attempt++) {
      if (entry.versionstamp === null) return null;
      const head = readHead(entry.value);
      if (this.isExpired(head.expiresAt)) return null;
      const value = head.text ??
        await this.#readPieces(key, head, entry.versionstamp);
      if (value !== undefined) {
        const version = formatVersion(entry.versionstamp, head);
        return head.expiresAt === undefined
          ? { key, value, version }
          : { key, value, version, expiresAt: head.expiresAt };
      }
      // It was replaced between the reads of its head and of its pieces.
      if (attempt > 0) await backOff(attempt);
      entry = await this.#calls.run(() => this.#store.get(headKey(key)));
    }
    throw databaseError("A long value changed too often to be read");
  }

  /** Reads the pieces that were written with a head; undefined if they are gone. */
  async #readPieces(
    key: StateKey,
    head: KvHead,
    versionstamp: string,
  ): Promise<string | undefined> {
    this.sawLong = true;
    const count = head.pieces ?? 0;
    const pieces: Uint8Array[] = [];
    while (pieces.length < count) {
      const keys = Array.from(
        { length: Math.min(SNAPSHOT_KEYS, count - pieces.length) },
        (_, index) => pieceKey(key, pieces.length + index),
      );
      for (
        const piece of await this.#calls.run(() => this.#store.getMany(keys))
      ) {
        if (piece.versionstamp !== versionstamp) return undefined;
        pieces.push(piece.value as Uint8Array);
      }
    }
    return joinPieces(pieces);
  }
}

/** Gives the entry of a plain text, which most are, with nothing to wait for. */
function toPlainEntry(
  key: StateKey,
  { value, versionstamp }: KvEntry,
): StateEntry | undefined {
  if (typeof value !== "string" || versionstamp === null) return undefined;
  return { key, value, version: versionstamp };
}
