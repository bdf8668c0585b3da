import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** The entries whose values `mod.ts` gives as well. */
const ENTRIES = [
  "context/mod.ts",
  "errors.ts",
  "input/mod.ts",
  "seal/mod.ts",
  "state/mod.ts",
  "transport/mod.ts",
];

async function valuesOf(entry: string): Promise<Record<string, unknown>> {
  return await import(new URL(entry, ROOT).href);
}

Deno.test("mod.ts gives each value of its entries, the same one, and z", async () => {
  const root = await valuesOf("mod.ts");
  const names = ["z"];
  for (const entry of ENTRIES) {
    const values = await valuesOf(entry);
    for (const [name, value] of Object.entries(values)) {
      assert.ok(Object.hasOwn(root, name), `mod.ts lacks ${name} of ${entry}`);
      assert.equal(root[name], value, `${name} of ${entry}`);
      names.push(name);
    }
  }
  assert.deepEqual(Object.keys(root).sort(), names.sort());
});
