import assert from "node:assert/strict";
import { z } from "zod";
import { ErrorCode } from "../../errors.ts";
import { createTenantState, memoryState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { rejection } from "./rejection.ts";

testEachBackend("no update is lost among many at once", async (make) => {
  await using made = await make();
  const states = Array.from(
    { length: 4 },
    () => createTenantState(made.backend, "acme"),
  );
  const results = await Promise.all(
    Array.from(
      { length: 100 },
      (_, index) =>
        states[index % 4]!.update<number>("n", async (count) => {
          await Promise.resolve();
          return (count ?? 0) + 1;
        }),
    ),
  );
  assert.equal(await states[0]!.get("n"), 100);
  assert.equal(new Set(results).size, 100);
});

testEachBackend("update writes, removes, or does nothing", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  assert.equal(await state.update("k", () => undefined), null);
  assert.equal(await state.get("k"), null);
  const written = { at: new Date(0) };
  const result = await state.update<unknown>("k", () => written);
  assert.deepEqual(result, { at: "1970-01-01T00:00:00.000Z" });
  await state.update<{ at: string; long?: string }>("k", (current) => ({
    at: current?.at ?? "",
    long: "x".repeat(100_000),
  }));
  assert.equal((await state.get<{ long: string }>("k"))?.long.length, 100_000);
  assert.equal(await state.update("k", () => null), null);
  assert.deepEqual((await state.list()).items, [{ key: "k", value: null }]);
  assert.equal(await state.update("k", () => undefined), null);
  assert.deepEqual(await state.list(), { items: [] });
});

testEachBackend("a failing function leaves the value alone", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  await state.set("k", 1);
  const failure = new RangeError("no");
  await assert.rejects(
    () =>
      state.update("k", () => {
        throw failure;
      }),
    failure,
  );
  assert.equal(await state.get("k"), 1);
});

testEachBackend("update sees the value as its schema has it", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const schema = z.object({ count: z.number() });
  const add = () =>
    state.update("k", (item) => ({ count: (item?.count ?? 0) + 1 }), {
      schema,
    });
  assert.deepEqual(await add(), { count: 1 });
  assert.deepEqual(await add(), { count: 2 });
  await state.set("k", { count: "two" });
  await rejection(add, ErrorCode.ValidationError, /"k" does not match/);
  assert.deepEqual(await state.get("k"), { count: "two" });
});

Deno.test("update gives up with a conflict when others never stop", async () => {
  const state = createTenantState(memoryState(), "acme");
  let others = 0;
  await rejection(
    () =>
      state.update("k", async () => {
        await state.set("k", ++others);
        return "mine";
      }),
    ErrorCode.Conflict,
    /"k" kept changing; gave up after 100 attempts/,
  );
  assert.ok(others > 1);
  assert.equal(await state.get("k"), others);
});
