/** `ctx.state` on a Deno KV file, beside the bare store. */

import type { Bench } from "../harness/group.ts";
import type { Row, Table } from "../harness/table.ts";
import { stateGroup as measureState } from "../state_group.ts";

/** Measures each operation of state against the same on a bare `Deno.Kv`. */
export async function stateGroup({ plan }: Bench): Promise<Table[]> {
  plan.say("state");
  const { rows } = await measureState();
  const pairs = rows.flatMap(({ name, opsPerSecond, ratio }): Row[] => [
    {
      name: `${name}, bare Deno.Kv`,
      kind: "bare",
      at: name,
      samples: [opsPerSecond / ratio],
    },
    {
      name: `${name}, ctx.state`,
      kind: "parley",
      at: name,
      samples: [opsPerSecond],
    },
  ]);
  return [{
    group: "state",
    title: "State on a Deno KV file, one operation after the other",
    unit: "ops/s",
    better: "more",
    rows: pairs,
    note: "Each figure is the median of several rounds taken in turns.",
  }];
}
