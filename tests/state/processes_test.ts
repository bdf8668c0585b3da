import assert from "node:assert/strict";
import { join } from "node:path";
import { createTenantState, kvState } from "../../state/mod.ts";
import { program } from "./run_program.ts";

Deno.test("four processes take 5,000 records once each and count to 5,000", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "kv");
  const total = 5_000;
  const backend = kvState(path);
  const state = createTenantState(backend, "acme");
  for (let start = 0; start < total; start += 500) {
    const indexes = Array.from({ length: 500 }, (_, index) => start + index);
    await state.setMany(
      new Map(indexes.map((index) => [`record/${index}`, { index }])),
    );
  }

  const processes = Array.from({ length: 4 }, () =>
    program("take_all.ts", {
      args: [path, String(total), String(total / 4)],
    }).output());
  const taken: number[][] = [];
  for (const { code, stdout, stderr } of await Promise.all(processes)) {
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    taken.push(JSON.parse(new TextDecoder().decode(stdout)));
  }

  // More than one process got some, or nothing was contended.
  assert.ok(taken.filter((indexes) => indexes.length > 0).length > 1);
  assert.deepEqual(
    taken.flat().toSorted((a, b) => a - b),
    Array.from({ length: total }, (_, index) => index),
  );
  assert.equal(await state.get("count"), total);
  assert.deepEqual(await state.list("record/"), { items: [] });
  await backend.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a writer killed 50 times leaves old or new values, whole", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "kv");
  const backend = kvState(path);
  const state = createTenantState(backend, "acme");
  let last = 0;
  for (let kill = 0; kill < 50; kill++) {
    const writer = program("write_generations.ts", {
      args: [path, String(last + 1)],
    }).spawn();
    const reader = writer.stdout.getReader();
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), "writing\n");
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
    writer.kill("SIGKILL");
    await reader.cancel();
    await writer.stderr.cancel();
    await writer.status;

    const { items } = await state.list("batch/");
    const generation = items[0]?.value as number;
    assert.equal(items.length, 50);
    assert.ok(items.every((item) => item.value === generation));
    assert.ok(generation > last, `${generation} after ${last}`);

    const long = await state.get<string>("long");
    const [written, text] = long!.split(" ") as [string, string];
    assert.ok([generation, generation - 1].includes(Number(written)));
    const letter = String.fromCharCode(97 + Number(written) % 26);
    assert.equal(text.length, Number(written) % 2 === 0 ? 700_000 : 150_000);
    assert.equal(text.replaceAll(letter, ""), "");
    last = generation;
  }
  await backend.close();
  await Deno.remove(folder, { recursive: true });
});
