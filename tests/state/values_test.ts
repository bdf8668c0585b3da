import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { rejection } from "./rejection.ts";

testEachBackend("values come back in their JSON form", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const parsed = JSON.parse('{"__proto__":{"polluted":true}}');
  const forms: [unknown, unknown][] = [
    [null, null],
    ["", ""],
    [0, 0],
    [-0, 0],
    [NaN, null],
    [Infinity, null],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [new Map([["a", 1]]), {}],
    [new Set([1]), {}],
    [new Uint8Array([1, 2]), { 0: 1, 1: 2 }],
    [{ a: undefined, b: () => 1, c: Symbol("c"), d: 1 }, { d: 1 }],
    [[undefined, () => 1, Symbol("s")], [null, null, null]],
    [{ toJSON: () => "own form" }, "own form"],
    ["\ud800 alone", "\ud800 alone"],
    ["\u0000\ufeff\u{1f600}", "\u0000\ufeff\u{1f600}"],
    [parsed, parsed],
  ];
  for (const [value, form] of forms) {
    await state.set("k", value);
    assert.deepEqual(await state.get("k"), form);
  }
  assert.equal(({} as { polluted?: unknown }).polluted, undefined);
});

testEachBackend("what is read is never the object written", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const written = { list: [1] };
  await state.set("k", written);
  written.list.push(2);
  const first = await state.get<typeof written>("k");
  first?.list.push(3);
  assert.deepEqual(await state.get("k"), { list: [1] });
});

testEachBackend("what JSON cannot carry is refused whole", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const cycle: Record<string, unknown> = {};
  cycle["self"] = { cycle };
  let deep: unknown = { toJSON: () => 1 };
  for (let depth = 0; depth < 200_000; depth++) deep = { deep };
  const values: [unknown, RegExp][] = [
    [undefined, /undefined/],
    [() => 1, /a function/],
    [Symbol("s"), /a symbol/],
    [1n, /bigint/],
    [{ a: [1n] }, /bigint/],
    [cycle, /refers to itself/],
    [deep, /nested too deeply/],
    [{ toJSON: () => undefined }, /undefined/],
    [{
      get a() {
        throw new Error("secret");
      },
    }, /reading it failed/],
  ];
  await state.set("k", "before");
  for (const [value, message] of values) {
    for (
      const write of [
        () => state.set("k", value),
        () => state.setMany(new Map([["first", 1], ["k", value]])),
      ]
    ) {
      const error = await rejection(
        write,
        ErrorCode.SerializationError,
        message,
      );
      assert.match(error.message, /"k"/);
      assert.doesNotMatch(error.message, /secret/);
    }
    if (value !== undefined) {
      await rejection(
        () => state.update("k", () => value),
        ErrorCode.SerializationError,
        message,
      );
    }
  }
  assert.equal(await state.get("k"), "before");
  assert.equal(await state.get("first"), null);
});

testEachBackend(
  "values of any size up to the limit are whole",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    const values = [
      "x".repeat(65_530),
      "x".repeat(65_531),
      "\u00e9".repeat(65_531),
      "\u6f22".repeat(20_000),
      "\u{1f600}".repeat(100_000),
      { nested: Array.from({ length: 5_000 }, (_, i) => ({ i, text: "abc" })) },
      "z".repeat(768_000 - 2),
    ];
    for (const [index, value] of values.entries()) {
      await state.set(`v/${index}`, value);
    }
    for (const [index, value] of values.entries()) {
      assert.deepEqual(await state.get(`v/${index}`), value);
    }
    const { items } = await state.list("v/");
    assert.deepEqual(items.map((item) => item.value), values);
    const many = await state.getMany(values.map((_, index) => `v/${index}`));
    assert.deepEqual([...many.values()], values);
    assert.deepEqual(await state.take("v/4"), values[4]);
    assert.equal(await state.take("v/4"), null);
  },
);

testEachBackend("a value over the limit is refused", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  await state.set("big", "before");
  for (const value of ["x".repeat(768_000 - 1), "\u6f22".repeat(256_001)]) {
    const size = new TextEncoder().encode(JSON.stringify(value)).length;
    for (
      const write of [
        () => state.set("big", value),
        () =>
          state.setMany(new Map<string, unknown>([["a", 1], ["big", value]])),
        () => state.update("big", () => value),
      ]
    ) {
      const error = await rejection(
        write,
        ErrorCode.ValidationError,
        /"big".*over the limit of 768000 bytes/,
      );
      assert.ok(error.message.includes(`${size} bytes`), error.message);
      assert.deepEqual(error.data, { key: "big", size, limit: 768_000 });
    }
  }
  assert.equal(await state.get("big"), "before");
  assert.equal(await state.get("a"), null);
});

testEachBackend("a batch that does not fit is refused whole", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const batch = (count: number, key: string, value: unknown) =>
    new Map(Array.from({ length: count }, (_, i) => [`${key}${i}`, value]));
  const tooMuch: [Map<string, unknown>, RegExp][] = [
    [batch(1_001, "k", 1), /1001 entries is over the limit of 1000 entries/],
    [batch(30, "k", "x".repeat(30_000)), /bytes is over the limit of 819200/],
    [batch(21, "k", "\u6f22".repeat(20_000)), /bytes is over the limit/],
    [batch(100, "k".repeat(1_000), 1), /bytes of keys is over the limit/],
  ];
  for (const [entries, message] of tooMuch) {
    await rejection(
      () => state.setMany(entries),
      ErrorCode.ValidationError,
      message,
    );
  }
  assert.deepEqual(await state.list(), { items: [] });
  await state.setMany(batch(1_000, "k", 1));
  await state.setMany(batch(12, "long/", "x".repeat(60_000)));
  await state.setMany(batch(70, "k".repeat(1_000), 1));
  assert.equal((await state.getMany(["k0", "k999", "long/11"])).size, 3);
});
