import assert from "node:assert/strict";
import { runProgram } from "./run_program.ts";

/** What a way of using state comes to, the first time and later. */
async function firstAndLater(
  store: string,
  way: string,
): Promise<[unknown, unknown]> {
  const args = [store, way];
  const { stdout, stderr } = await runProgram("first_use.ts", { args });
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

Deno.test("operations on memory keep their order, the first ones too", async () => {
  const [first, later] = await firstAndLater("memory", "order");
  assert.deepEqual(first, [
    null,
    1,
    null,
    2,
    1,
    2,
    null,
    { items: [{ key: "c", value: 3 }] },
  ]);
  assert.deepEqual(later, first);
});

for (const store of ["memory", "kv"]) {
  Deno.test(`a value may change while its first write waits [${store}]`, async () => {
    const [first, later] = await firstAndLater(store, "change");
    assert.deepEqual(first, [
      { key: "a", value: { step: 1 } },
      { key: "b", value: { step: 1 } },
    ]);
    assert.deepEqual(later, first);
  });

  Deno.test(`a store that was closed unused stays closed [${store}]`, async () => {
    const [first, later] = await firstAndLater(store, "unused");
    assert.equal(first, "The state store is closed");
    assert.deepEqual(later, first);
  });

  Deno.test(`first writes are refused as later ones are [${store}]`, async () => {
    const [first, later] = await firstAndLater(store, "refusal");
    assert.match(String(first), /needs a tenant.*may not hold.*bigint/);
    assert.deepEqual((first as unknown[]).at(-1), []);
    assert.deepEqual(later, first);
  });
}

Deno.test("a memory closed during its first operations still does them", async () => {
  const [first, later] = await firstAndLater("memory", "close");
  assert.deepEqual(first, [
    true,
    [{ key: ["area", "k"], value: "1", version: "1" }],
    null,
    "The state store is closed",
    "The state store is closed",
  ]);
  assert.deepEqual(later, first);
});
