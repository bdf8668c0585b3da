import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ErrorCode } from "../../errors.ts";
import {
  createTenantState,
  kvState,
  type KvStore,
  type StateBackend,
} from "../../state/mod.ts";
import { Clock } from "./clock.ts";
import { rejection } from "./rejection.ts";

const LONG = "x".repeat(200_000);

async function countPieces(kv: Deno.Kv): Promise<number> {
  const pieces = await Array.fromAsync(kv.list({ prefix: ["parley/piece"] }));
  return pieces.length;
}

Deno.test("a long value leaves no pieces behind, whatever ends it", async () => {
  using kv = await Deno.openKv(":memory:");
  const clock = new Clock();
  const state = createTenantState(kvState(kv, clock), "acme", clock);
  const ends: Record<string, () => Promise<unknown>> = {
    "set": () => state.set("k", 1),
    "shorter": () => state.set("k", "y".repeat(40_000)),
    "setMany": () => state.setMany(new Map([["k", 1], ["other", 2]])),
    "delete": () => state.delete("k"),
    "deleteMany": () => state.deleteMany(["k"]),
    "take": () => state.take("k"),
    "update": () => state.update("k", () => "short"),
    "update away": () => state.update("k", () => undefined),
    "update after expiry": async () => {
      clock.time += 100_000;
      await state.update("k", () => "short");
    },
  };
  for (const [name, end] of Object.entries(ends)) {
    await state.set("k", LONG, { ttl: 100 });
    assert.equal(await countPieces(kv), 4, name);
    await end();
    assert.equal(await countPieces(kv), name === "shorter" ? 1 : 0, name);
    await state.delete("k");
  }
});

Deno.test("a store that others filled is swept all the same", async () => {
  using kv = await Deno.openKv(":memory:");
  await createTenantState(kvState(kv), "acme").set("k", LONG);
  await createTenantState(kvState(kv), "acme").set("k", 1);
  assert.equal(await countPieces(kv), 0);
});

Deno.test("a thousand writes over long values sweep them all", async () => {
  using kv = await Deno.openKv(":memory:");
  const state = createTenantState(kvState(kv), "acme");
  const keys = Array.from({ length: 995 }, (_, index) => `k${index}`);
  for (const key of keys.slice(0, 20)) await state.set(key, LONG);
  await state.setMany(new Map(keys.map((key) => [key, 1])));
  assert.equal(await countPieces(kv), 0);
});

Deno.test("readers and writers of a long value never see a mixture", async () => {
  using kv = await Deno.openKv(":memory:");
  const writer = createTenantState(kvState(kv), "acme");
  const reader = createTenantState(kvState(kv), "acme");
  await writer.set("k", "a".repeat(500_000));
  let writing = true;
  const write = async () => {
    for (const char of "bcdefghijklmnopqrst") {
      await writer.set("k", char.repeat(char > "j" ? 750_000 : 100_000));
    }
    writing = false;
  };
  const read = async () => {
    while (writing) {
      const value = await reader.get<string>("k");
      assert.ok(value);
      assert.equal(value.replaceAll(value[0]!, ""), "");
    }
  };
  await Promise.all([write(), read()]);
});

Deno.test("an open Deno.Kv is shared with its owner and stays open", async () => {
  using kv = await Deno.openKv(":memory:");
  await kv.set(["mine"], 1);
  const backend = kvState(kv);
  const state = createTenantState(backend, "acme");
  await state.set("k", 1);
  assert.deepEqual((await state.list()).items, [{ key: "k", value: 1 }]);
  await backend.close();
  await rejection(() => state.get("k"), ErrorCode.DatabaseError, /closed/);
  assert.equal((await kv.get(["mine"])).value, 1);
});

Deno.test("a Deno.Kv that its owner closed is a database error", async () => {
  const kv = await Deno.openKv(":memory:");
  const state = createTenantState(kvState(kv), "acme");
  await state.set("k", 1);
  kv.close();
  await rejection(() => state.get("k"), ErrorCode.DatabaseError, /closed/);
  await rejection(() => state.set("k", 2), ErrorCode.DatabaseError, /closed/);
});

Deno.test("nothing is opened before the first use, and once then", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "kv");
  const unused = kvState(path);
  await unused.close();
  await assert.rejects(() => Deno.stat(path), Deno.errors.NotFound);

  const backend = kvState(path);
  const state = createTenantState(backend, "acme");
  await Promise.all([state.set("a", 1), state.set("b", 2), backend.open?.()]);
  assert.equal((await state.list()).items.length, 2);
  await backend.close();
  await backend.close();
  await rejection(() => state.get("a"), ErrorCode.DatabaseError, /closed/);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a backend closed while it opens lets go of the file", async () => {
  const folder = await Deno.makeTempDir();
  const backend = kvState(join(folder, "kv"));
  const read = backend.get([["a", "b"]]);
  await backend.close();
  await read.catch(() => undefined);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a write waits for a lock that another program lets go", async () => {
  await using file = await lockedFile();
  const backend = kvState(file.kv);
  const state = createTenantState(backend, "acme");
  file.lock();
  const write = state.set("k", 2);
  assert.equal(await state.get("k"), null);
  setTimeout(file.unlock, 100);
  await write;
  assert.equal(await state.get("k"), 2);
});

Deno.test("a store that stays silent is given up, and works on later", async () => {
  await using file = await lockedFile();
  const backend = kvState(file.kv, { timeout: 100 });
  const state = createTenantState(backend, "acme");
  file.lock();
  await rejection(
    () => state.set("k", 2),
    ErrorCode.DatabaseError,
    /did not answer within 100 ms; a write may still happen/,
  );
  file.unlock();
  await state.set("k", 3);
  assert.equal(await state.get("k"), 3);
});

Deno.test("busy answers are tried again and then given up", async () => {
  const kv = await Deno.openKv(":memory:");
  let busy = 3;
  const store = guarded(kv, () => {
    if (busy-- > 0) throw new TypeError("database is locked");
  });
  const backend = kvState(store, { timeout: 200 });
  const state = createTenantState(backend, "acme");
  await state.set("k", 1);
  busy = 3;
  assert.equal(await state.get("k"), 1);
  busy = 3;
  assert.equal((await state.list()).items.length, 1);
  busy = 3;
  assert.equal(await state.take("k"), 1);
  await state.set("k", 2);
  busy = Infinity;
  for (
    const call of [
      () => state.get("k"),
      () => state.set("k", 3),
      () => state.take("k"),
      () => state.list(),
    ]
  ) {
    await rejection(
      call,
      ErrorCode.ServiceUnavailable,
      /still busy after 200 ms/,
    );
  }
  busy = 0;
  assert.equal(await state.take("k"), 2);
  kv.close();
});

Deno.test("a commit whose fate is unknown is not repeated", async () => {
  const kv = await Deno.openKv(":memory:");
  let commits = 0;
  const store = guarded(kv, () => {}, async (commit) => {
    commits++;
    await commit();
    throw new Error("connection reset at /secret/path");
  });
  const state = createTenantState(kvState(store), "acme");
  await createTenantState(kvState(kv), "acme").set("k", 1);
  const error = await rejection(
    () => state.take("k"),
    ErrorCode.DatabaseError,
    /^The state store failed$/,
  );
  assert.match(String(error.cause), /connection reset/);
  assert.equal(commits, 1);
  kv.close();
});

Deno.test("what the store itself finds too large is a validation error", async () => {
  using kv = await Deno.openKv(":memory:");
  const backend: StateBackend = kvState(kv);
  await rejection(
    () =>
      backend.commit({
        sets: [{ key: ["area", "k".repeat(3_000)], value: "1" }],
      }),
    ErrorCode.ValidationError,
    /Key too large/,
  );
});

Deno.test("a foreign value under the state's root is not given out", async () => {
  using kv = await Deno.openKv(":memory:");
  const state = createTenantState(kvState(kv), "acme");
  await kv.set(["parley/3", "tenant", "acme", "k"], { private: true });
  const error = await rejection(
    () => state.get("k"),
    ErrorCode.DatabaseError,
    /not of its form/,
  );
  assert.doesNotMatch(error.message, /private/);
});

Deno.test("a timeout that no timer can keep is refused at once", () => {
  for (const timeout of [0, -1, NaN, Infinity, 2 ** 31]) {
    assert.throws(() => kvState(":memory:", { timeout }), RangeError);
  }
});

/** A KV file and a second program that can lock it. */
async function lockedFile() {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "kv");
  const kv = await Deno.openKv(path);
  await kv.set(["warm"], 1);
  const other = new DatabaseSync(path);
  return {
    kv,
    lock: () => other.exec("begin immediate"),
    unlock: () => other.exec("commit"),
    async [Symbol.asyncDispose]() {
      other.close();
      // A write that was given up is still in the queue; this comes after it.
      await kv.set(["last"], 1);
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A real store with something in front of each call. */
function guarded(
  kv: Deno.Kv,
  before: () => void,
  around: (commit: () => Promise<{ ok: boolean }>) => Promise<{ ok: boolean }> =
    (commit) => commit(),
): KvStore {
  return {
    async get(key) {
      before();
      return await kv.get(key);
    },
    async getMany(keys) {
      before();
      return await kv.getMany(keys);
    },
    async *list(selector, options) {
      before();
      yield* kv.list(selector, options);
    },
    atomic() {
      const atomic = kv.atomic();
      return {
        check(check) {
          atomic.check(check);
          return this;
        },
        set(key, value, options) {
          atomic.set(key, value, options);
          return this;
        },
        delete(key) {
          atomic.delete(key);
          return this;
        },
        async commit() {
          before();
          return await around(() => atomic.commit());
        },
      };
    },
    close: () => kv.close(),
  };
}
