import assert from "node:assert/strict";
import { z } from "zod";
import { ErrorCode } from "../../errors.ts";
import { createTenantState, memoryState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { METHODS, rejection } from "./rejection.ts";

const Item = z.object({ name: z.string(), count: z.number() });

testEachBackend(
  "a read with a schema gives its output or fails",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    await state.set("item/1", { name: "Widget", count: 42, extra: true });
    const item = await state.get("item/1", Item);
    const count: number | undefined = item?.count;
    assert.equal(count, 42);
    assert.deepEqual(item, { name: "Widget", count: 42 });
    assert.equal(await state.get("item/2", Item), null);

    await state.set("item/1", { name: "Widget", count: "private text" });
    const error = await rejection(
      () => state.get("item/1", Item),
      ErrorCode.ValidationError,
      /^The stored value of "item\/1" does not match its schema: count: /,
    );
    assert.doesNotMatch(JSON.stringify([error.message, error.data]), /private/);
  },
);

Deno.test("schemas may transform and may be asynchronous", async () => {
  const state = createTenantState(memoryState(), "acme");
  await state.set("at", new Date(0));
  const date = await state.get(
    "at",
    z.string().transform(async (text) => await Promise.resolve(new Date(text))),
  );
  assert.deepEqual(date, new Date(0));
});

Deno.test("a null in the store is checked like any value", async () => {
  const state = createTenantState(memoryState(), "acme");
  await state.set("k", null);
  assert.equal(await state.get("k", z.null()), null);
  await rejection(
    () => state.get("k", Item),
    ErrorCode.ValidationError,
    /"k" does not match its schema/,
  );
});

Deno.test("a store that holds no JSON is named, not quoted", async () => {
  const backend = memoryState();
  const state = createTenantState(backend, "acme");
  await backend.commit({
    sets: [{ key: ["tenant", "acme", "k"], value: "{private" }],
  });
  const error = await rejection(
    () => state.get("k"),
    ErrorCode.DatabaseError,
    /^The stored value of "k" cannot be read$/,
  );
  assert.equal(error.data?.["key"], "k");
});

Deno.test("every operation runs inside the span given", async () => {
  const spans: [string, string | undefined][] = [];
  const state = createTenantState(memoryState(), "acme", {
    span: async (operation, key, run) => {
      spans.push([operation, key]);
      return await run();
    },
  });
  for (const call of Object.values(METHODS)) await call(state, "k");
  assert.deepEqual(
    spans,
    Object.keys(METHODS).map((method) => [
      method,
      method.endsWith("Many") ? undefined : "k",
    ]),
  );
  await state.set("k", { name: "a", count: 1 });
  assert.deepEqual(await state.get("k", Item), { name: "a", count: 1 });
  await rejection(
    () => state.take("k", z.string()),
    ErrorCode.ValidationError,
    /does not match/,
  );
});
