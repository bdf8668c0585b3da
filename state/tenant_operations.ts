import { databaseError, invalidRequest } from "../errors.ts";
import { untilDone } from "./back_off.ts";
import type {
  StateBackend,
  StateEntry,
  StateKey,
  StateSet,
  StateWrite,
} from "./backend.ts";
import type {
  ContextState,
  StateItem,
  StateListOptions,
  StatePage,
  StateUpdateOptions,
  StateWriteOptions,
} from "./context_state.ts";
import {
  checkKey,
  checkPageSize,
  checkPrefix,
  formatCursor,
  parseCursor,
} from "./key.ts";
import { keyPart } from "./limits.ts";
import { type StateSpan, TracedState } from "./traced_state.ts";
import {
  checkValueSize,
  checkWriteSize,
  expiryOf,
  fromJson,
  type StateSchema,
  toJson,
  validateStored,
} from "./value.ts";

/** Options of `createTenantState`. */
export interface TenantStateOptions {
  /** Called around every operation, for tracing. */
  readonly span?: StateSpan | undefined;
  /** The clock, in milliseconds since the epoch. `Date.now` by default. */
  readonly now?: (() => number) | undefined;
}

/** The first part of every tenant's keys. Nothing else is written below it. */
const AREA = "tenant";
/** How many keys `deleteMany` removes in one commit. */
const DELETE_BATCH = 50;

/**
 * Gives the state of one tenant in a store; `createTenantState` is what loads
 * this file, and says the rest.
 */
export function openTenantState(
  backend: StateBackend,
  tenantId: string | undefined,
  options: TenantStateOptions,
): ContextState {
  const state = new TenantState(backend, tenantId, options.now ?? Date.now);
  if (options.span === undefined) return state;
  return new TracedState(state, options.span);
}

class TenantState implements ContextState {
  readonly #backend: StateBackend;
  readonly #tenantId: string | undefined;
  readonly #now: () => number;
  /** What stands for the tenant in keys, once it is known. */
  #part: string | undefined;

  constructor(
    backend: StateBackend,
    tenantId: string | undefined,
    now: () => number,
  ) {
    this.#backend = backend;
    this.#tenantId = tenantId;
    this.#now = now;
  }

  async get<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    const part = this.#part ?? await this.#tenantPart();
    checkKey(key);
    const [entry] = await this.#backend.get([[AREA, part, key]]);
    if (!entry) return null;
    if (schema !== undefined) return await readValue(key, entry, schema);
    return fromJson(key, entry.value) as T;
  }

  async set(
    key: string,
    value: unknown,
    options: StateWriteOptions = {},
  ): Promise<void> {
    const part = this.#part ?? await this.#tenantPart();
    checkKey(key);
    const expiresAt = expiryOf(options.ttl, this.#now());
    const json = toJson(key, value);
    checkValueSize(key, json);
    await this.#write({ sets: [toSet([AREA, part, key], json, expiresAt)] });
  }

  async delete(key: string): Promise<void> {
    const part = this.#part ?? await this.#tenantPart();
    checkKey(key);
    await this.#write({ deletes: [[AREA, part, key]] });
  }

  async deleteMany(keys: readonly string[]): Promise<number> {
    const part = this.#part ?? await this.#tenantPart();
    for (const key of keys) checkKey(key);
    const all = [...new Set(keys)].map((key) => [AREA, part, key]);
    let count = 0;
    for (let start = 0; start < all.length; start += DELETE_BATCH) {
      const some = all.slice(start, start + DELETE_BATCH);
      // Checked, so that of two callers only one counts an entry.
      count += await untilDone("What was to be deleted", async () => {
        const found = (await this.#backend.get(some)).filter(isPresent);
        const done = found.length === 0 || await this.#backend.commit({
          checks: found,
          deletes: found.map((entry) => entry.key),
        });
        return done ? found.length : undefined;
      });
    }
    return count;
  }

  async getMany<T>(keys: readonly string[]): Promise<Map<string, T>> {
    const part = this.#part ?? await this.#tenantPart();
    for (const key of keys) checkKey(key);
    const all = [...new Set(keys)];
    const entries = await this.#backend.get(
      all.map((key) => [AREA, part, key]),
    );
    const found = new Map<string, T>();
    for (const [index, key] of all.entries()) {
      const entry = entries[index];
      if (entry) found.set(key, fromJson(key, entry.value) as T);
    }
    return found;
  }

  async setMany(
    entries: ReadonlyMap<string, unknown>,
    options: StateWriteOptions = {},
  ): Promise<void> {
    const part = this.#part ?? await this.#tenantPart();
    const expiresAt = expiryOf(options.ttl, this.#now());
    const sets: StateSet[] = [];
    for (const [key, value] of entries) {
      checkKey(key);
      const json = toJson(key, value);
      checkValueSize(key, json);
      sets.push(toSet([AREA, part, key], json, expiresAt));
    }
    if (sets.length === 0) return;
    checkWriteSize({ sets });
    await this.#write({ sets });
  }

  async list(
    prefix = "",
    options: StateListOptions = {},
  ): Promise<StatePage> {
    const part = this.#part ?? await this.#tenantPart();
    checkPrefix(prefix);
    const limit = checkPageSize(options.limit);
    // No tenant part holds a space, so no two lists share this text.
    const scope = `${part} ${prefix}`;
    const range = {
      prefix: [AREA, part],
      startsWith: prefix,
      limit: limit + 1,
    };
    const entries = await this.#backend.list(
      options.cursor === undefined
        ? range
        : { ...range, after: await parseCursor(scope, options.cursor) },
    );
    const items: StateItem[] = [];
    for (const entry of entries.slice(0, limit)) {
      const key = entry.key[2]!;
      items.push({ key, value: fromJson(key, entry.value) });
    }
    if (entries.length <= limit) return { items };
    return { items, cursor: await formatCursor(scope, items.at(-1)!.key) };
  }

  async take<T>(key: string, schema?: StateSchema<T>): Promise<T | null> {
    const part = this.#part ?? await this.#tenantPart();
    checkKey(key);
    const place = [AREA, part, key];
    const entry = await untilDone(`The value of "${key}"`, async () => {
      const [entry] = await this.#backend.get([place]);
      // A check that nothing is there would hold, so a miss must end here.
      if (!entry) return null;
      const taken = await this.#backend.commit({
        checks: [{ key: place, version: entry.version }],
        deletes: [place],
      });
      // Otherwise someone else has it, or it was written anew.
      return taken ? entry : undefined;
    });
    return entry && await readValue(key, entry, schema);
  }

  async update<T>(
    key: string,
    next: (current: T | null) => T | undefined | Promise<T | undefined>,
    options: StateUpdateOptions<T> = {},
  ): Promise<T | null> {
    const part = this.#part ?? await this.#tenantPart();
    checkKey(key);
    expiryOf(options.ttl, 0);
    const place = [AREA, part, key];
    return await untilDone(`The value of "${key}"`, async () => {
      const [entry] = await this.#backend.get([place]);
      const current = entry && await readValue(key, entry, options.schema);
      const value = await next(current ?? null);
      const checks = [{ key: place, version: entry?.version ?? null }];
      if (value === undefined) {
        const done = !entry ||
          await this.#backend.commit({ checks, deletes: [place] });
        return done ? null : undefined;
      }
      const json = toJson(key, value);
      checkValueSize(key, json);
      const expiresAt = options.ttl === undefined
        ? entry?.expiresAt
        : expiryOf(options.ttl, this.#now());
      const sets = [toSet(place, json, expiresAt)];
      if (!await this.#backend.commit({ checks, sets })) return undefined;
      return fromJson(key, json) as T;
    });
  }

  async #tenantPart(): Promise<string> {
    const tenantId = this.#tenantId;
    if (tenantId === undefined) {
      throw invalidRequest(
        "State needs a tenant, and this request has none: its token carries no tid claim",
      );
    }
    if (!tenantId.isWellFormed()) {
      throw invalidRequest("The tenant name is not well-formed Unicode");
    }
    this.#part = await keyPart(tenantId);
    return this.#part;
  }

  async #write(write: StateWrite): Promise<void> {
    // Without checks there is nothing that a write could lose to.
    if (await this.#backend.commit(write)) return;
    throw databaseError("The state store did not write");
  }
}

function toSet(
  key: StateKey,
  value: string,
  expiresAt: number | undefined,
): StateSet {
  return expiresAt === undefined ? { key, value } : { key, value, expiresAt };
}

function isPresent(entry: StateEntry | null): entry is StateEntry {
  return entry !== null;
}

async function readValue<T>(
  key: string,
  entry: StateEntry,
  schema: StateSchema<T> | undefined,
): Promise<T> {
  const value = fromJson(key, entry.value);
  return schema === undefined
    ? value as T
    : await validateStored(key, value, schema);
}
