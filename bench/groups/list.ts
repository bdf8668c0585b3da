/** `tools/list` of a server with 50 tools, in both eras. */

import type { Bench } from "../harness/group.ts";
import { type HttpContender, httpTable } from "../harness/http_table.ts";
import type { Load } from "../harness/load_job.ts";
import {
  type HttpMessage,
  legacyMessage,
  modernMessage,
} from "../harness/messages.ts";
import { parleyAnswer } from "../harness/parley_answer.ts";
import {
  bare,
  fastmcpEdge,
  mcpLite,
  mcpTsCore,
  parley,
  sdkV1,
  sdkV2,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Table } from "../harness/table.ts";
import { resultOf, type Send, WrongAnswer } from "../harness/verify.ts";

const TOOLS = 50;

async function listLoad(send: Send, first: HttpMessage): Promise<Load> {
  const { tools } = await resultOf(send, first);
  const count = Array.isArray(tools) ? tools.length : 0;
  if (count !== TOOLS) throw new WrongAnswer(`wrong answer: ${count} tools`);
  return { first };
}

function modern(spec: ServerSpec): HttpContender {
  const message = modernMessage("tools/list");
  return { spec, prepare: (send) => listLoad(send, message) };
}

function legacy(spec: ServerSpec): HttpContender {
  const message = legacyMessage("tools/list");
  return { spec, prepare: (send) => listLoad(send, message) };
}

/** Measures both eras, each against a bare server that sends Parley's bytes of that era. */
export async function listGroup({ plan, load }: Bench): Promise<Table[]> {
  const now = { tools: TOOLS, mode: "modern" } as const;
  const then = { tools: TOOLS, mode: "stateless" } as const;
  const nowAnswer = await parleyAnswer(plan, now, modernMessage("tools/list"));
  const thenAnswer = await parleyAnswer(
    plan,
    then,
    legacyMessage("tools/list"),
  );
  const note = "The bare server serializes the same list for every request.";
  const modernTable = await httpTable(plan, load, {
    group: "list",
    title: `tools/list of ${TOOLS} tools, modern (2026-07-28)`,
    contenders: [bare(now, nowAnswer), parley(now), sdkV2(now), tmcp(now)]
      .map(modern),
    note,
  });
  const legacyTable = await httpTable(plan, load, {
    group: "list",
    title: `tools/list of ${TOOLS} tools, 2025 era, without sessions`,
    contenders: [
      bare(then, thenAnswer),
      parley(then),
      mcpLite(then),
      fastmcpEdge(then),
      sdkV1(then),
      sdkV2(then),
      mcpTsCore(then),
    ].map(legacy),
    note,
  });
  return [modernTable, legacyTable];
}
