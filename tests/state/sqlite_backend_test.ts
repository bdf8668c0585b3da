import assert from "node:assert/strict";
import { join } from "node:path";
import { sqliteState } from "../../examples/sqlite_backend.ts";
import { createTenantState } from "../../state/mod.ts";
import { runProgram } from "./run_program.ts";

Deno.test("the example on SQLite is shared between processes", async () => {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "state.db");
  const records = Array.from({ length: 300 }, (_, index) => index);
  const backend = sqliteState(path);
  const state = createTenantState(backend, "acme");
  await state.setMany(
    new Map(records.map((index) => [`record/${index}`, index])),
  );

  const args = [path, String(records.length)];
  const runs = await Promise.all(
    [1, 2, 3].map(() =>
      runProgram("sqlite_take_all.ts", { args, config: true })
    ),
  );
  for (const { code, stderr } of runs) assert.equal(code, 0, stderr);
  const taken = runs.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
  assert.deepEqual(taken.toSorted((a, b) => a - b), records);
  assert.equal(await state.get("count"), 900);
  await backend.close();
  await Deno.remove(folder, { recursive: true });
});
