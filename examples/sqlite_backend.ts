/**
 * A store of your own: state in SQLite, through the `node:sqlite` that Deno,
 * Node and Bun bring along. It passes `stateBackendSuite`.
 *
 *     createApp({ name: "notes", version: "1.0.0", state: sqliteState("notes.db") });
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { databaseError, serviceUnavailable } from "@parley/mcp/errors";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateRange,
  StateWrite,
} from "@parley/mcp/state";

/** How many commits pass between two removals of what has expired. */
const SWEEP_EVERY = 1_000;

const SCHEMA = `
  create table if not exists state (
    parent text not null,
    name text not null,
    value text not null,
    version text not null,
    expires_at integer,
    primary key (parent, name)
  ) without rowid;
  create index if not exists state_expiry on state (expires_at)
    where expires_at is not null;
`;

/** Options of {@linkcode sqliteState}. */
export interface SqliteStateOptions {
  /** The clock, in milliseconds since the epoch. `Date.now` by default. */
  now?: () => number;
}

/**
 * Keeps state in a SQLite file, which any number of processes can share.
 *
 * @param path The file, or `":memory:"`.
 */
export function sqliteState(
  path: string,
  options: SqliteStateOptions = {},
): StateBackend {
  return new SqliteState(path, options.now ?? Date.now);
}

interface Row {
  name: string;
  value: string;
  version: string;
  expires_at: number | null;
}

class SqliteState implements StateBackend {
  readonly name = "sqlite";
  readonly shared: boolean;
  readonly durable: boolean;
  readonly #path: string;
  readonly #now: () => number;
  #database: DatabaseSync | undefined;
  #closed = false;
  #commits = 0;

  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
    this.shared = path !== ":memory:";
    this.durable = this.shared;
  }

  open(): Promise<void> {
    return this.#run(() => {});
  }

  get(keys: readonly StateKey[]): Promise<(StateEntry | null)[]> {
    return this.#run((database) =>
      keys.map((key) => this.#read(database, key))
    );
  }

  list(range: StateRange): Promise<StateEntry[]> {
    return this.#run((database) => {
      const startsWith = range.startsWith ?? "";
      const rows = database.prepare(
        `select name, value, version, expires_at from state
         where parent = ? and name >= ? and name < ? and name > ?
           and (expires_at is null or expires_at > ?)
         order by name limit ?`,
      ).all(
        join(range.prefix),
        startsWith,
        startsWith + "\x7f",
        range.after ?? "",
        this.#now(),
        range.limit,
      ) as unknown as Row[];
      return rows.map((row) => toEntry([...range.prefix, row.name], row));
    });
  }

  commit(write: StateWrite): Promise<boolean> {
    return this.#run((database) => {
      // The write lock comes first, so that nothing changes after the checks.
      database.exec("begin immediate");
      try {
        const done = this.#write(database, write);
        database.exec(done ? "commit" : "rollback");
        return done;
      } catch (error) {
        if (database.isTransaction) database.exec("rollback");
        throw error;
      }
    });
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#database?.close();
    this.#database = undefined;
    return Promise.resolve();
  }

  // deno-lint-ignore require-await -- what SQLite throws must reject
  async #run<T>(work: (database: DatabaseSync) => T): Promise<T> {
    if (this.#closed) throw databaseError("The state store is closed");
    try {
      return work(this.#database ??= this.#connect());
    } catch (error) {
      const options = { cause: error };
      if (error instanceof Error && /is locked/.test(error.message)) {
        throw serviceUnavailable("The state store is busy", undefined, options);
      }
      throw databaseError("The state store failed", undefined, options);
    }
  }

  #connect(): DatabaseSync {
    const database = new DatabaseSync(this.#path);
    // SQLite waits this long itself for the locks of other processes.
    database.exec("pragma busy_timeout = 10000");
    database.exec("pragma journal_mode = wal");
    database.exec(SCHEMA);
    return database;
  }

  #read(database: DatabaseSync, key: StateKey): StateEntry | null {
    const row = database.prepare(
      `select name, value, version, expires_at from state
       where parent = ? and name = ? and (expires_at is null or expires_at > ?)`,
    ).get(join(key.slice(0, -1)), key.at(-1)!, this.#now());
    return row === undefined ? null : toEntry(key, row as unknown as Row);
  }

  #write(database: DatabaseSync, write: StateWrite): boolean {
    for (const { key, version } of write.checks ?? []) {
      const found = this.#read(database, key)?.version ?? null;
      if (found !== version) return false;
    }
    const remove = database.prepare(
      "delete from state where parent = ? and name = ?",
    );
    for (const key of write.deletes ?? []) {
      remove.run(join(key.slice(0, -1)), key.at(-1)!);
    }
    const put = database.prepare(
      "insert or replace into state values (?, ?, ?, ?, ?)",
    );
    for (const { key, value, expiresAt } of write.sets ?? []) {
      const version = crypto.randomUUID();
      const parent = join(key.slice(0, -1));
      put.run(parent, key.at(-1)!, value, version, expiresAt ?? null);
    }
    if (++this.#commits % SWEEP_EVERY === 0) {
      database.prepare("delete from state where expires_at <= ?")
        .run(this.#now());
    }
    return true;
  }
}

function join(parts: StateKey): string {
  // No part holds a space.
  return parts.join(" ");
}

function toEntry(key: StateKey, row: Row): StateEntry {
  const { value, version, expires_at: expiresAt } = row;
  return expiresAt === null
    ? { key, value, version }
    : { key, value, version, expiresAt };
}
