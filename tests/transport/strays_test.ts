import assert from "node:assert/strict";
import { fileBeside, startChild } from "./_child.ts";
import { requestBody, VERSION } from "./modern/_client.ts";
import type { Json } from "./modern/_client.ts";

const SERVER = fileBeside("_stray_server.ts");
const YES = { action: "accept", content: { yes: true } };

async function call(
  url: string,
  name: string,
  retry: Json = {},
): Promise<Json> {
  const params = { name, ...retry };
  const capabilities = { elicitation: { form: {} } };
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify(requestBody("tools/call", params, { capabilities })),
  });
  return (await response.json()).result;
}

Deno.test("promises made of questions that are not awaited in time do not end the server", async () => {
  await using server = await startChild(["run", "-A", SERVER]);
  const asked = await call(server.url, "both");
  assert.deepEqual(Object.keys(asked.inputRequests as Json).sort(), [
    "one",
    "sure",
    "two",
  ]);
  const done = await call(server.url, "both", {
    inputResponses: { one: YES, sure: YES, two: YES },
    requestState: asked.requestState,
  });
  assert.partialDeepStrictEqual(done, {
    content: [{ text: "true true true" }],
  });
});

Deno.test("an answer that is declined while nobody awaits it does not end the server", async () => {
  await using server = await startChild(["run", "-A", SERVER]);
  const asked = await call(server.url, "both", {
    inputResponses: { one: { action: "decline" } },
  });
  assert.equal(asked.resultType, "input_required");
  await server.prints("no handler awaits");
  assert.equal((await call(server.url, "both")).resultType, "input_required");
});

Deno.test("a write to the state that fails while nobody awaits it is logged, and does not end the server", async () => {
  await using server = await startChild(["run", "-A", SERVER]);
  await call(server.url, "careless");
  await server.prints("no handler awaits");
  assert.match(server.printed(), /The ttl is -1/);
  assert.equal((await call(server.url, "both")).resultType, "input_required");
});

Deno.test("a rejection that is the author's own ends the server as it ends any program", async () => {
  await using server = await startChild(["run", "-A", SERVER]);
  await call(server.url, "broken").catch(() => {});
  const { code } = await server.status;
  assert.equal(code, 1);
  // What it printed may be read later than its end.
  await server.prints("a fault of the author");
});
