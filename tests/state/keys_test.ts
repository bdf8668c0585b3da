import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { METHODS, rejection } from "./rejection.ts";

const BAD_KEYS: [key: unknown, rule: RegExp][] = [
  ["item:123", /"item:123" may hold only/],
  ["a b", /"a b" may hold only/],
  ["a\n", /"a\\n" may hold only/],
  ["\u00e9", /"\\u00e9" may hold only/],
  ["e\u0301", /may hold only/],
  ["\ud800", /"\\ud800" may hold only/],
  ["\u202eevil", /"\\u202eevil" may hold only/],
  ["a\u0000b", /may hold only/],
  ["a%2f", /may hold only/],
  ["a\\b", /may hold only/],
  ["..", /may not hold "\.\."/],
  ["a/../b", /may not hold "\.\."/],
  ["a..b", /may not hold "\.\."/],
  ["k".repeat(1_025), /has 1025 characters, over the limit of 1024/],
  ["k".repeat(100_000), /has 100000 characters/],
  [42, /not a string/],
  [null, /not a string/],
  [["a"], /not a string/],
  [{ toString: () => "a" }, /not a string/],
];

testEachBackend("a bad key is refused on every method", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  for (const [method, call] of Object.entries(METHODS)) {
    for (const [key, rule] of [...BAD_KEYS, ["", /is empty/] as const]) {
      // An empty prefix is the whole list.
      if (key === "" && method === "list") continue;
      const error = await rejection(
        () => call(state, key as string),
        ErrorCode.ValidationError,
        rule,
      );
      assert.match(error.message, /^[\x20-\x7e]{1,200}$/);
    }
  }
  assert.deepEqual(await state.list(), { items: [] });
});

testEachBackend("a hole in a list of keys is refused", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const keys = new Array<string>(1);
  await rejection(
    () => state.getMany(keys),
    ErrorCode.ValidationError,
    /not a string/,
  );
  await rejection(
    () => state.deleteMany(keys),
    ErrorCode.ValidationError,
    /not a string/,
  );
});

testEachBackend("every key within the rules is its own", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const keys = [
    "a",
    "A",
    ".",
    "./alice",
    "alice/.",
    "alice",
    "alice/",
    "/alice",
    "a//b",
    "a/b",
    "a.b",
    "a_b",
    "a-b",
    "-",
    "_",
    "/",
    "__proto__",
    "constructor",
    "toString",
    "0",
    "k".repeat(1_024),
    "k".repeat(1_023),
    "k".repeat(64) + "1",
    "k".repeat(64) + "2",
  ];
  for (const [index, key] of keys.entries()) await state.set(key, index);
  for (const [index, key] of keys.entries()) {
    assert.equal(await state.get(key), index);
  }
  const { items } = await state.list();
  assert.deepEqual(items.map((item) => item.key), keys.toSorted());
  const many = await state.getMany(["__proto__", "constructor", "valueOf"]);
  assert.deepEqual([...many.keys()], ["__proto__", "constructor"]);
});
