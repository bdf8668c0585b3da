import type { RevisionPlan } from "./revisions.ts";
import type { Check, ScenarioResult } from "./suite.ts";

/** What came of a revision, held against its plan and the baseline. */
export interface Verdict {
  /** Checks that passed, of the scenarios that count. */
  readonly passed: number;
  /** Checks that failed or warned, of the scenarios that count. */
  readonly failed: number;
  /** What is not as it should be, a line each; empty when all is well. */
  readonly deviations: readonly string[];
}

/** Whether a check is bad: in a scenario that counts, a warning is too. */
export function isBad(check: Check): boolean {
  return check.status === "FAILURE" || check.status === "WARNING";
}

/** Whether a scenario does not count. */
export function isOptional(plan: RevisionPlan, scenario: string): boolean {
  return plan.optional.some((pattern) => pattern.test(scenario));
}

/** Judges the results of one revision. */
export function judge(
  plan: RevisionPlan,
  results: readonly ScenarioResult[],
  expected: ReadonlySet<string>,
): Verdict {
  const deviations: string[] = [];
  if (results.length !== plan.scenarios) {
    deviations.push(
      `${results.length} scenarios ran, and ${plan.scenarios} should have`,
    );
  }
  const ran = new Set(results.map(({ scenario }) => scenario));
  for (const scenario of plan.demanded) {
    if (!ran.has(scenario)) deviations.push(`${scenario} did not run`);
  }
  let passed = 0;
  const bad = new Map<string, Check>();
  for (const { scenario, checks } of results) {
    if (isOptional(plan, scenario)) continue;
    passed += checks.filter(({ status }) => status === "SUCCESS").length;
    if (!checks.some((check) => check.status === "SUCCESS" || isBad(check))) {
      deviations.push(`${scenario} checked nothing`);
    }
    for (const check of checks.filter(isBad)) {
      bad.set(`${scenario}:${check.id}`, check);
    }
  }
  for (const [name, { status, errorMessage }] of bad) {
    if (expected.has(name)) continue;
    deviations.push(`${status} ${name}: ${errorMessage ?? "no reason given"}`);
  }
  for (const name of expected) {
    if (!bad.has(name)) deviations.push(`${name} passes, and is listed`);
  }
  return { passed, failed: bad.size, deviations };
}
