/** Calls that send 100 progress events before their result. */

import type { Bench } from "../harness/group.ts";
import { type HttpContender, httpTable } from "../harness/http_table.ts";
import type { Load } from "../harness/load_job.ts";
import {
  ECHO_MESSAGE,
  type HttpMessage,
  legacyMessage,
  modernMessage,
  PROGRESS_EVENTS,
} from "../harness/messages.ts";
import {
  bare,
  mcpLite,
  type Offer,
  parley,
  sdkV1,
  sdkV2,
  type ServerSpec,
  tmcp,
} from "../harness/server_spec.ts";
import type { Table } from "../harness/table.ts";
import {
  exchange,
  openSession,
  type Send,
  WrongAnswer,
} from "../harness/verify.ts";

const MODERN: Offer = { kit: "count", mode: "modern" };
const STATELESS: Offer = { kit: "count", mode: "stateless" };
const SESSION: Offer = { kit: "count", mode: "session" };
const CALL = { name: "count", arguments: { message: ECHO_MESSAGE } };
const TOKEN = { progressToken: "bench" };

interface Notification {
  method?: string;
  params?: { progress?: number };
}

/** Every event must arrive, in order, before the result. */
async function streamLoad(send: Send, first: HttpMessage): Promise<Load> {
  const messages = await exchange(send, first);
  const progress = messages.slice(0, -1).map((message) =>
    (message as Notification).params?.progress
  );
  const complete = progress.length === PROGRESS_EVENTS &&
    progress.every((value, index) => value === index + 1) &&
    messages.at(-1)?.result !== undefined;
  if (!complete) {
    throw new WrongAnswer(
      `wrong answer: ${progress.length} of ${PROGRESS_EVENTS} events, ${
        JSON.stringify(messages.at(-1)).slice(0, 100)
      }`,
    );
  }
  return { first };
}

function modern(spec: ServerSpec): HttpContender {
  const message = modernMessage("tools/call", CALL, { meta: TOKEN });
  return { spec, prepare: (send) => streamLoad(send, message) };
}

function stateless(spec: ServerSpec): HttpContender {
  const message = legacyMessage("tools/call", { ...CALL, _meta: TOKEN });
  return { spec, prepare: (send) => streamLoad(send, message) };
}

function inSession(spec: ServerSpec): HttpContender {
  return {
    spec,
    prepare: async (send) =>
      await streamLoad(
        send,
        legacyMessage(
          "tools/call",
          { ...CALL, _meta: TOKEN },
          await openSession(send),
        ),
      ),
  };
}

function named(spec: ServerSpec, suffix: string): ServerSpec {
  return { ...spec, name: `${spec.name}, ${suffix}` };
}

/** Measures events, of which each call sends a hundred. */
export async function streamsGroup({ plan, load }: Bench): Promise<Table[]> {
  const table = await httpTable(plan, load, {
    group: "streams",
    title: `tools/call with ${PROGRESS_EVENTS} progress events`,
    unit: "events/s",
    perAnswer: PROGRESS_EVENTS,
    contenders: [
      modern(bare(MODERN)),
      modern(named(parley(MODERN), "modern")),
      stateless(named(parley(STATELESS), "2025 era")),
      modern(named(sdkV2(MODERN), "modern")),
      modern(named(tmcp(MODERN), "modern")),
      stateless(named(sdkV1(STATELESS), "2025 era")),
      inSession(named(sdkV1(SESSION), "2025 era, session")),
      stateless(named(mcpLite(STATELESS), "2025 era")),
      inSession(named(mcpLite(SESSION), "2025 era, session")),
    ],
    note:
      "CPU and p99 are for one call. The bare server enqueues each event by itself.",
  });
  return [table];
}
