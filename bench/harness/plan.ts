/** How much is measured, and where it goes on the way. */

/** What the command line asked for. */
export interface Plan {
  /** Samples a row. */
  samples: number;
  /** Seconds a sample of a loaded server. */
  seconds: number;
  /** Whether everything is cut to the shortest that still says something. */
  quick: boolean;
  /** A directory for files that last as long as the run. */
  directory: string;
  /** Says what is happening, on stderr. */
  say(text: string): void;
}

/**
 * Takes samples in turn: one of each row, then the next of each, so that what
 * changes on the machine during a run changes for all of them.
 */
export async function interleave<R>(
  rows: readonly R[],
  samples: number,
  take: (row: R, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < samples; round++) {
    for (const row of rows) await take(row, round);
  }
}

/** Resolves after some milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
