/** The run as JSON. */

import { availableParallelism } from "node:os";
import { type Goal, goals } from "./goals.ts";
import { summarize, type Summary, type Table } from "./table.ts";

/** One table with its figures worked out. */
export interface TableReport {
  /** The group. */
  group: string;
  /** What the table says. */
  title: string;
  /** The unit of medians and samples. */
  unit: string;
  /** Which way is better. */
  better: "more" | "less";
  /** The rows. */
  rows: Summary[];
  /** A remark. */
  note?: string;
}

/** Everything a run found out. */
export interface Report {
  /** Where it ran. */
  machine: { deno: string; v8: string; target: string; cores: number };
  /** The tables. */
  tables: TableReport[];
  /** The goals that the run has figures for. */
  goals: Goal[];
}

/** Puts a run's tables into one object. */
export function report(tables: readonly Table[]): Report {
  return {
    machine: {
      deno: Deno.version.deno,
      v8: Deno.version.v8,
      target: Deno.build.target,
      cores: availableParallelism(),
    },
    tables: tables.map((table) => ({
      group: table.group,
      title: table.title,
      unit: table.unit,
      better: table.better,
      rows: summarize(table),
      ...(table.note === undefined ? {} : { note: table.note }),
    })),
    goals: goals(tables),
  };
}
