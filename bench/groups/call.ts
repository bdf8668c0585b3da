/** `tools/call` of the modern era, with 1, 50 and 200 tools: in process and over HTTP. */

import { modernEchoLoad } from "../harness/echo_load.ts";
import type { Bench } from "../harness/group.ts";
import { httpTable } from "../harness/http_table.ts";
import { inProcessTable } from "../harness/in_process_table.ts";
import { modernEcho } from "../harness/messages.ts";
import { parleyAnswer } from "../harness/parley_answer.ts";
import {
  bare,
  type Offer,
  parley,
  sdkV2,
  sdkV2Shared,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Table } from "../harness/table.ts";

const COUNTS = [1, 50, 200];

function withCounts(make: (offer: Offer) => ServerSpec): ServerSpec[] {
  return COUNTS.map((tools) => {
    const spec = make({ tools });
    const plural = tools === 1 ? "" : "s";
    return {
      ...spec,
      name: `${spec.name}, ${tools} tool${plural}`,
      at: String(tools),
    };
  });
}

/** Measures calls without and with a network between client and server. */
export async function callGroup({ plan, load }: Bench): Promise<Table[]> {
  const offer: Offer = { mode: "modern" };
  const answer = await parleyAnswer(plan, offer, modernEcho());
  const specs = [
    bare(offer, answer),
    ...withCounts((offer) => parley(offer)),
    ...withCounts(sdkV2),
    { ...sdkV2Shared(offer), at: "1" },
    ...withCounts(tmcp),
  ];
  const inProcess = await inProcessTable(plan, {
    group: "call",
    title: "tools/call in process, modern (2026-07-28)",
    contenders: specs.map((spec) => ({
      spec: {
        ...spec,
        name: spec.name.replace("bare Deno.serve", "bare fetch"),
      },
      message: modernEcho(),
    })),
    note:
      "One call after the other: `await (await fetch(new Request(...))).text()`; making the request and reading the answer is in every row.",
  });
  const http = await httpTable(plan, load, {
    group: "call",
    title: "tools/call over HTTP, modern (2026-07-28)",
    contenders: specs.map((spec) => ({ spec, prepare: modernEchoLoad })),
  });
  return [inProcess, http];
}
