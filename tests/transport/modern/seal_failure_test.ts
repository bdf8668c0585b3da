import assert from "node:assert/strict";
import { createApp, memoryState, tool } from "../../../mod.ts";
import { call, callTool, type Json } from "./_client.ts";

Deno.test("questions that cannot be sealed end a stream that has begun", async () => {
  const app = createApp({
    name: "seals",
    version: "1.0.0",
    state: memoryState(),
    requestState: { keys: ["a secret of at least thirty-two bytes!"] },
    tools: [
      tool("ask", {
        handler(_args, ctx) {
          ctx.progress(1);
          return ctx.requestInput({ requestState: "s" });
        },
      }),
    ],
  });
  const options = { meta: { progressToken: "t" } };
  let nested: unknown = 1;
  for (let i = 0; i < 1_500; i++) nested = [nested];
  // The first one finds the keys, and the others have them at once.
  for (let round = 0; round < 3; round++) {
    const asked = await callTool(app, "ask", {}, options);
    assert.equal(asked.result.resultType, "input_required");
    const deep: Json = { name: "ask", arguments: { nested } };
    const { headers, notifications, error } = await call(
      app,
      "tools/call",
      deep,
      options,
    );
    assert.equal(headers.get("content-type"), "text/event-stream");
    assert.equal(notifications.length, 1);
    assert.equal(error.code, -32602);
    assert.match(String(error.message), /1,?000/);
  }
  await app.close();
});
