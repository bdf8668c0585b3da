import assert from "node:assert/strict";
import type { StateBackend, StateEntry, StateKey } from "./backend.ts";
import { StateLimits } from "./limits.ts";

/** One case of {@linkcode stateBackendSuite}. */
export interface StateBackendCase {
  /** What it holds the backend to. */
  readonly name: string;
  /** Runs it; rejects when the backend does otherwise. */
  run(): Promise<void>;
}

/**
 * Gives the cases that every {@linkcode StateBackend} must pass, for any test
 * runner. Each writes under keys of its own, so they may share one database.
 *
 * ```ts
 * import { stateBackendSuite } from "@parley/mcp/testing";
 * import { memoryState } from "@parley/mcp/state";
 *
 * for (const { name, run } of stateBackendSuite(() => memoryState())) {
 *   console.log(name);
 *   await run();
 * }
 * ```
 *
 * @param make Gives the backend to test. It is called and the backend closed
 *   once for each case.
 */
export function stateBackendSuite(
  make: () => StateBackend | Promise<StateBackend>,
): StateBackendCase[] {
  return Object.entries(CASES).map(([name, check]) => ({
    name,
    async run() {
      const backend = await make();
      try {
        await check(backend, ["suite", crypto.randomUUID()]);
      } finally {
        await backend.close();
      }
    },
  }));
}

type Check = (backend: StateBackend, area: StateKey) => Promise<void>;

const PRINTABLE = Array.from(
  { length: 0x7e - 0x21 + 1 },
  (_, index) => String.fromCharCode(0x21 + index),
);

const CASES: Readonly<Record<string, Check>> = {
  "get answers each key in its place, null where nothing is": async (
    backend,
    area,
  ) => {
    const a = [...area, "a"];
    const none = [...area, "none"];
    await set(backend, a, "1");
    const entries = await backend.get([none, a, none, a]);
    assert.deepEqual(entries.map(valueOf), [null, "1", null, "1"]);
    assert.deepEqual(entries[1]?.key, a);
    assert.deepEqual(await backend.get([]), []);
  },

  "get reads more keys than any store gives at once": async (backend, area) => {
    const keys = Array.from({ length: 150 }, (_, i) => [...area, `k${i}`]);
    await backend.commit({
      sets: keys.map((key, i) => ({ key, value: `${i}` })),
    });
    const entries = await backend.get(keys);
    assert.deepEqual(entries.map(valueOf), keys.map((_, i) => `${i}`));
  },

  "values come back to the letter": async (backend, area) => {
    const values = [
      "null",
      '""',
      '{"__proto__":{"a":1}}',
      JSON.stringify("\u0000\u001f\u007f\u2028\ufeff\ud83d\ude00\u00e9e\u0301"),
      '"\ufeff\u00e9\ud83d\ude00"',
      JSON.stringify("x".repeat(65_530)),
      JSON.stringify("\u00e9".repeat(65_531)),
      JSON.stringify("\u6f22".repeat(20_000)),
      JSON.stringify("\ud83d\ude00".repeat(60_000)),
    ];
    for (const [index, value] of values.entries()) {
      await set(backend, [...area, `v${index}`], value);
    }
    for (const [index, value] of values.entries()) {
      assert.equal(await read(backend, [...area, `v${index}`]), value);
    }
  },

  "the largest value fits, under the longest key": async (backend, area) => {
    const key = [...area, "k".repeat(StateLimits.keyLength)];
    const value = JSON.stringify("y".repeat(StateLimits.valueBytes - 2));
    await set(backend, key, value);
    assert.equal(await read(backend, key), value);
    const [listed] = await backend.list({ prefix: area, limit: 10 });
    assert.equal(listed?.value, value);
    await set(backend, key, '"small"');
    assert.equal(await read(backend, key), '"small"');
    await backend.commit({ deletes: [key] });
    assert.equal(await read(backend, key), null);
  },

  "a thousand values are written in one commit": async (backend, area) => {
    const sets = Array.from(
      { length: StateLimits.writes },
      (_, i) => ({ key: [...area, `${i}`], value: `${i}` }),
    );
    assert.equal(await backend.commit({ sets }), true);
    const entries = await backend.list({ prefix: area, limit: 1_001 });
    assert.equal(entries.length, StateLimits.writes);
  },

  "parts keep every printable character and its case": async (
    backend,
    area,
  ) => {
    const sets = PRINTABLE.map((char) => ({
      key: [...area, char],
      value: JSON.stringify(char),
    }));
    assert.equal(await backend.commit({ sets }), true);
    for (const char of PRINTABLE) {
      assert.equal(
        await read(backend, [...area, char]),
        JSON.stringify(char),
      );
    }
    const listed = await backend.list({ prefix: area, limit: 1_000 });
    assert.deepEqual(listed.map(nameOf), PRINTABLE);
  },

  "keys that only read alike when joined are different": async (
    backend,
    area,
  ) => {
    const keys = [
      [...area, "ab", "c"],
      [...area, "a", "bc"],
      [...area, "a/b", "c"],
      [...area, "a", "b/c"],
      [...area, "ab"],
      [...area, "abc"],
      [...area, "a,b", "c"],
      [...area, "a", "b,c"],
    ];
    await backend.commit({
      sets: keys.map((key, index) => ({ key, value: `${index}` })),
    });
    const entries = await backend.get(keys);
    assert.deepEqual(entries.map(valueOf), keys.map((_, i) => `${i}`));
  },

  "list gives one level, in ASCII order": async (backend, area) => {
    const names = ["b", "a", "a0", "a-", "a/b", "A", "_", "10", "9", "a."];
    await backend.commit({
      sets: [
        ...names.map((name) => ({ key: [...area, name], value: "1" })),
        { key: [...area, "a", "below"], value: "2" },
        { key: [...area.slice(0, -1), area.at(-1) + "x"], value: "3" },
        { key: [...area.slice(0, -1), area.at(-1) + "x", "a"], value: "4" },
      ],
    });
    const listed = await backend.list({ prefix: area, limit: 100 });
    assert.deepEqual(listed.map(nameOf), names.toSorted(compare));
    assert.deepEqual(listed[0]?.key, [...area, "10"]);
    const none = await backend.list({ prefix: [...area, "b"], limit: 100 });
    assert.deepEqual(none, []);
  },

  "list keeps to the start, the position and the limit asked for": async (
    backend,
    area,
  ) => {
    const names = ["a%", "a%1", "a%2", "a_1", "a_2", "ab", "b", "B", "a"];
    await backend.commit({
      sets: names.map((name) => ({ key: [...area, name], value: "1" })),
    });
    const list = async (range: object) =>
      (await backend.list({ prefix: area, limit: 100, ...range })).map(nameOf);
    assert.deepEqual(await list({ startsWith: "a%" }), ["a%", "a%1", "a%2"]);
    assert.deepEqual(await list({ startsWith: "a_" }), ["a_1", "a_2"]);
    assert.deepEqual(await list({ startsWith: "a_", after: "a_1" }), ["a_2"]);
    assert.deepEqual(await list({ startsWith: "a_", after: "a" }), [
      "a_1",
      "a_2",
    ]);
    assert.deepEqual(await list({ startsWith: "a_", after: "b" }), []);
    assert.deepEqual(await list({ after: "a_15" }), ["a_2", "ab", "b"]);
    assert.deepEqual(await list({ after: "a", limit: 2 }), ["a%", "a%1"]);
    assert.deepEqual(await list({ startsWith: "zz" }), []);
  },

  "versions change with every write and never come back": async (
    backend,
    area,
  ) => {
    const key = [...area, "k"];
    const seen = new Set<string>();
    for (let round = 0; round < 5; round++) {
      await set(backend, key, "1");
      seen.add((await entryAt(backend, key)).version);
      await set(backend, key, "1");
      seen.add((await entryAt(backend, key)).version);
      await backend.commit({ deletes: [key] });
    }
    assert.equal(seen.size, 10);
    await set(backend, key, "1");
    const { version } = await entryAt(backend, key);
    await set(backend, [...area, "other"], "1");
    assert.equal((await entryAt(backend, key)).version, version);
    const [listed] = await backend.list({ prefix: area, limit: 1 });
    assert.equal(listed?.version, version);
  },

  "a commit whose checks hold writes all of it": async (backend, area) => {
    const [a, b, c] = [[...area, "a"], [...area, "b"], [...area, "c"]];
    await set(backend, a, "1");
    await set(backend, b, "1");
    const { version } = await entryAt(backend, a);
    const done = await backend.commit({
      checks: [{ key: a, version }, { key: c, version: null }],
      sets: [{ key: c, value: "2" }],
      deletes: [a, b],
    });
    assert.equal(done, true);
    const entries = await backend.get([a, b, c]);
    assert.deepEqual(entries.map(valueOf), [null, null, "2"]);
  },

  "a commit with a check that fails writes nothing": async (backend, area) => {
    const [a, b, c] = [[...area, "a"], [...area, "b"], [...area, "c"]];
    await set(backend, a, "1");
    const { version: old } = await entryAt(backend, a);
    await set(backend, a, "2");
    await set(backend, b, "1");
    const { version } = await entryAt(backend, b);
    for (
      const failing of [
        { key: a, version: old },
        { key: a, version: null },
        { key: c, version },
      ]
    ) {
      const done = await backend.commit({
        checks: [{ key: b, version }, failing],
        sets: [{ key: c, value: "3" }],
        deletes: [a, b],
      });
      assert.equal(done, false);
    }
    const entries = await backend.get([a, b, c]);
    assert.deepEqual(entries.map(valueOf), ["2", "1", null]);
  },

  "a commit takes a hundred checks": async (backend, area) => {
    const keys = Array.from(
      { length: StateLimits.checks },
      (_, i) => [...area, `${i}`],
    );
    const checks = keys.map((key) => ({ key, version: null }));
    const sets = keys.slice(-1).map((key) => ({ key, value: "1" }));
    assert.equal(await backend.commit({ checks, sets }), true);
    assert.equal(await backend.commit({ checks, sets }), false);
  },

  "deleting what is not there does nothing": async (backend, area) => {
    const key = [...area, "none"];
    assert.equal(await backend.commit({ deletes: [key] }), true);
    assert.equal(await read(backend, key), null);
  },

  "of many who check and delete at once, one succeeds": async (
    backend,
    area,
  ) => {
    const key = [...area, "k"];
    await set(backend, key, "1");
    const { version } = await entryAt(backend, key);
    const takers = Array.from(
      { length: 20 },
      () => backend.commit({ checks: [{ key, version }], deletes: [key] }),
    );
    const won = (await Promise.all(takers)).filter((done) => done);
    assert.equal(won.length, 1);
  },

  "no write is lost between those who check and set at once": async (
    backend,
    area,
  ) => {
    const key = [...area, "counter"];
    const add = async () => {
      for (;;) {
        const [entry] = await backend.get([key]);
        const done = await backend.commit({
          checks: [{ key, version: entry?.version ?? null }],
          sets: [{ key, value: `${Number(entry?.value ?? 0) + 1}` }],
        });
        if (done) return;
      }
    };
    await Promise.all(Array.from({ length: 20 }, add));
    assert.equal(await read(backend, key), "20");
  },

  "an expired entry is not read or listed": async (backend, area) => {
    const [gone, here] = [[...area, "gone"], [...area, "here"]];
    const expiresAt = Date.now() + 3_600_000;
    await set(backend, gone, "1", Date.now() - 1);
    await set(backend, here, "2", expiresAt);
    const entries = await backend.get([gone, here]);
    assert.deepEqual(entries.map(valueOf), [null, "2"]);
    assert.equal(entries[1]?.expiresAt, expiresAt);
    const listed = await backend.list({ prefix: area, limit: 1 });
    assert.deepEqual(listed.map(nameOf), ["here"]);
    assert.equal(listed[0]?.expiresAt, expiresAt);
  },

  "an entry expires at its moment": async (backend, area) => {
    const key = [...area, "k"];
    const expiresAt = Date.now() + 40;
    await set(backend, key, "1", expiresAt);
    const { version } = await entryAt(backend, key);
    while (Date.now() < expiresAt) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(await read(backend, key), null);
    const taken = await backend.commit({
      checks: [{ key, version }],
      deletes: [key],
    });
    assert.equal(taken, false);
  },

  "an expired entry counts as absent in checks": async (backend, area) => {
    const [key, long] = [[...area, "k"], [...area, "long"]];
    await set(backend, key, "1", Date.now() - 1);
    await set(
      backend,
      long,
      JSON.stringify("x".repeat(90_000)),
      Date.now() - 1,
    );
    const done = await backend.commit({
      checks: [{ key, version: null }, { key: long, version: null }],
      sets: [{ key, value: "2" }, { key: long, value: "3" }],
    });
    assert.equal(done, true);
    const entries = await backend.get([key, long]);
    assert.deepEqual(entries.map(valueOf), ["2", "3"]);
    assert.equal(entries[0]?.expiresAt, undefined);
  },

  "a new write takes the expiry away or changes it": async (backend, area) => {
    const key = [...area, "k"];
    await set(backend, key, "1", Date.now() + 30);
    await set(backend, key, "2");
    await new Promise((resolve) => setTimeout(resolve, 60));
    assert.equal(await read(backend, key), "2");
    await set(backend, key, "3", Date.now() - 1);
    assert.equal(await read(backend, key), null);
  },

  "a list goes on past expired entries": async (backend, area) => {
    const sets = Array.from({ length: 60 }, (_, index) => {
      const set = { key: [...area, `${100 + index}`], value: `${index}` };
      return index % 20 === 19 ? set : { ...set, expiresAt: Date.now() - 1 };
    });
    await backend.commit({ sets });
    const listed = await backend.list({ prefix: area, limit: 2 });
    assert.deepEqual(listed.map(nameOf), ["119", "139"]);
    const rest = await backend.list({ prefix: area, after: "119", limit: 9 });
    assert.deepEqual(rest.map(nameOf), ["139", "159"]);
  },

  "a closed backend refuses every call": async (backend, area) => {
    const key = [...area, "k"];
    await set(backend, key, "1");
    await backend.close();
    await assert.rejects(() => backend.get([key]));
    await assert.rejects(() => backend.list({ prefix: area, limit: 1 }));
    await assert.rejects(() => backend.commit({ deletes: [key] }));
  },
};

async function set(
  backend: StateBackend,
  key: StateKey,
  value: string,
  expiresAt?: number,
): Promise<void> {
  const write = expiresAt === undefined
    ? { key, value }
    : { key, value, expiresAt };
  assert.equal(await backend.commit({ sets: [write] }), true);
}

async function read(
  backend: StateBackend,
  key: StateKey,
): Promise<string | null> {
  const [entry] = await backend.get([key]);
  return entry?.value ?? null;
}

async function entryAt(
  backend: StateBackend,
  key: StateKey,
): Promise<StateEntry> {
  const [entry] = await backend.get([key]);
  assert.ok(entry, `nothing at ${key.join(" ")}`);
  return entry;
}

function valueOf(entry: StateEntry | null): string | null {
  return entry?.value ?? null;
}

function nameOf(entry: StateEntry): string | undefined {
  return entry.key.at(-1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
