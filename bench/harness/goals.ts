/** What Parley means to reach, held against a run. */

import {
  figure,
  layOut,
  median,
  ratio,
  type Row,
  type Table,
} from "./table.ts";

/** One goal and how far the run came. */
export interface Goal {
  /** What is measured. */
  what: string;
  /** The figure of this run; null when the run has none. */
  measured: number | null;
  /** The figure to reach. */
  wanted: number;
  /** Whether the figure must not be less or not be more. */
  bound: "at least" | "at most";
  /** Whether it was reached; null without a figure. */
  reached: boolean | null;
}

/** The rows of a run, by the titles of their tables. */
class Run {
  readonly #tables: readonly Table[];

  constructor(tables: readonly Table[]) {
    this.#tables = tables;
  }

  row(title: string, name: string): Row | undefined {
    return this.#tables.find((table) => table.title.startsWith(title))
      ?.rows.find((row) => row.name.startsWith(name));
  }

  ratio(title: string, name: string, base: string, baseTitle = title) {
    const row = this.row(title, name);
    return row === undefined ? null : ratio(row, this.row(baseTitle, base));
  }

  /** How much longer a server takes to start than the bare one, in ms. */
  excess(name: string): number | null {
    const row = this.row("Start", name);
    const bare = this.row("Start", "bare");
    if (row === undefined || bare === undefined) return null;
    const [mine, base] = [median(row.samples), median(bare.samples)];
    return mine === null || base === null ? null : mine - base;
  }
}

function quotient(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a / b;
}

/** Every goal, with its figure where the run has one. */
export function goals(tables: readonly Table[]): Goal[] {
  const run = new Run(tables);
  const list: Goal[] = [];
  function goal(
    what: string,
    measured: number | null,
    bound: Goal["bound"],
    wanted: number,
  ): void {
    const reached = measured === null
      ? null
      : bound === "at least"
      ? measured >= wanted
      : measured <= wanted;
    list.push({ what, measured, wanted, bound, reached });
  }
  const call = "tools/call over HTTP, modern";
  const one = "Parley, 1 tool";
  const session = "tools/call over HTTP, 2025 era, in a session";
  const alone = "tools/call over HTTP, 2025 era, without";
  const memory = "Memory after";
  const stream = "Memory of an idle";
  const process = "An empty Context";

  goal("modern call / bare", run.ratio(call, one, "bare"), "at least", 0.75);
  goal("modern call / SDK v2", run.ratio(call, one, "SDK v2"), "at least", 20);
  goal("modern call / tmcp", run.ratio(call, one, "tmcp"), "at least", 8);
  goal(
    "session call / mcp-lite",
    run.ratio(session, "Parley", "mcp-lite"),
    "at least",
    2,
  );
  goal(
    "stateless call / mcp-lite",
    run.ratio(alone, "Parley", "mcp-lite"),
    "at least",
    2,
  );
  goal(
    "modern call, 200 tools / 1 tool",
    run.ratio(call, "Parley, 200", one),
    "at least",
    0.97,
  );
  goal(
    "session call / modern call",
    run.ratio(session, "Parley", "Parley, modern"),
    "at least",
    0.9,
  );
  goal(
    "modern list / bare",
    run.ratio("tools/list of 50 tools, modern", "Parley", "bare"),
    "at least",
    0.85,
  );
  goal(
    "two rounds / SDK v2",
    run.ratio("Two rounds", "Parley", "SDK v2"),
    "at least",
    8,
  );
  goal(
    "stdio pipelined / SDK v2",
    run.ratio("stdio, pipelined", "Parley, modern", "SDK v2 2.4.0, modern"),
    "at least",
    5,
  );
  goal(
    "stdio pipelined / bare",
    run.ratio("stdio, pipelined", "Parley, modern", "bare"),
    "at least",
    0.5,
  );
  goal("start, ms more than bare", run.excess("Parley"), "at most", 20);
  goal(
    "start, excess / SDK v2's excess",
    quotient(run.excess("Parley"), run.excess("SDK v2")),
    "at most",
    0.5,
  );
  goal(
    "memory after 20,000 calls / bare",
    run.ratio(memory, "Parley", "bare"),
    "at most",
    1.6,
  );
  for (const count of ["1,000", "5,000"]) {
    goal(
      `memory of an idle stream of ${count} / bare`,
      run.ratio(stream, `Parley, ${count}`, `bare ReadableStream, ${count}`),
      "at most",
      1.1,
    );
  }
  goal(
    "call with one Context / with two",
    run.ratio(process, "one", "two"),
    "at most",
    1.03,
  );
  return list;
}

/** The goals that a run has figures for, as text. */
export function goalsText(tables: readonly Table[]): string {
  const lines = goals(tables).filter((goal) => goal.measured !== null).map((
    goal,
  ) => [
    goal.what,
    figure(goal.measured),
    `${goal.bound} ${figure(goal.wanted)}`,
    goal.reached ? "reached" : "missed",
  ]);
  if (lines.length === 0) return "";
  return `\n## Goals\n\n${layOut([["", "here", "wanted", ""], ...lines])}\n`;
}
