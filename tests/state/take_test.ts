import assert from "node:assert/strict";
import { z } from "zod";
import { ErrorCode } from "../../errors.ts";
import { createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { rejection } from "./rejection.ts";

testEachBackend("exactly one of many takers gets the value", async (make) => {
  await using made = await make();
  const states = Array.from(
    { length: 8 },
    () => createTenantState(made.backend, "acme"),
  );
  for (const value of ["short", "x".repeat(100_000), null, false, 0]) {
    await states[0]!.set("k", { value });
    const takes = Array.from(
      { length: 40 },
      (_, index) => states[index % 8]!.take("k"),
    );
    const got = (await Promise.all(takes)).filter((taken) => taken !== null);
    assert.deepEqual(got, [{ value }]);
    assert.equal(await states[0]!.get("k"), null);
  }
});

testEachBackend(
  "taking what is not there is a miss, every time",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    assert.equal(await state.take("k"), null);
    await state.set("k", 1);
    await state.delete("k");
    assert.equal(await state.take("k"), null);
    await state.set("k", 2);
    assert.equal(await state.take("k"), 2);
    assert.equal(await state.take("k"), null);
  },
);

testEachBackend(
  "takers and writers together lose and double nothing",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    const taken: number[] = [];
    let writing = true;
    const taker = async () => {
      while (writing) {
        const value = await state.take<number>("k");
        if (value !== null) taken.push(value);
        await new Promise((resolve) => setTimeout(resolve));
      }
    };
    const takers = [taker(), taker(), taker()];
    for (let value = 1; value <= 30; value++) {
      // A write over a value not taken yet would rightly drop it.
      while (await state.get("k") !== null) {
        await new Promise((resolve) => setTimeout(resolve));
      }
      await state.set("k", value);
    }
    while (await state.get("k") !== null) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    writing = false;
    await Promise.all(takers);
    assert.deepEqual(
      taken.toSorted((a, b) => a - b),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  },
);

testEachBackend(
  "a taken value that fails its schema is spent",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    const schema = z.object({ operation: z.literal("delete") });
    await state.set("k", { operation: "delete" });
    const record = await state.take("k", schema);
    assert.equal(record?.operation, "delete");
    await state.set("k", { operation: "other" });
    await rejection(
      () => state.take("k", schema),
      ErrorCode.ValidationError,
      /"k" does not match its schema: operation: /,
    );
    assert.equal(await state.take("k", schema), null);
  },
);

testEachBackend("deleteMany counts each removal once", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const keys = Array.from({ length: 120 }, (_, index) => `k/${index}`);
  await state.setMany(new Map(keys.map((key) => [key, 1])));
  const counts = await Promise.all([
    state.deleteMany([...keys, ...keys, "none"]),
    state.deleteMany(keys.toReversed()),
    state.deleteMany(keys),
  ]);
  assert.equal(counts.reduce((sum, count) => sum + count), 120);
  assert.deepEqual(await state.list(), { items: [] });
  assert.equal(await state.deleteMany([]), 0);
});
