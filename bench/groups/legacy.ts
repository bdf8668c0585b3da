/** `tools/call` of the 2025 era, in sessions and without. */

import {
  modernEchoLoad,
  sessionEchoLoad,
  statelessEchoLoad,
} from "../harness/echo_load.ts";
import type { Bench } from "../harness/group.ts";
import { type HttpContender, httpTable } from "../harness/http_table.ts";
import { legacyEcho } from "../harness/messages.ts";
import { parleyAnswer } from "../harness/parley_answer.ts";
import {
  bare,
  fastmcpEdge,
  honoMcp,
  mcpLite,
  mcpTsCore,
  type Offer,
  parley,
  sdkV1,
  sdkV2,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Table } from "../harness/table.ts";

const STATELESS: Offer = { mode: "stateless" };
const SESSION: Offer = { mode: "session" };

/** Measures calls inside one legacy session. */
export async function sessionGroup({ plan, load }: Bench): Promise<Table[]> {
  const answer = await parleyAnswer(plan, STATELESS, legacyEcho());
  function inSession(spec: ServerSpec): HttpContender {
    return { spec, prepare: sessionEchoLoad };
  }
  const table = await httpTable(plan, load, {
    group: "session",
    title: "tools/call over HTTP, 2025 era, in a session",
    contenders: [
      { spec: bare(SESSION, answer), prepare: statelessEchoLoad },
      {
        spec: { ...parley({ mode: "modern" }), name: "Parley, modern call" },
        prepare: modernEchoLoad,
      },
      inSession(parley(SESSION)),
      inSession(parley(SESSION, `${plan.directory}/sessions.kv`)),
      inSession(mcpLite(SESSION)),
      inSession(tmcp(SESSION)),
      inSession(sdkV1(SESSION)),
      inSession(honoMcp(SESSION)),
      inSession(mcpTsCore(SESSION)),
    ],
  });
  return [table];
}

/** Measures legacy calls outside any session. */
export async function statelessGroup({ plan, load }: Bench): Promise<Table[]> {
  const answer = await parleyAnswer(plan, STATELESS, legacyEcho());
  const specs = [
    bare(STATELESS, answer),
    parley(STATELESS),
    fastmcpEdge(STATELESS),
    mcpLite(STATELESS),
    sdkV2(STATELESS),
    sdkV1(STATELESS),
    honoMcp(STATELESS),
    mcpTsCore(STATELESS),
  ];
  const table = await httpTable(plan, load, {
    group: "stateless",
    title: "tools/call over HTTP, 2025 era, without sessions",
    contenders: specs.map((spec) => ({ spec, prepare: statelessEchoLoad })),
  });
  return [table];
}
