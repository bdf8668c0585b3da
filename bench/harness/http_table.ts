/** Measures servers side by side over HTTP, under load. */

import type { LoadGenerator } from "./load.ts";
import type { Load } from "./load_job.ts";
import { interleave, type Plan } from "./plan.ts";
import { cpuSeconds } from "./process_usage.ts";
import { type RunningServer, startServer } from "./server_process.ts";
import type { ServerSpec } from "./server_spec.ts";
import type { Row, Table } from "./table.ts";
import { type Send, sendTo } from "./verify.ts";

/** One server and what to send it. */
export interface HttpContender {
  /** The server. */
  spec: ServerSpec;
  /**
   * Prepares the load, opening a session where one is needed, and throws
   * unless the server answers it correctly.
   */
  prepare(send: Send, spec: ServerSpec): Promise<Load>;
}

/** What a table of loaded servers needs to know. */
export interface HttpTableOptions {
  /** The group it belongs to. */
  group: string;
  /** What the table says. */
  title: string;
  /** The unit; `req/s` by default. */
  unit?: string;
  /** The servers. */
  contenders: HttpContender[];
  /** Operations in one answer, where they are not answers. */
  perAnswer?: number;
  /** A remark. */
  note?: string;
}

interface Runner {
  row: Row;
  server: RunningServer;
  load: Load;
}

/** A row that nothing was measured for yet. */
export function emptyRow(spec: ServerSpec): Row {
  return {
    name: spec.name,
    kind: spec.kind,
    samples: [],
    ...(spec.at === undefined ? {} : { at: spec.at }),
    ...(spec.note === undefined ? {} : { note: spec.note }),
  };
}

/** The first line of what went wrong. */
export function reason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n")[0]!.slice(0, 160);
}

async function sample(
  runner: Runner,
  generator: LoadGenerator,
  seconds: number,
  perAnswer: number,
): Promise<void> {
  const { row, server, load } = runner;
  if (row.failure !== undefined) return;
  const before = cpuSeconds(server.pid);
  const result = await generator.run(server.port, load, seconds);
  const after = cpuSeconds(server.pid);
  if (result.failures > 0) {
    row.failure = `${result.failures} failed answers under load`;
    return;
  }
  row.samples.push(result.perSecond * perAnswer);
  (row.p99 ??= []).push(result.p99);
  if (before !== null && after !== null) {
    (row.cpu ??= []).push((after - before) / result.requests * 1e6);
  }
}

/** Starts every server, checks it, warms it up, and measures all of them in turn. */
export async function httpTable(
  plan: Plan,
  generator: LoadGenerator,
  options: HttpTableOptions,
): Promise<Table> {
  await using stack = new AsyncDisposableStack();
  const rows: Row[] = [];
  const runners: Runner[] = [];
  for (const { spec, prepare } of options.contenders) {
    const row = emptyRow(spec);
    rows.push(row);
    try {
      const server = stack.use(await startServer(spec));
      const load = await prepare(sendTo(server.url), spec);
      runners.push({ row, server, load });
    } catch (error) {
      row.failure = reason(error);
    }
  }
  const perAnswer = options.perAnswer ?? 1;
  for (const { server, load } of runners) {
    await generator.run(server.port, load, plan.quick ? 1 : 2);
  }
  await interleave(runners, plan.samples, async (runner, round) => {
    plan.say(`${options.group}: ${runner.row.name}, sample ${round + 1}`);
    await sample(runner, generator, plan.seconds, perAnswer);
  });
  return {
    group: options.group,
    title: options.title,
    unit: options.unit ?? "req/s",
    better: "more",
    rows,
    note: [`Loaded by ${generator.name}.`, options.note ?? ""].join(" ").trim(),
  };
}
