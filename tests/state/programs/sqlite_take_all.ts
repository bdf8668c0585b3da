// Takes every record of the example store on SQLite, prints them, and counts.
// Arguments: the file, the number of records.

import { sqliteState } from "../../../examples/sqlite_backend.ts";
import { createTenantState } from "../../../state/mod.ts";

const [path, records] = Deno.args;
const backend = sqliteState(path!);
const state = createTenantState(backend, "acme");
const taken: number[] = [];
for (let index = 0; index < Number(records); index++) {
  const record = await state.take<number>(`record/${index}`);
  if (record !== null) taken.push(record);
  await state.update<number>("count", (count) => (count ?? 0) + 1);
}
console.log(JSON.stringify(taken));
await backend.close();
