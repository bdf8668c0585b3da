/** Calls that ask one question: two rounds, the state between them sealed and verified. */

import type { Bench } from "../harness/group.ts";
import { httpTable } from "../harness/http_table.ts";
import type { Load } from "../harness/load_job.ts";
import {
  ECHO_MESSAGE,
  type HttpMessage,
  modernMessage,
} from "../harness/messages.ts";
import { answerFile } from "../harness/parley_answer.ts";
import type { Plan } from "../harness/plan.ts";
import { startServer } from "../harness/server_process.ts";
import {
  bare,
  type Offer,
  parley,
  sdkV2,
  sdkV2Shared,
} from "../harness/server_spec.ts";
import type { Table } from "../harness/table.ts";
import {
  checkEcho,
  resultOf,
  type Send,
  sendTo,
  WrongAnswer,
} from "../harness/verify.ts";

const OFFER: Offer = { kit: "confirm", mode: "modern" };
const CLIENT = { capabilities: { elicitation: { form: {} } } };
const CALL = { name: "confirm", arguments: { message: ECHO_MESSAGE } };

function firstRound(): HttpMessage {
  return modernMessage("tools/call", CALL, CLIENT);
}

function secondRound(requestState: string): HttpMessage {
  return modernMessage("tools/call", {
    ...CALL,
    inputResponses: {
      confirm: { action: "accept", content: { confirm: true } },
    },
    requestState,
  }, CLIENT);
}

function stateOf(result: Record<string, unknown>): string {
  if (typeof result.requestState === "string") return result.requestState;
  throw new WrongAnswer(`wrong answer: ${JSON.stringify(result)}`);
}

async function refusesForged(send: Send, state: string): Promise<void> {
  const forged = state.slice(0, -4) +
    (state.endsWith("AAAA") ? "BBBB" : "AAAA");
  const response = await send(secondRound(forged));
  if (/"structuredContent"/.test(await response.text())) {
    throw new WrongAnswer("wrong answer: a forged state was accepted");
  }
}

/** Goes through one flow, and makes sure that a forged state is refused. */
async function sealedLoad(send: Send): Promise<Load> {
  const load = await openLoad(send);
  await refusesForged(send, stateOf(await resultOf(send, firstRound())));
  return load;
}

/** The bare server checks nothing, so a forged state is not tried on it. */
async function openLoad(send: Send): Promise<Load> {
  const state = stateOf(await resultOf(send, firstRound()));
  checkEcho(await resultOf(send, secondRound(state)), true);
  return { first: firstRound(), second: secondRound(state) };
}

/** The file with Parley's two results, or nothing when Parley has none. */
async function bothAnswers(plan: Plan): Promise<string | undefined> {
  try {
    await using server = await startServer(parley(OFFER));
    const send = sendTo(server.url);
    const first = await resultOf(send, firstRound());
    const second = await resultOf(send, secondRound(stateOf(first)));
    return await answerFile(plan, "confirm", { first, second });
  } catch {
    return undefined;
  }
}

/** Measures rounds, half of them first ones and half second ones. */
export async function roundsGroup({ plan, load }: Bench): Promise<Table[]> {
  const table = await httpTable(plan, load, {
    group: "rounds",
    title: "Two rounds of input, sealed and verified, modern (2026-07-28)",
    unit: "rounds/s",
    contenders: [
      { spec: bare(OFFER, await bothAnswers(plan)), prepare: openLoad },
      { spec: parley(OFFER), prepare: sealedLoad },
      { spec: sdkV2(OFFER), prepare: sealedLoad },
      { spec: sdkV2Shared(OFFER), prepare: sealedLoad },
    ],
    note:
      "First and second rounds in turn; the second ones carry a state the server sealed, and verifies each time. The bare server sends the same bytes and does neither.",
  });
  return [table];
}
