import assert from "node:assert/strict";
import fc from "fast-check";
import { ErrorCode } from "../../errors.ts";
import {
  type ContextState,
  createTenantState,
  type StateBackend,
} from "../../state/mod.ts";
import { testEachBackend } from "./backends.ts";
import { METHODS, rejection } from "./rejection.ts";

testEachBackend("without a tenant every method refuses", async (make) => {
  await using made = await make();
  const state = createTenantState(made.backend, undefined);
  for (const call of Object.values(METHODS)) {
    await rejection(
      () => call(state, "k"),
      ErrorCode.InvalidRequest,
      /needs a tenant/,
    );
  }
});

testEachBackend("an ill-formed tenant is refused everywhere", async (make) => {
  await using made = await make();
  for (const tenant of ["\ud800", "\ud801", "a\udc00b", "\udc00\ud800"]) {
    const state = createTenantState(made.backend, tenant);
    for (const call of Object.values(METHODS)) {
      await rejection(
        () => call(state, "k"),
        ErrorCode.InvalidRequest,
        /not well-formed/,
      );
    }
  }
});

testEachBackend("tenants that look alike share nothing", async (make) => {
  await using made = await make();
  const long = "t".repeat(3_000);
  const tenants = [
    "",
    "default",
    "Default",
    "default ",
    " ",
    "a",
    "a:b",
    "a/b",
    "a%2Fb",
    "a%252Fb",
    ".",
    "..",
    "./alice",
    "alice/.",
    "alice",
    "alice@corp.com",
    "alice_corp_com",
    "#",
    "%23",
    "\u00e9",
    "e\u0301",
    "\u0000",
    "a\u0000",
    "a\u0000b",
    "\ufeff",
    "\u{1f600}",
    "__proto__",
    "tenant",
    "sessions",
    "x".repeat(64) + "1",
    "x".repeat(64) + "2",
    "y".repeat(256),
    "y".repeat(257),
    long + "1",
    long + "2",
    "\u6f22".repeat(1_000),
    "#" + await sha256(long + "1"),
    await sha256(long + "1"),
  ];
  for (const tenant of tenants) {
    await createTenantState(made.backend, tenant).set("who", tenant);
  }
  for (const tenant of tenants) {
    const state = createTenantState(made.backend, tenant);
    assert.equal(await state.get("who"), tenant);
    const { items } = await state.list();
    assert.deepEqual(items, [{ key: "who", value: tenant }]);
  }
});

testEachBackend("no tenant reaches the framework's records", async (make) => {
  await using made = await make();
  const places = [
    ["sessions", "k"],
    ["sessions", "acme", "k"],
    ["tenants", "acme", "k"],
    ["tenant", "k"],
  ];
  await made.backend.commit({
    sets: places.map((key) => ({ key, value: '"record"' })),
  });
  for (const tenant of ["acme", "", "k", "sessions", "tenant", "../sessions"]) {
    const state = createTenantState(made.backend, tenant);
    assert.deepEqual(await state.list(), { items: [] });
    assert.equal(await state.get("k"), null);
    await state.delete("k");
    assert.equal(await state.deleteMany(["k", "acme/k"]), 0);
  }
  const entries = await made.backend.get(places);
  assert.ok(entries.every((entry) => entry?.value === '"record"'));
});

const anyTenant = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  // Code units of any kind, so surrogates stand alone.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
    .map((units) => String.fromCharCode(...units)),
  fc.array(
    fc.constantFrom(
      "a",
      "/",
      "%",
      "%2F",
      "#",
      " ",
      ".",
      "\0",
      "\ud800",
      "\uffff",
    ),
    { maxLength: 6 },
  ).map((parts) => parts.join("")),
  fc.integer({ min: 250, max: 600 }).map((length) => "t".repeat(length)),
);
const anyKey = fc.oneof(
  fc.array(fc.constantFrom("a", "b", "/", ".", "-", "_", "A"), {
    minLength: 1,
    maxLength: 6,
  }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 6 }),
);

testEachBackend("no tenant and key reach another tenant", async (make) => {
  await using made = await make();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      anyTenant,
      anyTenant,
      anyKey,
      anyKey,
      async (owner, other, key, probe) => {
        fc.pre(owner !== other);
        // Each run has tenants of its own, in one store that fills up.
        const mark = `${run++}`;
        const theirs = createTenantState(made.backend, mark + owner);
        const mine = createTenantState(made.backend, mark + other);
        const secret = `secret of ${mark}`;
        if (!await attempt(() => theirs.set(key, secret))) return;
        const seen = await everythingSeen(mine, [key, probe]);
        assert.ok(!seen.includes(secret), `${other} saw ${seen}`);
        assert.equal(await theirs.get(key), secret);
        await refusesForeignCursor(made.backend, mark + owner, mine);
      },
    ),
    { numRuns: 60 },
  );
});

/** Reads and removes all that a state lets one reach, and gives the values. */
async function everythingSeen(
  state: ContextState,
  keys: string[],
): Promise<string> {
  const seen: unknown[] = [];
  for (const key of [...keys, ...keys.map((key) => key.slice(0, 1))]) {
    await attempt(async () => seen.push(await state.get(key)));
    await attempt(async () => seen.push([...await state.getMany([key])]));
    await attempt(async () => seen.push(await state.list(key)));
    await attempt(async () => seen.push(await state.take(key)));
    await attempt(() =>
      state.update(key, (current) => {
        seen.push(current);
        return undefined;
      })
    );
    await attempt(() => state.deleteMany([key]));
    await attempt(() => state.delete(key));
  }
  await attempt(async () => seen.push(await state.list()));
  return JSON.stringify(seen);
}

/** Runs what may be refused; tells whether it was not. */
async function attempt(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    const { code } = error as { code?: number };
    const refused: unknown[] = [
      ErrorCode.InvalidRequest,
      ErrorCode.ValidationError,
    ];
    if (!refused.includes(code)) throw error;
    return false;
  }
}

async function refusesForeignCursor(
  backend: StateBackend,
  owner: string,
  mine: ContextState,
): Promise<void> {
  const theirs = createTenantState(backend, owner);
  await theirs.set("cursor/1", 1);
  await theirs.set("cursor/2", 1);
  const { cursor } = await theirs.list("cursor/", { limit: 1 });
  assert.ok(cursor);
  await mine.list("cursor/", { cursor }).then(
    () => assert.fail("a cursor of another tenant was taken"),
    (error) =>
      assert.ok(
        error.code === ErrorCode.InvalidParams ||
          error.code === ErrorCode.InvalidRequest,
        String(error),
      ),
  );
}

async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
