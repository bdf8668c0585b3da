import assert from "node:assert/strict";
import { memoryState, type StateBackend } from "../../state/mod.ts";
import { createStoreLog, type StoreLog } from "../../transport/store_log.ts";

/** Collects what is followed until there is enough of it. */
function collector(count: number) {
  const values: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  const take = (value: unknown) => {
    values.push(value);
    if (values.length === count) resolve(values);
  };
  return { values, take, all: promise };
}

/** Counts the reads and writes of a store. */
function counted(backend: StateBackend) {
  const counts = { list: 0, commit: 0 };
  const counting: StateBackend = {
    ...backend,
    name: backend.name,
    shared: true,
    durable: false,
    get: (keys) => backend.get(keys),
    list: (range) => (counts.list++, backend.list(range)),
    commit: (write) => (counts.commit++, backend.commit(write)),
    close: () => backend.close(),
  };
  return { counts, backend: counting };
}

function openLogs(count: number, backend = memoryState()): StoreLog[] {
  return Array.from(
    { length: count },
    () => createStoreLog(backend, "test", { pollMs: 5 }),
  );
}

async function closeAll(logs: readonly StoreLog[]): Promise<void> {
  for (const log of logs) await log.close();
}

Deno.test("every follower hears every value of the others once, in each writer's order", async () => {
  const logs = openLogs(3);
  const heard = logs.map((log) => {
    const collected = collector(200);
    log.follow(collected.take);
    return collected;
  });
  for (let n = 0; n < 100; n++) {
    for (const [writer, log] of logs.entries()) log.append({ writer, n });
    if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
  }
  for (const [self, { all }] of heard.entries()) {
    const values = await all as { writer: number; n: number }[];
    for (const writer of [0, 1, 2]) {
      const numbers = values.filter((value) => value.writer === writer)
        .map(({ n }) => n);
      const wanted = writer === self
        ? []
        : Array.from({ length: 100 }, (_, n) => n);
      assert.deepEqual(numbers, wanted);
    }
  }
  await closeAll(logs);
});

Deno.test("what was appended before is not heard, what is appended after is, at once or later", async () => {
  const logs = openLogs(2);
  const [writer, reader] = logs as [StoreLog, StoreLog];
  writer.append("before");
  await new Promise((resolve) => setTimeout(resolve, 5));
  const first = collector(1);
  const unfollow = reader.follow(first.take);
  writer.append("after");
  assert.deepEqual(await first.all, ["after"]);
  unfollow();
  writer.append("unheard");
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = collector(1);
  reader.follow(second.take);
  writer.append("again");
  assert.deepEqual(await second.all, ["again"]);
  await closeAll(logs);
  assert.deepEqual(first.values, ["after"]);
  assert.deepEqual(second.values, ["again"]);
});

Deno.test("a writer that comes later is heard from its first value on", async () => {
  const backend = memoryState();
  const [reader] = openLogs(1, backend) as [StoreLog];
  const heard = collector(2);
  reader.follow(heard.take);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const [late] = openLogs(1, backend) as [StoreLog];
  late.append(1);
  late.append(2);
  assert.deepEqual(await heard.all, [1, 2]);
  await closeAll([reader, late]);
});

Deno.test("long and many values arrive whole, however they are cut into chunks", async () => {
  const logs = openLogs(2);
  const [writer, reader] = logs as [StoreLog, StoreLog];
  const heard = collector(401);
  reader.follow(heard.take);
  const long = "é".repeat(200_000);
  writer.append(long);
  for (let n = 0; n < 400; n++) writer.append("x".repeat(1_000) + n);
  const values = await heard.all;
  assert.equal(values[0], long);
  assert.ok(String(values[400]).endsWith("x399"));
  await closeAll(logs);
});

Deno.test("the store is left alone until someone appends or follows, and read only while followed", async () => {
  const { counts, backend } = counted(memoryState());
  const logs = openLogs(2, backend);
  const [writer, reader] = logs as [StoreLog, StoreLog];
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(counts, { list: 0, commit: 0 });
  const heard = collector(1);
  const unfollow = reader.follow(heard.take);
  writer.append(1);
  await heard.all;
  unfollow();
  const { list } = counts;
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(counts.list, list);
  assert.equal(counts.commit, 1);
  await closeAll(logs);
});

Deno.test("values appended in one turn are one write", async () => {
  const { counts, backend } = counted(memoryState());
  const [log] = openLogs(1, backend) as [StoreLog];
  for (let n = 0; n < 50; n++) log.append(n);
  await log.close();
  assert.equal(counts.commit, 1);
});

Deno.test("closing writes what waits", async () => {
  const backend = memoryState();
  const [writer, reader] = openLogs(2, backend) as [StoreLog, StoreLog];
  const heard = collector(1);
  reader.follow(heard.take);
  writer.append("last");
  await writer.close();
  writer.append("too late");
  assert.deepEqual(await heard.all, ["last"]);
  await reader.close();
  assert.deepEqual(heard.values, ["last"]);
});

Deno.test("a store that fails is reported once and tried again; appending never throws", async () => {
  const backend = memoryState();
  const errors: unknown[] = [];
  let broken = true;
  const { backend: flaky } = counted(backend);
  const failing: StateBackend = {
    ...flaky,
    list: (range) =>
      broken ? Promise.reject(new Error("away")) : backend.list(range),
  };
  const reader = createStoreLog(failing, "test", {
    pollMs: 2,
    onError: (error) => errors.push(error),
  });
  const heard = collector(1);
  reader.follow(heard.take);
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(errors.length, 1);
  broken = false;
  const [writer] = openLogs(1, backend) as [StoreLog];
  writer.append("back");
  assert.deepEqual(await heard.all, ["back"]);
  reader.append(1n);
  assert.ok(errors[1] instanceof TypeError);
  await closeAll([reader, writer]);

  const closed = memoryState();
  await closed.close();
  const lost: unknown[] = [];
  const log = createStoreLog(closed, "test", {
    onError: (error) => lost.push(error),
  });
  log.append("lost");
  await new Promise((resolve) => setTimeout(resolve, 5));
  log.append("lost too");
  await log.close();
  assert.equal(lost.length, 1);
});

Deno.test("a follower that throws keeps nothing from the others", async () => {
  const errors: unknown[] = [];
  const backend = memoryState();
  const reader = createStoreLog(backend, "test", {
    pollMs: 5,
    onError: (error) => errors.push(error),
  });
  const [writer] = openLogs(1, backend) as [StoreLog];
  reader.follow(() => {
    throw new Error("mine");
  });
  const heard = collector(2);
  reader.follow(heard.take);
  writer.append(1);
  writer.append(2);
  assert.deepEqual(await heard.all, [1, 2]);
  assert.equal(errors.length, 2);
  await closeAll([reader, writer]);
});
