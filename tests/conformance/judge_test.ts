import assert from "node:assert/strict";
import { parseBaseline } from "./baseline.ts";
import { judge } from "./judge.ts";
import type { RevisionPlan } from "./revisions.ts";
import type { Check, ScenarioResult } from "./suite.ts";

const PLAN: RevisionPlan = {
  revision: "2026-07-28",
  scenarios: 3,
  optional: [/^tasks-/],
  demanded: ["headers"],
};

function result(scenario: string, ...statuses: Check["status"][]) {
  const checks = statuses.map((status, index) => ({ id: `c${index}`, status }));
  return { scenario, checks } satisfies ScenarioResult;
}

Deno.test("judge() is content when everything that counts passes", () => {
  const verdict = judge(PLAN, [
    result("headers", "SUCCESS", "SUCCESS", "SKIPPED", "INFO"),
    result("lists", "SUCCESS"),
    result("tasks-lifecycle", "FAILURE"),
  ], new Set());
  assert.deepEqual(verdict, { passed: 3, failed: 0, deviations: [] });
});

Deno.test("judge() takes a warning for a failure", () => {
  const verdict = judge(PLAN, [
    result("headers", "SUCCESS", "WARNING"),
    result("lists", "SUCCESS"),
    result("tasks-lifecycle", "FAILURE"),
  ], new Set());
  assert.equal(verdict.failed, 1);
  assert.match(verdict.deviations.join(), /WARNING headers:c1/);
});

Deno.test("judge() accepts a listed failure, and refuses a listed pass", () => {
  const results = [
    result("headers", "FAILURE"),
    result("lists", "SUCCESS"),
    result("tasks-lifecycle", "FAILURE"),
  ];
  assert.deepEqual(
    judge(PLAN, results, new Set(["headers:c0"])).deviations,
    [],
  );
  assert.deepEqual(
    judge(PLAN, results, new Set(["headers:c0", "lists:c0"])).deviations,
    ["lists:c0 passes, and is listed"],
  );
});

Deno.test("judge() notices scenarios that did not run or checked nothing", () => {
  const { deviations } = judge(PLAN, [result("lists", "SKIPPED")], new Set());
  assert.deepEqual(deviations, [
    "1 scenarios ran, and 3 should have",
    "headers did not run",
    "lists checked nothing",
  ]);
});

Deno.test("parseBaseline() reads entries by revision and refuses other text", () => {
  const baseline = parseBaseline(
    '# why\n"2026-07-28":\n  - a:b\n  - c:d-e # why\n\n"2025-11-25": []\n',
  );
  assert.deepEqual([...baseline.get("2026-07-28") ?? []], ["a:b", "c:d-e"]);
  assert.deepEqual([...baseline.get("2025-11-25") ?? []], []);
  assert.throws(() => parseBaseline('"2026-07-28":\n- a:b\n'), /line 2/);
});
