import assert from "node:assert/strict";
import fc from "fast-check";
import { type ContextState, createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { Clock } from "./clock.ts";

/** What the state should do, in the plainest way. */
class Model {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { json: string; until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= this.#clock.time) return null;
    return JSON.parse(entry.json);
  }

  has(key: string): boolean {
    return (this.#entries.get(key)?.until ?? 0) > this.#clock.time;
  }

  set(key: string, value: unknown, ttl: number | undefined): void {
    const until = ttl === undefined ? Infinity : this.#clock.time + ttl * 1_000;
    this.#entries.set(key, { json: JSON.stringify(value), until });
  }

  replace(key: string, value: unknown): void {
    const until = this.has(key) ? this.#entries.get(key)!.until : Infinity;
    this.#entries.set(key, { json: JSON.stringify(value), until });
  }

  delete(key: string): boolean {
    const had = this.has(key);
    this.#entries.delete(key);
    return had;
  }

  list(prefix: string): { key: string; value: unknown }[] {
    return [...this.#entries.keys()]
      .filter((key) => key.startsWith(prefix) && this.has(key))
      .toSorted()
      .map((key) => ({ key, value: this.get(key) }));
  }
}

type Step = (state: ContextState, model: Model) => Promise<void>;

const keys = ["a", "a/", "a/1", "a/2", "a-", "A", "b", "b/1"];
const key = fc.constantFrom(...keys);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.integer({ min: 31_990, max: 32_010 }).map((length) => "x".repeat(length)),
  fc.constant("\u00e9".repeat(70_000)),
);
const ttl = fc.option(fc.constantFrom(60, 120, 600), { nil: undefined });

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(key, value, ttl).map(
    ([key, value, ttl]): Step => async (state, model) => {
      await state.set(key, value, { ttl });
      model.set(key, value, ttl);
    },
  ),
  fc.tuple(fc.uniqueArray(key, { maxLength: 4 }), value, ttl).map(
    ([keys, value, ttl]): Step => async (state, model) => {
      await state.setMany(new Map(keys.map((key) => [key, value])), { ttl });
      for (const key of keys) model.set(key, value, ttl);
    },
  ),
  key.map((key): Step => async (state, model) => {
    assert.deepEqual(await state.get(key), model.get(key));
  }),
  fc.array(key).map((keys): Step => async (state, model) => {
    const found = [...await state.getMany(keys)];
    const wanted = [...new Set(keys)].filter((key) => model.has(key));
    assert.deepEqual(found, wanted.map((key) => [key, model.get(key)]));
  }),
  key.map((key): Step => async (state, model) => {
    const wanted = model.get(key);
    model.delete(key);
    assert.deepEqual(await state.take(key), wanted);
  }),
  key.map((key): Step => async (state, model) => {
    await state.delete(key);
    model.delete(key);
  }),
  fc.array(key).map((keys): Step => async (state, model) => {
    const wanted = new Set(keys.filter((key) => model.delete(key)));
    assert.equal(await state.deleteMany(keys), wanted.size);
  }),
  fc.tuple(key, fc.option(value, { nil: undefined })).map(
    ([key, value]): Step => async (state, model) => {
      let seen: unknown;
      const result = await state.update(key, (current) => {
        seen = current;
        return value;
      });
      assert.deepEqual(seen, model.get(key));
      if (value === undefined) model.delete(key);
      else model.replace(key, value);
      assert.deepEqual(result, model.get(key));
    },
  ),
  fc.tuple(
    fc.constantFrom("", "a", "a/", "b", "c"),
    fc.integer({ min: 1, max: 9 }),
  )
    .map(([prefix, limit]): Step => async (state, model) => {
      const items: unknown[] = [];
      let cursor: string | undefined;
      do {
        const page = await state.list(prefix, { limit, cursor });
        assert.ok(page.items.length <= limit);
        items.push(...page.items);
        cursor = page.cursor;
      } while (cursor !== undefined);
      assert.deepEqual(items, model.list(prefix));
    }),
);

testEachBackend(
  "any run of operations does what a plain map does",
  async (make) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.integer({ min: 0, max: 1 }),
            step,
            fc.integer({ min: 0, max: 9 }),
          ),
          { maxLength: 40, size: "max" },
        ),
        async (steps) => {
          const clock = new Clock();
          await using made = await make(clock.now);
          const tenants = ["acme", "other"].map((tenant) => ({
            state: createTenantState(made.backend, tenant, clock),
            model: new Model(clock),
          }));
          for (const [tenant, run, wait] of steps) {
            if (wait === 0) clock.time += 60_000;
            const { state, model } = tenants[tenant]!;
            await run(state, model);
          }
        },
      ),
      { numRuns: 40 },
    );
  },
);
