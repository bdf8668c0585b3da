// Uses state in one way twice, before its parts are loaded and after, and says
// what came of it both times.

import {
  createTenantState,
  kvState,
  memoryState,
  type StateBackend,
} from "../../../state/mod.ts";

const STORES: Readonly<Record<string, () => StateBackend>> = {
  memory: () => memoryState(),
  kv: () => kvState(":memory:"),
};

const WAYS: Readonly<
  Record<string, (backend: StateBackend) => Promise<unknown>>
> = {
  // None waits for the one before.
  async order(backend) {
    const state = createTenantState(backend, "acme");
    const other = createTenantState(backend, "acme");
    return await Promise.all([
      state.set("a", 1),
      other.get("a"),
      other.set("a", 2),
      state.get("a"),
      state.update<number>("b", (b) => (b ?? 0) + 1),
      other.update<number>("b", (b) => (b ?? 0) + 1),
      state.setMany(new Map([["c", 3]])),
      other.list("c"),
    ]);
  },

  async change(backend) {
    const state = createTenantState(backend, "acme");
    // With it the tenant is known, and what follows begins at once.
    await Promise.resolve();
    const value = { step: 1 };
    const many = new Map([["b", { step: 1 }]]);
    const writes = [state.set("a", value), state.setMany(many)];
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    value.step = 2;
    many.get("b")!.step = 2;
    many.set("c", { step: 2 });
    await Promise.all(writes);
    return (await state.list()).items;
  },

  async close(backend) {
    const key = ["area", "k"];
    const written = backend.commit({ sets: [{ key, value: "1" }] });
    const read = backend.get([key]);
    const closed = backend.close();
    const late = backend.get([key]);
    const outcomes = await Promise.allSettled([written, read, closed, late]);
    return [
      ...outcomes.map(outcomeOf),
      outcomeOf((await Promise.allSettled([backend.get([key])]))[0]),
    ];
  },

  async unused(backend) {
    await backend.close();
    await backend.close();
    const state = createTenantState(backend, "acme");
    return outcomeOf((await Promise.allSettled([state.get("k")]))[0]);
  },

  async refusal(backend) {
    const refused = await Promise.allSettled([
      createTenantState(backend, undefined).setMany(new Map([["..", 1n]])),
      createTenantState(backend, "acme").set("..", 1n),
      createTenantState(backend, "acme").set("k", 1n),
      createTenantState(backend, "acme").setMany(
        new Map<string, unknown>([["k", 1], ["l", () => 1]]),
      ),
      createTenantState(backend, "acme").set("k", undefined),
    ]);
    const state = createTenantState(backend, "acme");
    return [...refused.map(outcomeOf), (await state.list()).items];
  },
};

function outcomeOf(outcome: PromiseSettledResult<unknown>): unknown {
  return outcome.status === "fulfilled"
    ? outcome.value
    : String(outcome.reason.message);
}

const [store = "", way = ""] = Deno.args;
const results: unknown[] = [];
for (let use = 0; use < 2; use++) {
  const backend = STORES[store]!();
  results.push(await WAYS[way]!(backend));
  await backend.close();
}
console.log(JSON.stringify(results));
