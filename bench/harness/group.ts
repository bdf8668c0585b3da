/** What a group of measurements is. */

import type { LoadGenerator } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Table } from "./table.ts";

/** Everything that a group may use. */
export interface Bench {
  /** How much to measure. */
  plan: Plan;
  /** What to load servers with. */
  load: LoadGenerator;
}

/** Measures one group: one table, or one a question where there are several. */
export type Group = (bench: Bench) => Promise<Table[]>;
