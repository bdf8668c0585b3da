import { join } from "node:path";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createTenantState, kvState } from "../state/mod.ts";

/** One operation of `ctx.state` beside the same one on a bare `Deno.Kv`. */
export interface StateRow {
  /** The operation. */
  name: string;
  /** Operations of `ctx.state` in a second, one after the other. */
  opsPerSecond: number;
  /** That, divided by what the bare store did in the same run. */
  ratio: number;
}

interface Pair {
  name: string;
  /** Operations of each kind in a round. */
  size: number;
  /** Rounds, besides the first. */
  rounds: number;
  ours(index: number): Promise<unknown>;
  bare(index: number): Promise<unknown>;
  /** Puts back what the operation removes, outside the measurement. */
  prepare?(): Promise<void>;
}

const LIST_SIZE = 1_000;

/** Measures state on a Deno KV file against the bare store, in turns on one machine. */
export async function stateGroup(): Promise<{ rows: StateRow[] }> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  // One database for both: two of them differ in speed by more than is measured.
  const kv = await Deno.openKv(join(folder, "kv"));
  const backend = kvState(kv);
  try {
    const state = createTenantState(backend, "default");
    const rows: StateRow[] = [];
    for (const pair of pairs(state, kv)) rows.push(await measure(pair));
    return { rows };
  } finally {
    await backend.close();
    kv.close();
    await rm(folder, { recursive: true });
  }
}

function pairs(
  state: ReturnType<typeof createTenantState>,
  kv: Deno.Kv,
): Pair[] {
  const value = (index: number) => ({ name: "Widget", count: index });
  const key = (index: number) => `item/${index}`;
  const bareKey = (index: number) => ["state", "default", key(index)];
  const size = 300;
  const fill = async () => {
    for (let index = 0; index < size; index++) {
      await state.set(key(index), value(index));
      await kv.set(bareKey(index), value(index));
    }
  };
  return [
    {
      name: "set",
      size,
      rounds: 8,
      ours: (index) => state.set(key(index), value(index)),
      bare: (index) => kv.set(bareKey(index), value(index)),
    },
    {
      name: "get",
      size,
      rounds: 30,
      ours: (index) => state.get(key(index)),
      bare: (index) => kv.get(bareKey(index)),
    },
    {
      name: "update",
      size,
      rounds: 5,
      ours: (index) =>
        state.update<{ count: number }>(
          key(index),
          (item) => ({ ...item, count: (item?.count ?? 0) + 1 }),
        ),
      bare: async (index) => {
        const entry = await kv.get<{ count: number }>(bareKey(index));
        const next = { ...entry.value, count: (entry.value?.count ?? 0) + 1 };
        await kv.atomic().check(entry).set(entry.key, next).commit();
      },
    },
    {
      name: "take",
      size,
      rounds: 5,
      prepare: fill,
      ours: (index) => state.take(key(index)),
      bare: async (index) => {
        const entry = await kv.get(bareKey(index));
        await kv.atomic().check(entry).delete(entry.key).commit();
      },
    },
    {
      name: `list ${LIST_SIZE}`,
      size: 20,
      rounds: 5,
      prepare: async () => {
        if ((await state.list("list/", { limit: 1 })).items.length > 0) return;
        for (let index = 0; index < LIST_SIZE; index++) {
          await state.set(`list/${index}`, value(index));
          await kv.set(["state", "default", `list/${index}`], value(index));
        }
      },
      ours: () => state.list("list/", { limit: LIST_SIZE }),
      bare: async () => {
        const items: Deno.KvEntry<unknown>[] = [];
        const selector = {
          start: ["state", "default", "list/"],
          end: ["state", "default", "list0"],
        };
        for await (const item of kv.list(selector, { limit: LIST_SIZE })) {
          items.push(item);
        }
        return items;
      },
    },
  ];
}

/**
 * Times both operations in turns, one of each at a time. What the machine does
 * besides then falls on both alike, and the median drops its worst.
 */
async function measure(pair: Pair): Promise<StateRow> {
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round <= pair.rounds; round++) {
    await pair.prepare?.();
    const turns = [[pair.ours, ours], [pair.bare, bare]] as const;
    for (let index = 0; index < pair.size; index++) {
      for (const [run, times] of index % 2 ? turns : turns.toReversed()) {
        const start = performance.now();
        await run(index);
        // The first round warms up.
        if (round > 0) times.push(performance.now() - start);
      }
    }
  }
  return {
    name: pair.name,
    opsPerSecond: Math.round(1_000 / median(ours)),
    ratio: Number((median(bare) / median(ours)).toFixed(3)),
  };
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1]!;
}
