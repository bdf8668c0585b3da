/** What an empty `Context` costs a call: one a call, and a second one, in process. */

import type { Bench } from "../harness/group.ts";
import { reason } from "../harness/http_table.ts";
import { outputOf } from "../harness/output.ts";
import { benchPath, configFor } from "../harness/paths.ts";
import type { Row, Table } from "../harness/table.ts";

/** Short turns a sample, since the difference to be seen is small. */
const TURNS = 12;
const ENTRY = "servers/context_pair.ts";

/** Measures both ways in one process of their own. */
export async function contextGroup({ plan }: Bench): Promise<Table[]> {
  const one: Row = { name: "one Context a call", kind: "parley", samples: [] };
  const two: Row = { name: "two Contexts a call", kind: "parley", samples: [] };
  plan.say("context");
  try {
    const text = await outputOf(Deno.execPath(), [
      "run",
      "-A",
      "--quiet",
      "--no-check",
      "--config",
      configFor(ENTRY),
      benchPath(ENTRY),
      String(plan.samples * TURNS),
      plan.quick ? "50" : "200",
    ]);
    [one.samples, two.samples] = JSON.parse(text) as [number[], number[]];
  } catch (error) {
    one.failure = two.failure = reason(error);
  }
  return [{
    group: "context",
    title: "An empty Context, in process",
    unit: "calls/s",
    better: "more",
    rows: [one, two],
    note: "The second row makes one more empty Context in its handler.",
  }];
}
