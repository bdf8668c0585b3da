import assert from "node:assert/strict";
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import {
  callTool,
  modernRequest,
  read,
  requestBody,
  textOf,
  VERSION,
} from "./_client.ts";

/** An app whose slow tool says what became of it. */
function slowApp(keepAliveMs = 15_000) {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const app = createApp({
    name: "slow",
    version: "1.0.0",
    state: memoryState(),
    keepAliveMs,
    tools: [
      tool("slow", {
        input: z.object({ announce: z.boolean() }),
        async handler({ announce }, ctx) {
          if (announce) ctx.progress(1);
          started.resolve();
          const { signal } = ctx;
          await new Promise<void>((resolve) =>
            signal.addEventListener("abort", () => resolve(), { once: true })
          );
          // Nobody is there to hear any of this.
          ctx.progress(2);
          ctx.log.info("still here");
          ended.resolve(signal.reason);
          throw new Error("too late");
        },
      }),
      tool("wait", {
        input: z.object({ ms: z.int(), announce: z.boolean() }),
        async handler({ ms, announce }, ctx) {
          if (announce) ctx.progress(1);
          const { signal } = ctx;
          await new Promise((resolve) => setTimeout(resolve, ms));
          ctx.progress(2);
          return `aborted: ${signal.aborted}`;
        },
      }),
      tool("quick", { handler: () => "served" }),
    ],
  });
  return { app, started: started.promise, ended: ended.promise };
}

const TOKEN = { meta: { progressToken: "p" } };

/** The same request, for a server that listens. */
function over(url: string, request: Request, signal?: AbortSignal): Request {
  return new Request(new Request(url, request), signal ? { signal } : {});
}

async function assertServing(url: string): Promise<void> {
  const request = modernRequest("tools/call", { name: "quick" });
  assert.equal(textOf(await read(await fetch(over(url, request)))), "served");
}

Deno.test("closing the stream cancels the call, and nothing more is sent", async () => {
  const { app, ended } = slowApp(10);
  const { url } = await app.listen({ port: 0, onListen() {} });
  const client = new AbortController();
  const request = modernRequest(
    "tools/call",
    { name: "slow", arguments: { announce: true } },
    TOKEN,
  );
  const response = await fetch(over(url, request, client.signal));
  const reader = response.body!.getReader();
  await reader.read();
  client.abort();
  const reason = await ended;
  assert.ok(reason instanceof DOMException, String(reason));
  assert.equal(reason.name, "AbortError");
  await assertServing(url);
  await app.close();
});

Deno.test("a client that leaves before anything was sent cancels the call", async () => {
  const { app, started, ended } = slowApp();
  const { url } = await app.listen({ port: 0, onListen() {} });
  const client = new AbortController();
  const request = modernRequest("tools/call", {
    name: "slow",
    arguments: { announce: false },
  });
  const response = fetch(over(url, request, client.signal));
  await started;
  client.abort();
  await assert.rejects(response);
  await ended;
  await assertServing(url);
  await app.close();
});

Deno.test("a request whose signal aborts in process is cancelled", async () => {
  const { app, started, ended } = slowApp();
  const client = new AbortController();
  const request = modernRequest("tools/call", {
    name: "slow",
    arguments: { announce: false },
  });
  const response = app.fetch(
    new Request(request, { signal: client.signal }),
  );
  await started;
  client.abort(new DOMException("gone", "AbortError"));
  await ended;
  await (await response).body?.cancel();
  assert.equal(textOf(await callTool(app, "quick")), "served");
});

Deno.test("a client that leaves in the middle of its body leaves the server serving", async () => {
  const { app } = slowApp();
  const { url, port } = await app.listen({ port: 0, onListen() {} });
  const body = JSON.stringify(requestBody("tools/call", { name: "quick" }));
  for (const sent of [0, 1, body.length - 1]) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Content-Type: application/json",
      `MCP-Protocol-Version: ${VERSION}`,
      "Mcp-Method: tools/call",
      "Mcp-Name: quick",
      `Content-Length: ${body.length}`,
      "",
      body.slice(0, sent),
    ].join("\r\n");
    await connection.write(new TextEncoder().encode(head));
    connection.close();
  }
  await assertServing(url);
  await app.close();
});

for (const announce of [false, true]) {
  Deno.test(`a call that takes its time and watches its client is answered once: ${announce ? "progress first" : "silent first"}`, async () => {
    const { app } = slowApp();
    const { url } = await app.listen({ port: 0, onListen() {} });
    const request = modernRequest(
      "tools/call",
      { name: "wait", arguments: { ms: 120, announce } },
      TOKEN,
    );
    const answer = await read(await fetch(over(url, request)));
    assert.equal(textOf(answer), "aborted: false");
    assert.equal(answer.notifications.length, announce ? 2 : 1);
    await app.close();
  });
}

Deno.test("a quick call that watches its client is answered with plain JSON", async () => {
  const { app } = slowApp();
  const { url } = await app.listen({ port: 0, onListen() {} });
  const request = modernRequest("tools/call", {
    name: "wait",
    arguments: { ms: 0, announce: false },
  });
  const answer = await read(await fetch(over(url, request)));
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(textOf(answer), "aborted: false");
  await app.close();
});

Deno.test("keep-alives are comments, and never events", async () => {
  const { app } = slowApp(5);
  const { url } = await app.listen({ port: 0, onListen() {} });
  const request = modernRequest(
    "tools/call",
    { name: "wait", arguments: { ms: 80, announce: true } },
    TOKEN,
  );
  const { text, messages } = await read(await fetch(over(url, request)));
  assert.match(text, /^:/m);
  assert.equal(messages.length, 3);
  for (const line of text.split("\n")) assert.match(line, /^(:.*|data: .*|)$/);
  await app.close();
});
