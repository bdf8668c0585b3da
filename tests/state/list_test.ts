import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { type ContextState, createTenantState } from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { rejection } from "./rejection.ts";

async function fill(state: ContextState, prefix: string, count: number) {
  const keys = Array.from(
    { length: count },
    (_, index) => `${prefix}${String(index).padStart(4, "0")}`,
  );
  await state.setMany(new Map(keys.map((key) => [key, key])));
  return keys;
}

async function allPages(
  state: ContextState,
  prefix: string,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await state.list(prefix, { limit, cursor });
    pages.push(page.items.map((item) => item.key));
    cursor = page.cursor;
    if (cursor !== undefined) assert.match(cursor, /^[A-Za-z0-9_-]+$/);
    await between();
  } while (cursor !== undefined);
  return pages;
}

testEachBackend("pages cover a list once, in order", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const keys = await fill(state, "item/", 25);
  await fill(state, "item", 3);
  await fill(state, "items/", 3);
  for (const limit of [1, 7, 24, 25, 26, 1_000]) {
    const pages = await allPages(state, "item/", limit);
    assert.deepEqual(pages.flat(), keys);
    assert.equal(pages.length, Math.ceil(25 / limit));
  }
  assert.equal((await state.list("item")).items.length, 31);
  assert.equal((await state.list()).items.length, 31);
  assert.deepEqual(await state.list("none/"), { items: [] });
});

testEachBackend("a page has 100 items unless told otherwise", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  await fill(state, "k", 1_000);
  const page = await state.list();
  assert.equal(page.items.length, 100);
  assert.ok(page.cursor);
  const whole = await state.list("", { limit: 1_000 });
  assert.equal(whole.items.length, 1_000);
  assert.equal(whole.cursor, undefined);
});

testEachBackend("pages stay whole while others write", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  const keys = await fill(state, "k", 30);
  let round = 0;
  const pages = await allPages(state, "k", 4, async () => {
    // What was given goes, and what comes is before and behind the position.
    await state.delete(keys[round]!);
    await state.set(`k${String(round).padStart(4, "0")}-new`, 1);
    await state.set(`k9${round}`, 1);
    round++;
  });
  const seen = pages.flat();
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(seen, seen.toSorted());
  assert.deepEqual(seen.filter((key) => keys.includes(key)), keys);
});

testEachBackend("a cursor serves only the list it is of", async (make) => {
  await using made = await make();
  const acme = createTenantState(made.backend, "acme");
  const other = createTenantState(made.backend, "other");
  await fill(acme, "item/", 4);
  await fill(other, "item/", 4);
  await fill(acme, "note/", 4);
  const { cursor } = await acme.list("item/", { limit: 2 });
  assert.ok(cursor);
  const refused: [ContextState, string, unknown][] = [
    [other, "item/", cursor],
    [acme, "note/", cursor],
    [acme, "item", cursor],
    [acme, "", cursor],
    [acme, "item/", cursor.slice(1)],
    [acme, "item/", "A" + cursor],
    [acme, "item/", cursor.slice(0, 16)],
    [acme, "item/", "B" + cursor.slice(1)],
    [acme, "item/", ""],
    [acme, "item/", "not base64url!"],
    [acme, "item/", "AAAA"],
    [acme, "item/", cursor + "="],
    [acme, "item/", 7],
    [acme, "item/", null],
  ];
  for (const [state, prefix, used] of refused) {
    const error = await rejection(
      () => state.list(prefix, { cursor: used as string }),
      ErrorCode.InvalidParams,
      /^The cursor is not one that this list gave; start again without a cursor$/,
    );
    assert.equal(error.data, undefined);
  }
});

testEachBackend("a forged position stays within the list", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  await fill(state, "item/", 4);
  await fill(state, "zebra/", 4);
  await fill(state, "a/", 4);
  const { cursor } = await state.list("item/", { limit: 2 });
  const binding = atob(cursor!.replaceAll("-", "+").replaceAll("_", "/"))
    .slice(0, 12);
  for (const position of ["zebra/", "a", "\0", "\xff", "item/0001\0", " "]) {
    const forged = btoa(binding + position)
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const { items } = await state.list("item/", { cursor: forged });
    assert.ok(items.every((item) => item.key.startsWith("item/")));
  }
});

testEachBackend("only a whole limit from 1 to 1,000 is taken", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, "acme");
  for (const limit of [0, -1, 1.5, 1_001, NaN, Infinity, "10", null]) {
    await rejection(
      () => state.list("", { limit: limit as number }),
      ErrorCode.ValidationError,
      /limit is .*whole number from 1 to 1000/,
    );
  }
});

testEachBackend(
  "getMany gives what is there, in the order asked",
  async (make) => {
    await using made = await make();
    const state = createTenantState(made.backend, "acme");
    const keys = await fill(state, "k", 40);
    const asked = ["none", ...keys.toReversed(), keys[3]!];
    const found = await state.getMany<string>(asked);
    assert.deepEqual([...found.keys()], keys.toReversed());
    assert.deepEqual([...found.values()], keys.toReversed());
    assert.deepEqual(await state.getMany([]), new Map());
    await state.setMany(new Map());
  },
);
