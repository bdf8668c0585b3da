import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { Clock } from "./clock.ts";
import { rejection } from "./rejection.ts";

// The clock is moved by hand, so the stores still hold what has expired.

testEachBackend("an expired value is gone from every method", async (make) => {
  const clock = new Clock();
  await using made = await make(clock.now);
  const state = createTenantState(made.backend, "acme", clock);
  await state.set("stays", 0);
  await state.set("k", 1, { ttl: 60 });
  await state.setMany(new Map([["k/1", 1], ["k/2", 2]]), { ttl: 60 });
  await state.set("long", "x".repeat(100_000), { ttl: 60 });

  clock.time += 59_999;
  assert.equal(await state.get("k"), 1);
  assert.equal((await state.list()).items.length, 5);

  clock.time += 1;
  assert.equal(await state.get("k"), null);
  assert.equal(await state.get("long"), null);
  assert.deepEqual([...await state.getMany(["k", "stays", "k/1"])], [
    ["stays", 0],
  ]);
  assert.deepEqual(await state.list(), { items: [{ key: "stays", value: 0 }] });
  assert.equal(await state.deleteMany(["k/1", "stays"]), 1);
  assert.equal(await state.take("k"), null);
  await state.update("k/2", (current) => {
    assert.equal(current, null);
    return 3;
  });
  assert.equal(await state.get("k/2"), 3);
  await state.set("long", "new");
  assert.equal(await state.take("long"), "new");
});

testEachBackend(
  "a value that expires while it is taken is not given",
  async (make) => {
    const clock = new Clock();
    await using made = await make(clock.now);
    const { backend } = made;
    const state = createTenantState(
      {
        name: "late",
        shared: false,
        durable: false,
        async get(keys) {
          const entries = await backend.get(keys);
          clock.time += 60_000;
          return entries;
        },
        list: (range) => backend.list(range),
        commit: (write) => backend.commit(write),
        close: () => backend.close(),
      },
      "acme",
      clock,
    );
    await state.set("k", 1, { ttl: 60 });
    assert.equal(await state.take("k"), null);
    await state.set("k", 1, { ttl: 60 });
    assert.equal(await state.deleteMany(["k"]), 0);
  },
);

testEachBackend("only a positive finite ttl is taken", async (make) => {
  const clock = new Clock();
  await using made = await make(clock.now);
  const state = createTenantState(made.backend, "acme", clock);
  const bad: unknown[] = [
    0,
    -0,
    -1,
    -0.5,
    NaN,
    Infinity,
    -Infinity,
    "60",
    null,
  ];
  for (const ttl of bad) {
    const options = { ttl: ttl as number };
    for (
      const write of [
        () => state.set("k", 1, options),
        () => state.setMany(new Map([["k", 1]]), options),
        () => state.update("k", () => 1, options),
      ]
    ) {
      await rejection(write, ErrorCode.ValidationError, /ttl is .*positive/);
    }
  }
  assert.equal(await state.get("k"), null);
  for (
    const ttl of [0.001, 1.5, 1e9, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]
  ) {
    await state.set("k", ttl, { ttl });
    assert.equal(await state.get("k"), ttl);
  }
  await state.set("k", 1, { ttl: undefined });
  clock.time += 1e12;
  assert.equal(await state.get("k"), 1);
});

testEachBackend("fractions of a second count", async (make) => {
  const clock = new Clock();
  await using made = await make(clock.now);
  const state = createTenantState(made.backend, "acme", clock);
  await state.set("k", 1, { ttl: 90.5 });
  clock.time += 90_499;
  assert.equal(await state.get("k"), 1);
  clock.time += 1;
  assert.equal(await state.get("k"), null);
});

testEachBackend("set drops an old expiry, update keeps it", async (make) => {
  const clock = new Clock();
  await using made = await make(clock.now);
  const state = createTenantState(made.backend, "acme", clock);
  await state.set("set", 1, { ttl: 60 });
  await state.set("set", 2);
  await state.set("kept", 1, { ttl: 60 });
  await state.update<number>("kept", (count) => count! + 1);
  await state.set("longer", 1, { ttl: 60 });
  await state.update<number>("longer", (count) => count! + 1, { ttl: 120 });
  clock.time += 60_000;
  assert.equal(await state.get("set"), 2);
  assert.equal(await state.get("kept"), null);
  assert.equal(await state.get("longer"), 2);
  clock.time += 60_000;
  assert.equal(await state.get("longer"), null);
});

testEachBackend("expired values leave room for what follows", async (make) => {
  const clock = new Clock();
  await using made = await make(clock.now);
  const state = createTenantState(made.backend, "acme", clock);
  for (let index = 100; index < 160; index++) {
    await state.set(`k/${index}`, index, index % 10 === 0 ? {} : { ttl: 60 });
  }
  clock.time += 60_000;
  const first = await state.list("k/", { limit: 4 });
  assert.deepEqual(first.items.map(({ value }) => value), [100, 110, 120, 130]);
  assert.ok(first.cursor);
  const { items, cursor } = await state.list("k/", {
    limit: 4,
    cursor: first.cursor,
  });
  assert.deepEqual(items.map(({ value }) => value), [140, 150]);
  assert.equal(cursor, undefined);
});
