import assert from "node:assert/strict";
import { type Context, createApp, memoryState, tool } from "../../../mod.ts";
import { callTool, type Json } from "./_client.ts";

/** Reports a row of values and gives what the client got of it. */
async function reported(
  values: readonly (readonly [number, number?, string?])[],
  progressToken: unknown,
): Promise<Json[]> {
  const app = createApp({
    name: "progress",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("report", {
        handler(_args, ctx) {
          for (const value of values) ctx.progress(...value);
        },
      }),
    ],
  });
  const meta = progressToken === undefined ? {} : { progressToken };
  const { status, result, notifications } = await callTool(app, "report", {}, {
    meta,
  });
  assert.equal(status, 200);
  assert.equal(result.resultType, "complete");
  return notifications.map(({ method, params }) => {
    assert.equal(method, "notifications/progress");
    return params as Json;
  });
}

Deno.test("progress reaches a client under its own token, of either type", async () => {
  for (const progressToken of ["t", "", 0, 7, -1]) {
    assert.deepEqual(await reported([[1, 2, "half"], [2, 2]], progressToken), [
      { progressToken, progress: 1, total: 2, message: "half" },
      { progressToken, progress: 2, total: 2 },
    ]);
  }
});

Deno.test("progress is sent to nobody who did not ask for it", async () => {
  assert.deepEqual(await reported([[1], [2]], undefined), []);
});

Deno.test("progress only ever increases", async () => {
  const values = [[0], [0], [1.5], [1], [-1], [2], [2]] as const;
  assert.deepEqual(
    (await reported(values, 1)).map(({ progress }) => progress),
    [0, 1.5, 2],
  );
});

Deno.test("progress that is no number is left out, and so is such a total", async () => {
  const values = [[NaN], [-Infinity], [1, NaN], [2, Infinity], [Infinity], [
    3,
    4,
  ]] as const;
  assert.deepEqual(await reported(values, 1), [
    { progressToken: 1, progress: 1 },
    { progressToken: 1, progress: 2 },
    { progressToken: 1, progress: 3, total: 4 },
  ]);
});

Deno.test("progress stops with the call", async () => {
  let kept: Context["progress"] | undefined;
  const app = createApp({
    name: "progress",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("keep", {
        handler(_args, ctx) {
          kept = ctx.progress;
          ctx.progress(1);
        },
      }),
    ],
  });
  const meta = { progressToken: 1 };
  const { notifications } = await callTool(app, "keep", {}, { meta });
  assert.equal(notifications.length, 1);
  kept?.(2);
  const other = await callTool(app, "keep", {}, { meta });
  assert.equal(other.notifications.length, 1);
});
