/**
 * Runs the official conformance suite against `examples/everything.ts`, at
 * every revision that is served, and holds the outcome against the baseline.
 *
 * ```sh
 * deno task conformance              # every revision
 * deno task conformance 2026-07-28   # one of them
 * ```
 */
import { parseBaseline } from "./baseline.ts";
import { startEverything } from "./everything_server.ts";
import { isBad, isOptional, judge, type Verdict } from "./judge.ts";
import { type RevisionPlan, REVISIONS } from "./revisions.ts";
import { runSuite, type ScenarioResult } from "./suite.ts";

const BASELINE = new URL("baseline.yml", import.meta.url);

function printTable(
  plan: RevisionPlan,
  results: readonly ScenarioResult[],
): void {
  console.log(`\n${plan.revision}`);
  console.log("     pass fail warn skip  scenario");
  for (const { scenario, checks } of results) {
    const counts = ["SUCCESS", "FAILURE", "WARNING", "SKIPPED"].map((status) =>
      String(checks.filter((check) => check.status === status).length)
        .padStart(4)
    );
    const optional = isOptional(plan, scenario);
    const mark = optional ? "-" : checks.some(isBad) ? "✗" : "✓";
    const note = optional ? " (does not count)" : "";
    console.log(`  ${mark} ${counts.join(" ")}  ${scenario}${note}`);
  }
}

async function runRevision(plan: RevisionPlan): Promise<Verdict> {
  const baseline = parseBaseline(await Deno.readTextFile(BASELINE));
  await using server = await startEverything();
  const results = await runSuite(server.url, plan.revision);
  printTable(plan, results);
  return judge(plan, results, baseline.get(plan.revision) ?? new Set());
}

async function main(wanted: readonly string[]): Promise<number> {
  const plans = REVISIONS.filter(({ revision }) =>
    wanted.length === 0 || wanted.includes(revision)
  );
  if (plans.length === 0) {
    const known = REVISIONS.map(({ revision }) => revision).join(", ");
    console.error(`Unknown revision ${wanted.join(", ")}: use ${known}`);
    return 2;
  }
  const verdicts: Verdict[] = [];
  for (const plan of plans) verdicts.push(await runRevision(plan));
  const deviations = verdicts.flatMap(({ deviations }, index) =>
    deviations.map((line) => `${plans[index]!.revision} ${line}`)
  );
  if (deviations.length > 0) {
    console.log(`\nNot as it should be:\n  ${deviations.join("\n  ")}`);
  }
  const passed = verdicts.reduce((sum, verdict) => sum + verdict.passed, 0);
  const failed = verdicts.reduce((sum, verdict) => sum + verdict.failed, 0);
  console.log(`\nconformance: ${passed} passed, ${failed} failed`);
  return deviations.length > 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
