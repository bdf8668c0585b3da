// Takes every record there is and prints how many it got; then counts up one
// record. Arguments: the KV file, the number of records, the steps to count.

import { createTenantState, kvState } from "../../../state/mod.ts";

const [path, records, steps] = Deno.args;
const backend = kvState(path);
const state = createTenantState(backend, "acme");

const taken: number[] = [];
for (let index = 0; index < Number(records); index++) {
  const record = await state.take<{ index: number }>(`record/${index}`);
  if (record !== null) taken.push(record.index);
}
for (let step = 0; step < Number(steps); step++) {
  await state.update<number>("count", (count) => (count ?? 0) + 1);
}
console.log(JSON.stringify(taken));
await backend.close();
