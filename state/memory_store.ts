import { databaseError } from "../errors.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "./backend.ts";
import { checkWriteSize } from "./value.ts";

/** The entries one part below a key. */
interface Level {
  readonly entries: Map<string, StateEntry>;
  /** The names in order, or undefined after a name came or went. */
  sorted: string[] | undefined;
}

/** Entries in this process; `memoryState` is what loads this file. */
export class MemoryStore implements StateBackend {
  readonly name = "memory";
  readonly shared = false;
  readonly durable = false;
  readonly #now: () => number;
  readonly #levels = new Map<string, Level>();
  #size = 0;
  #version = 0;
  #writesSinceSweep = 0;
  #closed = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  // deno-lint-ignore require-await -- a closed store must reject, not throw
  async get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    this.#refuseClosed();
    const now = this.#now();
    return keys.map((key) => this.#read(key, now));
  }

  // deno-lint-ignore require-await -- as above
  async list(range: StateRange): Promise<StateEntry[]> {
    this.#refuseClosed();
    const level = this.#levels.get(levelId(range.prefix));
    if (level === undefined) return [];
    const now = this.#now();
    level.sorted ??= [...level.entries.keys()].sort(compareText);
    const startsWith = range.startsWith ?? "";
    const found: StateEntry[] = [];
    let index = firstIndex(level.sorted, startsWith, range.after);
    while (found.length < range.limit && index < level.sorted.length) {
      const name = level.sorted[index++]!;
      if (!name.startsWith(startsWith)) break;
      const entry = level.entries.get(name);
      if (entry !== undefined && !isExpired(entry, now)) found.push(entry);
    }
    return found;
  }

  // deno-lint-ignore require-await -- as above; being synchronous makes it atomic
  async commit(write: StateWrite): Promise<boolean> {
    this.#refuseClosed();
    checkWriteSize(write);
    const now = this.#now();
    for (const check of write.checks ?? []) {
      const version = this.#read(check.key, now)?.version ?? null;
      if (version !== check.version) return false;
    }
    for (const key of write.deletes ?? []) this.#delete(key);
    for (const { key, value, expiresAt } of write.sets ?? []) {
      const version = String(++this.#version);
      this.#set(
        expiresAt === undefined
          ? { key, value, version }
          : { key, value, version, expiresAt },
      );
    }
    this.#sweepSometimes(now);
    return true;
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#levels.clear();
    return Promise.resolve();
  }

  #refuseClosed(): void {
    if (this.#closed) throw databaseError("The state store is closed");
  }

  #read(key: StateKey, now: number): StateEntry | null {
    const entry = this.#levels.get(levelId(key.slice(0, -1)))
      ?.entries.get(key.at(-1)!);
    return entry === undefined || isExpired(entry, now) ? null : entry;
  }

  #set(entry: StateEntry): void {
    const id = levelId(entry.key.slice(0, -1));
    const name = entry.key.at(-1)!;
    let level = this.#levels.get(id);
    if (level === undefined) {
      level = { entries: new Map(), sorted: undefined };
      this.#levels.set(id, level);
    }
    if (!level.entries.has(name)) {
      level.sorted = undefined;
      this.#size++;
    }
    level.entries.set(name, entry);
  }

  #delete(key: StateKey): void {
    const id = levelId(key.slice(0, -1));
    const level = this.#levels.get(id);
    if (!level?.entries.delete(key.at(-1)!)) return;
    this.#size--;
    level.sorted = undefined;
    if (level.entries.size === 0) this.#levels.delete(id);
  }

  /** Drops what expired, so rarely that its cost is shared by the writes between. */
  #sweepSometimes(now: number): void {
    if (++this.#writesSinceSweep < Math.max(1_000, this.#size)) return;
    this.#writesSinceSweep = 0;
    for (const level of [...this.#levels.values()]) {
      for (const entry of [...level.entries.values()]) {
        if (isExpired(entry, now)) this.#delete(entry.key);
      }
    }
  }
}

function levelId(prefix: StateKey): string {
  // No part holds a space.
  return prefix.join(" ");
}

function isExpired(entry: StateEntry, now: number): boolean {
  return entry.expiresAt !== undefined && entry.expiresAt <= now;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Where the names start that are at or past `from` and past `after`. */
function firstIndex(
  sorted: readonly string[],
  from: string,
  after: string | undefined,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const name = sorted[middle]!;
    const before = name < from || (after !== undefined && name <= after);
    if (before) low = middle + 1;
    else high = middle;
  }
  return low;
}
