import type { StateBackend, StateEntry, StateKey } from "../state/mod.ts";

/** What {@linkcode createStoreLog} takes besides the store and the area. */
export interface StoreLogOptions {
  /** Milliseconds between two looks at the store. Default: 100. */
  readonly pollMs?: number | undefined;
  /** How long an appended value can be found, in milliseconds. Default: 60000. */
  readonly ttlMs?: number | undefined;
  /** Told of what went wrong; of failures in a row, of the first one. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Values on their way from one process to every other one on the same store.
 * Nothing is read unless someone follows, and the store is not touched before
 * someone appends or follows.
 */
export interface StoreLog {
  /**
   * Appends a JSON value. Returns at once and never throws; it is written
   * soon after, together with what was appended meanwhile.
   *
   * @param at When it happened, in milliseconds since the epoch; now by default.
   */
  append(value: unknown, at?: number): void;
  /**
   * Hears of every value that another writer appends from now on: each once,
   * and those of one writer in their order.
   *
   * @param since Milliseconds since the epoch: nobody followed until now, and
   * what was appended from then on is to be heard of too.
   * @returns What ends it.
   */
  follow(listener: (value: unknown) => void, since?: number): () => void;
  /** Writes what waits, and stops. Nothing is appended or heard afterwards. */
  close(): Promise<void>;
}

/**
 * Makes a log in an area of a store. Each log is one writer with a number of
 * its own for every chunk of values, so writers never wait for each other:
 *
 * - `["parley", area, <writer>]` says which chunk was its last one, and when;
 * - `["parley", area, <writer>, <number>]` holds the values of a chunk.
 *
 * A look at the store is one read of the writers of the last minute, which
 * are few, and one more for each writer that has something new. The clocks of
 * the processes must agree better than `ttlMs`, for entries expire by them.
 */
export function createStoreLog(
  backend: StateBackend,
  area: string,
  options: StoreLogOptions = {},
): StoreLog {
  return new PolledLog(backend, ["parley", area], options);
}

/** Characters of values in one chunk: it stays within one entry of Deno KV. */
const CHUNK_SIZE = 16 * 1024;
/** Characters that may wait to be written, while the store is slow. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Entries that are read at once. */
const PAGE = 100;
/** The longest wait between two looks at a store that fails, in milliseconds. */
const MAX_PAUSE_MS = 5_000;

interface Waiting {
  readonly at: number;
  readonly text: string;
}

/** The last chunk of a writer. */
interface Head {
  readonly chunk: string;
  readonly at: number;
}

class PolledLog implements StoreLog {
  readonly #backend: StateBackend;
  readonly #area: StateKey;
  readonly #options: StoreLogOptions;
  readonly #writer: string = crypto.randomUUID();
  #written = 0;
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #writing: Promise<void> | undefined;
  readonly #followers = new Set<(value: unknown) => void>();
  #reader: Reader | undefined;
  #looking: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Reads that failed in a row. */
  #failures = 0;
  #writesFail = false;
  #closed = false;

  constructor(backend: StateBackend, area: StateKey, options: StoreLogOptions) {
    this.#backend = backend;
    this.#area = area;
    this.#options = options;
  }

  append(value: unknown, at: number = Date.now()): void {
    if (this.#closed) return;
    try {
      const text = JSON.stringify(value) ?? "null";
      if (this.#waitingSize + text.length > MAX_WAITING) {
        throw new RangeError("Too much waits to be written to the store");
      }
      this.#waiting.push({ at, text });
      this.#waitingSize += text.length;
      this.#writing ??= this.#write();
    } catch (error) {
      this.#report(error);
    }
  }

  follow(
    listener: (value: unknown) => void,
    since: number = Date.now(),
  ): () => void {
    if (this.#closed) return () => {};
    const own = (value: unknown) => listener(value);
    this.#followers.add(own);
    if (this.#reader === undefined) this.#startReading(since);
    return () => {
      this.#followers.delete(own);
      if (this.#followers.size === 0) this.#stopReading();
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#followers.clear();
    this.#stopReading();
    await this.#looking;
    await this.#writing;
  }

  async #write(): Promise<void> {
    // Others in this turn may have something to say as well.
    await undefined;
    while (this.#waiting.length > 0) {
      const chunk = this.#takeChunk();
      const name = String(++this.#written).padStart(15, "0");
      const now = Date.now();
      const expiresAt = now + (this.#options.ttlMs ?? 60_000);
      const head: Head = { chunk: name, at: now };
      const key = [...this.#area, this.#writer];
      try {
        await this.#backend.commit({
          sets: [
            { key: [...key, name], value: chunk, expiresAt },
            { key, value: JSON.stringify(head), expiresAt },
          ],
        });
        this.#writesFail = false;
      } catch (error) {
        // A write whose fate is unknown is not repeated: nothing comes twice.
        if (!this.#writesFail) this.#report(error);
        this.#writesFail = true;
      }
    }
    this.#writing = undefined;
  }

  #takeChunk(): string {
    let size = 0;
    let count = 0;
    for (const { text } of this.#waiting) {
      if (count > 0 && size + text.length > CHUNK_SIZE) break;
      size += text.length;
      count++;
    }
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    this.#waitingSize -= size;
    return `[${taken.map(({ at, text }) => `[${at},${text}]`).join(",")}]`;
  }

  #startReading(since: number): void {
    const reader = new Reader(this.#backend, this.#area, this.#writer, since);
    this.#reader = reader;
    this.#looking = this.#look(reader, this.#looking);
  }

  #stopReading(): void {
    this.#reader = undefined;
    clearTimeout(this.#timer);
  }

  async #look(
    reader: Reader,
    earlier: Promise<void> | undefined,
  ): Promise<void> {
    await earlier;
    const { pollMs = 100 } = this.#options;
    let pause = pollMs;
    try {
      await reader.read((value) => this.#deliver(reader, value));
      this.#failures = 0;
    } catch (error) {
      if (this.#failures++ === 0 && this.#reader === reader) {
        this.#report(error);
      }
      pause = Math.min(pollMs * 2 ** this.#failures, MAX_PAUSE_MS);
    }
    if (this.#reader !== reader) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look(reader, undefined);
    }, pause);
  }

  #deliver(reader: Reader, value: unknown): void {
    if (this.#reader !== reader) return;
    for (const follower of [...this.#followers]) {
      try {
        follower(value);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

/** Reads what other writers have appended since it was made. */
class Reader {
  readonly #backend: StateBackend;
  readonly #area: StateKey;
  readonly #self: string;
  readonly #since: number;
  /** The last chunk read of each writer that has been seen. */
  #chunks = new Map<string, string>();
  #first = true;

  constructor(
    backend: StateBackend,
    area: StateKey,
    self: string,
    since: number,
  ) {
    this.#backend = backend;
    this.#area = area;
    this.#self = self;
    this.#since = since;
  }

  async read(deliver: (value: unknown) => void): Promise<void> {
    const known = this.#chunks;
    const chunks = new Map<string, string>();
    for await (const [writer, value] of this.#list(this.#area)) {
      if (writer === this.#self) continue;
      const head = value as Head;
      let last = known.get(writer);
      // What was appended before this reader began is not for it. Writers
      // that are first seen later began after it.
      if (last === undefined && this.#first && head.at < this.#since) {
        last = head.chunk;
      }
      if (last !== head.chunk) {
        last = await this.#readWriter(writer, last, deliver) ?? head.chunk;
      }
      known.set(writer, last);
      chunks.set(writer, last);
    }
    this.#first = false;
    // A writer that is gone has nothing left to read.
    this.#chunks = chunks;
  }

  /** Gives the name of the last chunk there was. */
  async #readWriter(
    writer: string,
    after: string | undefined,
    deliver: (value: unknown) => void,
  ): Promise<string | undefined> {
    let last: string | undefined;
    for await (
      const [name, value] of this.#list([...this.#area, writer], after)
    ) {
      for (const [at, item] of value as [number, unknown][]) {
        if (!this.#first || at >= this.#since) deliver(item);
      }
      last = name;
      // Read once, even if the next page fails.
      this.#chunks.set(writer, name);
    }
    return last;
  }

  /** The entries below a key: the last part of each key, and its value. */
  async *#list(
    prefix: StateKey,
    after?: string,
  ): AsyncGenerator<[name: string, value: unknown]> {
    let entries: StateEntry[];
    do {
      entries = await this.#backend.list({
        prefix,
        ...(after !== undefined && { after }),
        limit: PAGE,
      });
      for (const { key, value } of entries) {
        after = key.at(-1)!;
        yield [after, JSON.parse(value)];
      }
    } while (entries.length === PAGE);
  }
}
