/** One table of results, and how it is put on paper. */

/** What a row measures: the runtime itself, Parley, or somebody else's server. */
export type RowKind = "bare" | "parley" | "peer";

/** One measured thing. */
export interface Row {
  /** What was measured. */
  name: string;
  /** Whose it is. */
  kind: RowKind;
  /** One figure a sample, in the table's unit, in the order they were taken. */
  samples: number[];
  /** Rows with the same value are compared with each other; all rows by default. */
  at?: string;
  /** CPU of the server for one operation, in microseconds, one figure a sample. */
  cpu?: number[];
  /** 99th percentile of the latency in milliseconds, one figure a sample. */
  p99?: number[];
  /** Why there is no figure. */
  failure?: string;
  /** A remark printed after the figures. */
  note?: string;
}

/** One table: rows that were measured side by side in one run. */
export interface Table {
  /** The group it belongs to. */
  group: string;
  /** What the table says. */
  title: string;
  /** The unit of the samples, such as `req/s`. */
  unit: string;
  /** Which way is better. */
  better: "more" | "less";
  /** The rows, in the order they are printed. */
  rows: Row[];
  /** A remark on how the table was measured. */
  note?: string;
}

/** A row with everything worked out of its samples. */
export interface Summary {
  /** The row's name. */
  name: string;
  /** Whose it is. */
  kind: RowKind;
  /** Median of the samples; null when there are none. */
  median: number | null;
  /** Median of the ratios to the bare row of the same round; null without one. */
  ofBare: number | null;
  /** The same against the best peer; null without one. */
  ofBestPeer: number | null;
  /**
   * Median of the bare row's CPU divided by this row's, of the same round; null
   * where it could not be read.
   */
  ofBareCpu: number | null;
  /** Median CPU in microseconds; null where it could not be read. */
  cpu: number | null;
  /** Median of the 99th percentiles in milliseconds; null where not taken. */
  p99: number | null;
  /** Every sample. */
  samples: number[];
  /** Why there is no figure. */
  failure?: string;
  /** A remark. */
  note?: string;
}

/** The middle of a list, or null of an empty one. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[half]!
    : (sorted[half - 1]! + sorted[half]!) / 2;
}

/**
 * Median of the ratios taken sample by sample, so that a machine that slows
 * down during the run slows both sides of each ratio.
 */
export function ratio(row: Row, base: Row | undefined): number | null {
  return base === undefined ? null : medianRatio(row.samples, base.samples);
}

function medianRatio(
  above: readonly number[],
  below: readonly number[],
): number | null {
  const pairs = Math.min(above.length, below.length);
  const ratios: number[] = [];
  for (let i = 0; i < pairs; i++) ratios.push(above[i]! / below[i]!);
  return median(ratios);
}

/** The bare row that a row is compared with. */
export function bareOf(table: Table, row: Row): Row | undefined {
  const bare = table.rows.filter((other) =>
    other.kind === "bare" && other.samples.length > 0
  );
  return bare.find((other) => other.at === row.at) ??
    bare.find((other) => other.at === undefined);
}

/** The best peer among the rows that a row is compared with. */
export function bestPeerOf(table: Table, row: Row): Row | undefined {
  const sign = table.better === "more" ? 1 : -1;
  let best: Row | undefined;
  for (const other of table.rows) {
    if (other.kind !== "peer" || other.samples.length === 0) continue;
    if (row.at !== undefined && other.at !== row.at) continue;
    const gain = (median(other.samples)! - (best ? median(best.samples)! : 0)) *
      sign;
    if (best === undefined || gain > 0) best = other;
  }
  return best;
}

/** Works out every row of a table. */
export function summarize(table: Table): Summary[] {
  return table.rows.map((row) => ({
    name: row.name,
    kind: row.kind,
    median: median(row.samples),
    ofBare: ratio(row, bareOf(table, row)),
    ofBestPeer: ratio(row, bestPeerOf(table, row)),
    ofBareCpu: medianRatio(bareOf(table, row)?.cpu ?? [], row.cpu ?? []),
    cpu: median(row.cpu ?? []),
    p99: median(row.p99 ?? []),
    samples: row.samples,
    ...(row.failure === undefined ? {} : { failure: row.failure }),
    ...(row.note === undefined ? {} : { note: row.note }),
  }));
}

/** A number with as many digits as it deserves. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return "-";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.1) return value.toFixed(2);
  return value.toFixed(4);
}

/** Lines up columns: the first and the last to the left, figures to the right. */
export function layOut(lines: string[][]): string {
  const widths: number[] = [];
  for (const line of lines) {
    line.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length);
    });
  }
  return lines.map((line) =>
    line.map((cell, i) =>
      i === 0 || i === line.length - 1
        ? cell.padEnd(widths[i]!)
        : cell.padStart(widths[i]!)
    ).join("  ").trimEnd()
  ).join("\n");
}

/** A table as text. */
export function formatTable(table: Table): string {
  const rows = summarize(table);
  const withCpu = rows.some((row) => row.cpu !== null);
  const withP99 = rows.some((row) => row.p99 !== null);
  const header = ["", table.unit, "of bare", "of best peer"];
  if (withCpu) header.push("CPU us", "of bare, CPU");
  if (withP99) header.push("p99 ms");
  const lines = rows.map((row) => {
    const cells = [
      row.name,
      figure(row.median),
      figure(row.ofBare),
      figure(row.ofBestPeer),
    ];
    if (withCpu) cells.push(figure(row.cpu), figure(row.ofBareCpu));
    if (withP99) cells.push(figure(row.p99));
    return [...cells, row.failure ?? row.note ?? ""];
  });
  const text = layOut([[...header, ""], ...lines]);
  const note = table.note === undefined ? "" : `\n${table.note}`;
  return `\n## ${table.title}\n\n${text}${note}\n`;
}
