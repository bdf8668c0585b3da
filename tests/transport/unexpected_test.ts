import assert from "node:assert/strict";
import { createApp, memoryState, tool } from "../../mod.ts";
import { captureProcessLog } from "../context/_support.ts";
import { initializeBody, postRequest } from "./legacy/_raw_session.ts";
import { StreamSession } from "./legacy/_stream_session.ts";

Deno.test("what keeps a request of the 2025 era from being answered is in the log, and not in the answer", async () => {
  using log = captureProcessLog();
  const state = memoryState();
  const app = createApp({ name: "test", version: "1.0.0", state });
  await state.close();
  const response = await app.fetch(postRequest(initializeBody("2025-11-25")));
  assert.equal(response.status, 503);
  assert.doesNotMatch(await response.text(), /closed/);
  const faults = log.lines.filter(({ level }) => level === "error");
  assert.equal(faults.length, 1, log.text());
  assert.match(JSON.stringify(faults), /The state store is closed/);
  await app.close();
});

Deno.test("a call that its client cancels is no fault of the server", async () => {
  using log = captureProcessLog();
  const wait = tool("wait", {
    handler: (_args, ctx) =>
      new Promise((_, reject) => {
        ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
      }),
  });
  const app = createApp({
    name: "test",
    version: "1.0.0",
    state: memoryState(),
    tools: [wait],
  });
  const session = await StreamSession.open(app);
  await session.call("wait", {}, "w");
  await session.send({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: "w" },
  });
  await session.request("ping");
  await session.next();
  await app.close();
  assert.ok(!log.text().includes("could not be answered"), log.text());
});
