import assert from "node:assert/strict";
import { type Context, createApp, memoryState, tool, z } from "../../../mod.ts";
import { type Json, modernRequest } from "./_client.ts";

const SERVED = { remoteAddr: { hostname: "127.0.0.1" } };

function testApp(handler: (ctx: Context) => string) {
  return createApp({
    name: "at-once",
    version: "1.0.0",
    state: memoryState(),
    closeTimeoutMs: 10,
    tools: [
      tool("now", {
        output: z.object({ text: z.string() }),
        handler: (_args, ctx) => ({ text: handler(ctx) }),
      }),
      tool("hang", {
        handler: (_args, { signal }) =>
          new Promise<string>((resolve) => {
            signal.addEventListener("abort", () => resolve("stopped"));
          }),
      }),
      tool("plain", { handler: (_args, ctx) => handler(ctx) }),
    ],
  });
}

function request(name: string, meta: Json = {}): Request {
  return modernRequest("tools/call", { name }, { meta });
}

for (const name of ["now", "plain"]) {
  Deno.test(`${name}: a handler that reads ctx.signal and answers at once leaves no timer, and gets no stream`, async () => {
    const signals: AbortSignal[] = [];
    const app = testApp((ctx) => {
      signals.push(ctx.signal);
      return "done";
    });
    const response = await app.fetch(request(name), SERVED);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.match(await response.text(), /done/);
    // What is over is not told to stop.
    const hanging = await app.fetch(request("hang"), SERVED);
    await app.close();
    assert.match(await hanging.text(), /stopped/);
    assert.deepEqual(signals.map(({ aborted }) => aborted), [false]);
  });

  Deno.test(`${name}: what a handler sends before it answers at once comes first, in one stream`, async () => {
    const app = testApp((ctx) => {
      ctx.progress(1);
      ctx.progress(2);
      return "done";
    });
    const response = await app.fetch(
      request(name, { progressToken: "p" }),
      SERVED,
    );
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const text = await response.text();
    assert.deepEqual(
      text.match(/"progress":\d|"type":"text"/g),
      ['"progress":1', '"progress":2', '"type":"text"'],
    );
    await app.close();
  });

  Deno.test(`${name}: what a handler sends after its answer goes nowhere, though it answered at once`, async () => {
    const kept: Context[] = [];
    const app = testApp((ctx) => {
      kept.push(ctx);
      ctx.progress(1);
      return "done";
    });
    const response = await app.fetch(
      request(name, { progressToken: "p" }),
      SERVED,
    );
    kept[0]!.progress(2);
    const text = await response.text();
    assert.deepEqual(text.match(/"progress":\d/g), ['"progress":1']);
    await app.close();
  });

  Deno.test(`${name}: a handler that throws at once is answered as one that rejects`, async () => {
    const app = testApp(() => {
      throw new Error("no");
    });
    const response = await app.fetch(request(name), SERVED);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /"isError":true/);
    await app.close();
  });
}
