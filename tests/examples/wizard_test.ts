import assert from "node:assert/strict";
import {
  createMockContext,
  createTestClient,
  getInputRequest,
} from "../../testing.ts";
import { createApp, InputRequiredSignal, kvState } from "../../mod.ts";
import { provision } from "../../examples/wizard.ts";

const db = { name: "db", region: "eu", gb: 4 };

Deno.test("the wizard asks in two rounds, and keeps what it made, as a function", async () => {
  const first = createMockContext({
    inputResponses: { name: { action: "accept", content: { name: "db" } } },
  });
  await assert.rejects(
    async () => await provision.handler({}, first),
    (thrown) => thrown instanceof InputRequiredSignal,
  );
  const asked = await getInputRequest(first);
  assert.deepEqual(Object.keys(asked?.inputRequests ?? {}), ["region", "size"]);

  const second = createMockContext({
    requestState: asked?.requestState,
    inputResponses: {
      region: { action: "decline" },
      size: { action: "accept", content: { gb: 4 } },
    },
  });
  assert.deepEqual(await provision.handler({}, second), db);
  assert.deepEqual(await second.state.get("database/db"), db);
});

Deno.test("the wizard asks clients of both eras, with state in a file", async () => {
  const directory = await Deno.makeTempDir();
  const app = createApp({
    name: "wizard",
    version: "1.0.0",
    tools: [provision],
    state: kvState(`${directory}/state.db`),
  });
  for (const era of ["modern", "legacy"] as const) {
    await using client = createTestClient(app, {
      era,
      // What does not pass the schema is asked for again.
      answers: {
        name: [{ name: "D" }, { name: "db" }],
        region: "decline",
        size: { gb: 4 },
      },
    });
    const { structuredContent } = await client.callTool("provision");
    assert.deepEqual(structuredContent, db);
    assert.deepEqual(client.questions.map(({ key }) => key), [
      "name",
      "name",
      "region",
      "size",
    ]);
  }
  await app.close();
  await Deno.remove(directory, { recursive: true });
});
