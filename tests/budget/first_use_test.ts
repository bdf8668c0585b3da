import assert from "node:assert/strict";
import { createTenantState, memoryState } from "../../state/mod.ts";
import { countPromises } from "./_promises.ts";

Deno.test("state that was there before its parts were loaded costs no promise more", async () => {
  const early = createTenantState(memoryState(), "acme");
  await early.set("k", 1);
  const later = createTenantState(memoryState(), "acme");
  await later.set("k", 1);
  const operations = [
    () => early.get("k"),
    () => later.get("k"),
    () => early.set("k", 2),
    () => later.set("k", 2),
    () => early.take("k"),
    () => later.take("k"),
  ];
  const made: number[] = [];
  for (const operation of operations) {
    made.push((await countPromises(operation)).made);
  }
  const [earlyGet, laterGet, earlySet, laterSet, earlyTake, laterTake] = made;
  assert.deepEqual(
    [earlyGet, earlySet, earlyTake],
    [laterGet, laterSet, laterTake],
  );
});
