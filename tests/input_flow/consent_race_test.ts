import assert from "node:assert/strict";
import { requestBody, VERSION } from "../transport/modern/_client.ts";
import type { Json } from "../transport/modern/_client.ts";
import { startServer } from "../transport/modern/_server_process.ts";
import { accept, ALL } from "./_rounds.ts";

/** PARLEY_FULL=1 runs them all. */
const ROUNDS = Deno.env.get("PARLEY_FULL") ? 1_000 : 200;
const RETRIES = 8;
const IN_FLIGHT = 4;

const PROGRAM = new URL("programs/consent_server.ts", import.meta.url).pathname;

async function callAct(
  url: string,
  round: number,
  retry: Json = {},
): Promise<Json> {
  const params = { name: "act", arguments: { round }, ...retry };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": "act",
    },
    body: JSON.stringify(
      requestBody("tools/call", params, { capabilities: ALL }),
    ),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text).result;
}

/** Asks once, and answers many times at the same moment. */
async function goThrough(
  urls: readonly string[],
  round: number,
): Promise<void> {
  const asked = await callAct(urls[round % 2]!, round);
  assert.equal(asked.resultType, "input_required");
  const retry = {
    inputResponses: { sure: accept({ yes: true }) },
    requestState: asked.requestState,
  };
  const results = await Promise.all(
    Array.from(
      { length: RETRIES },
      (_, i) => callAct(urls[i % 2]!, round, retry),
    ),
  );
  const done = results.filter(({ resultType }) => resultType === "complete");
  assert.equal(done.length, 1, `round ${round}`);
  assert.partialDeepStrictEqual(done[0], { content: [{ text: "acted" }] });
  // All others are asked again, with a record of their own.
  const states = results.flatMap(({ requestState }) =>
    typeof requestState === "string" ? [requestState] : []
  );
  assert.equal(new Set(states).size, RETRIES - 1);
  assert.ok(!states.includes(String(asked.requestState)));
}

Deno.test(`${ROUNDS} consents, each answered by ${RETRIES} retries at once in two processes on one store, count once`, async () => {
  const directory = await Deno.makeTempDir();
  const actions = `${directory}/actions.txt`;
  await Deno.writeTextFile(actions, "");
  try {
    const args = ["run", "-A", PROGRAM, `${directory}/state.sqlite`, actions];
    await using one = await startServer(args);
    await using two = await startServer(args);
    const urls = [one.url, two.url];

    let next = 0;
    await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
      while (next < ROUNDS) await goThrough(urls, next++);
    }));
    const acted = (await Deno.readTextFile(actions)).trim().split("\n");
    assert.equal(acted.length, ROUNDS);
    assert.equal(new Set(acted).size, ROUNDS);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
