// Writes one generation after the other, a batch and a long value in turns, until
// it is killed. Arguments: the KV file, the first generation.

import { createTenantState, kvState } from "../../../state/mod.ts";

const [path, first] = Deno.args;
const state = createTenantState(kvState(path), "acme");
for (let generation = Number(first);; generation++) {
  const batch = Array.from({ length: 50 }, (_, i) => `batch/${i}`);
  await state.setMany(new Map(batch.map((key) => [key, generation])));
  const letter = String.fromCharCode(97 + generation % 26);
  const length = generation % 2 === 0 ? 700_000 : 150_000;
  await state.set("long", `${generation} ${letter.repeat(length)}`);
  if (generation === Number(first)) console.log("writing");
}
