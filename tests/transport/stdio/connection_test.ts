import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type App,
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";
import { envelope, type Json, requestBody } from "../modern/_client.ts";
import { subscriptionIdOf } from "../modern/_listener.ts";
import {
  codeOf,
  connect,
  type StreamClient,
  textOf,
} from "./_stream_client.ts";

/** An app whose slow tool waits until it is let go, or cancelled. */
function createTestApp() {
  const waiting = new Map<string, () => void>();
  const aborted: unknown[] = [];
  const app = createApp({
    name: "streamed",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("echo", {
        input: z.object({ text: z.string() }),
        handler: ({ text }) => text,
      }),
      tool("wait", {
        input: z.object({ key: z.string() }),
        async handler({ key }, ctx) {
          ctx.progress(1);
          await new Promise<void>((resolve) => {
            waiting.set(key, resolve);
            ctx.signal.addEventListener("abort", () => {
              aborted.push([key, ctx.signal.reason?.message]);
              resolve();
            });
          });
          ctx.progress(2);
          return `${key} done`;
        },
      }),
      tool("deaf", {
        input: z.object({ key: z.string() }),
        async handler({ key }) {
          await new Promise<void>((resolve) => waiting.set(key, resolve));
          return `${key} done`;
        },
      }),
      tool("big", {
        input: z.object({ size: z.int() }),
        handler: ({ size }) => "x".repeat(size),
      }),
      tool("chatty", {
        async handler(_, ctx) {
          for (let n = 1; n <= 100; n++) {
            ctx.progress(n, 100, "é".repeat(50));
            if (n % 10 === 0) await new Promise((done) => setTimeout(done));
          }
          return "chatted";
        },
      }),
      tool("ask", {
        async handler(_, ctx) {
          const { name } = await ctx.ask("name", {
            message: "Name?",
            schema: z.object({ name: z.string() }),
          });
          return `Hello, ${name}`;
        },
      }),
      tool("change", {
        handler(_, ctx) {
          ctx.notifyToolListChanged();
          ctx.notifyResourceUpdated("a:1");
          return "changed";
        },
      }),
    ],
    prompts: [prompt("hello", { handler: () => "Hello" })],
    resources: [resource("a:1", { name: "one", handler: () => "1" })],
  });

  /** Waits until a call is there, and lets it go. */
  async function release(key: string): Promise<void> {
    while (!waiting.has(key)) await new Promise((next) => setTimeout(next, 1));
    waiting.get(key)!();
  }
  /** Waits until a call is there. */
  async function running(key: string): Promise<void> {
    while (!waiting.has(key)) await new Promise((next) => setTimeout(next, 1));
  }
  return { app, release, running, aborted };
}

/** Ends the input, and checks that the server ends with it. */
async function finish(
  app: App,
  client: StreamClient,
  served: Promise<void>,
): Promise<Json[]> {
  await client.end();
  const rest = await client.rest();
  await served;
  await app.close();
  return rest;
}

Deno.test("calls run side by side, and are answered as they are ready", async () => {
  const { app, release } = createTestApp();
  const { client, served } = connect(app);
  await client.callTool(1, "wait", { key: "slow" });
  await client.callTool(2, "echo", { text: "quick" });
  assert.equal(textOf(await client.answer(2)), "quick");
  await release("slow");
  assert.equal(textOf(await client.answer(1)), "slow done");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test('an id in use is refused, and the first call goes on; 1 and "1" are two', async () => {
  const { app, release } = createTestApp();
  const { client, served } = connect(app);
  const token = { meta: { progressToken: "first" } };
  await client.callTool(1, "wait", { key: "number" }, token);
  await client.callTool(1, "echo", { text: "second" });
  const progress = await client.next();
  assert.equal((progress?.params as Json).progressToken, "first");
  const refused = await client.next();
  assert.equal(refused?.id, 1);
  assert.equal(codeOf(refused), -32600);
  await client.callTool("1", "wait", { key: "string" });
  await release("string");
  assert.equal(textOf(await client.answer("1")), "string done");
  await release("number");
  assert.equal(textOf(await client.answer(1)), "number done");
  // The id is free again.
  await client.callTool(1, "echo", { text: "third" });
  assert.equal(textOf(await client.answer(1)), "third");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("calls with odd ids are cancelled, and nothing more is said of them", async () => {
  const { app, running, aborted } = createTestApp();
  const { client, served } = connect(app);
  const ids: unknown[] = [0, "", -1, "0", "\u0000", 2 ** 53 - 1, "__proto__"];
  for (const [index, id] of ids.entries()) {
    await client.callTool(id, "wait", { key: `k${index}` });
    await running(`k${index}`);
    await client.cancel(id, `reason ${index}`);
  }
  await client.callTool("last", "echo", { text: "alive" });
  assert.deepEqual((await client.next())?.id, "last");
  assert.deepEqual(
    aborted,
    ids.map((_, index) => [`k${index}`, `reason ${index}`]),
  );
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("cancellations that name no running call are ignored", async () => {
  const { app, release, running, aborted } = createTestApp();
  const { client, served } = connect(app);
  await client.callTool(0, "wait", { key: "zero" });
  await running("zero");
  await client.callTool("done", "echo", { text: "over" });
  await client.answer("done");
  const ids = ["0", "unknown", "done", null, [0], { id: 0 }, true, 0.5];
  for (const id of ids) await client.cancel(id);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled" };
  for (const params of [undefined, null, [], "0", 0, {}]) {
    await client.send({ ...cancelled, params });
  }
  await client.send({ jsonrpc: "2.0", method: "notifications/unheard-of" });
  await release("zero");
  assert.deepEqual((await client.next())?.id, 0);
  assert.deepEqual(aborted, []);
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("the id of a cancelled call can be used again, while its handler goes on", async () => {
  const { app, release, running } = createTestApp();
  const { client, served } = connect(app);
  await client.callTool(1, "deaf", { key: "deaf" });
  await running("deaf");
  await client.cancel(1);
  await client.callTool(1, "wait", { key: "next" });
  await release("deaf");
  await release("next");
  assert.equal(textOf(await client.answer(1)), "next done");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("lines that are no messages are refused, and the connection lives", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const deep = "[".repeat(200_000);
  const lines: [line: string, code: number, id: unknown][] = [
    ["{bad", -32700, undefined],
    ["\u0000", -32700, undefined],
    [deep, -32700, undefined],
    ["[]", -32600, undefined],
    [`[${JSON.stringify(requestBody("server/discover"))}]`, -32600, undefined],
    ["null", -32600, undefined],
    ["1", -32600, undefined],
    ['"text"', -32600, undefined],
    ["{}", -32600, undefined],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5],
    ['{"jsonrpc":"2.0","id":6,"method":7}', -32600, 6],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":8,"method":"tools/list"}', -32602, 8],
    [
      '{"jsonrpc":"2.0","id":"9","method":"tools/list","params":[]}',
      -32602,
      "9",
    ],
  ];
  for (const [line, code, id] of lines) {
    await client.text(`${line}\n`);
    const message = await client.next();
    assert.equal(codeOf(message), code, line.slice(0, 80));
    assert.equal(message?.id, id, line.slice(0, 80));
  }
  await client.callTool(1, "echo", { text: "alive" });
  assert.equal(textOf(await client.answer(1)), "alive");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("the envelope is held to the rules that HTTP has it held to", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const version = "io.modelcontextprotocol/protocolVersion";
  await client.request(1, "tools/list", {}, { meta: { [version]: undefined } });
  assert.equal(codeOf(await client.next()), -32602);
  await client.request(2, "tools/list", {}, {
    meta: { [version]: "2030-01-01" },
  });
  assert.deepEqual(((await client.next())?.error as Json).data, {
    supported: ["2026-07-28"],
    requested: "2030-01-01",
  });
  await client.request(3, "no/such", {});
  assert.equal(codeOf(await client.next()), -32601);
  await client.request(4, "server/discover");
  const discovered = (await client.next())?.result as Json;
  assert.equal(discovered.resultType, "complete");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("a question is a result, never a request, and its answer comes with the next call", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  await client.callTool(0, "ask");
  const refused = (await client.next())!;
  assert.equal(codeOf(refused), -32021);
  const capabilities = { elicitation: { form: {} } };
  await client.callTool(1, "ask", {}, { capabilities });
  const asked = (await client.next())!;
  assert.equal(asked.id, 1);
  const { resultType, inputRequests, requestState } = asked.result as Json;
  assert.equal(resultType, "input_required");
  assert.deepEqual(Object.keys(inputRequests as Json), ["name"]);
  const inputResponses = {
    name: { action: "accept", content: { name: "Ada" } },
  };
  const params = { name: "ask", arguments: {}, inputResponses, requestState };
  await client.request(2, "tools/call", params, { capabilities });
  assert.equal(textOf(await client.answer(2)), "Hello, Ada");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("CRLF, a byte order mark, blank lines and an unfinished last line are no trouble", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const text = [1, 2, 3].map((id) =>
    JSON.stringify(requestBody("server/discover", {}, { id }))
  );
  await client.text(`\ufeff${text[0]}\r\n\r\n\n  \n${text[1]}\r\n${text[2]}`);
  await client.end();
  const ids = (await client.rest()).map(({ id }) => id);
  assert.deepEqual(ids, [1, 2, 3]);
  await served;
  await app.close();
});

Deno.test("bytes that are no UTF-8 get an answer, and the connection lives", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  await client.bytes(Uint8Array.of(0xff, 0xfe, 0x0a));
  assert.equal(codeOf(await client.next()), -32700);
  const body = JSON.stringify(
    requestBody("tools/call", { name: "echo", arguments: { text: "<>" } }),
  );
  const bytes = new TextEncoder().encode(`${body}\n`);
  bytes[bytes.indexOf(0x3c)] = 0xff;
  await client.bytes(bytes);
  assert.equal(textOf(await client.answer(1)), "\ufffd>");
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("text with line breaks and lone surrogates stays on one well-formed line", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const text = "a\nb\r\nc\u2028d\u2029e\u0000\ud800";
  await client.callTool(1, "echo", { text });
  assert.equal(textOf(await client.answer(1)), text.toWellFormed());
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("lines of many megabytes go both ways, and nothing comes between their parts", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const size = 6 * 1024 * 1024;
  const token = { meta: { progressToken: 1 } };
  const sending = (async () => {
    await client.callTool("chatty", "chatty", {}, token);
    await client.callTool("big", "big", { size });
    await client.callTool("echo", "echo", { text: "é".repeat(size / 2) });
  })();
  const answers = new Map<unknown, string>();
  let progress = 0;
  // Every line is parsed, so a line that another one cut would be noticed.
  while (answers.size < 3) {
    const message = (await client.next())!;
    if (message.method === undefined) answers.set(message.id, textOf(message));
    else progress++;
  }
  await sending;
  assert.equal(answers.get("big"), "x".repeat(size));
  assert.equal(answers.get("echo"), "é".repeat(size / 2));
  assert.ok(progress > 0);
  assert.deepEqual(await finish(app, client, served), []);
});

Deno.test("a client that does not read is not read from, and nothing it asked is lost", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const total = 400;
  let sent = 0;
  const sending = (async () => {
    for (let id = 0; id < total; id++) {
      await client.callTool(id, "big", { size: 50_000 });
      sent++;
    }
    await client.end();
  })();
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.ok(sent < total);
  const ids = new Set((await client.rest()).map(({ id }) => id));
  assert.equal(ids.size, total);
  await sending;
  await served;
  await app.close();
});

Deno.test("the end of the input lets running calls finish, and ends listeners behind them", async () => {
  const { app, release } = createTestApp();
  const { client, served } = connect(app);
  const filter = { notifications: { toolsListChanged: true } };
  await client.request("s", "subscriptions/listen", filter);
  await client.callTool(1, "wait", { key: "last" });
  await client.end();
  await release("last");
  const messages = await client.rest();
  await served;
  assert.match(String(messages[0]!.method), /acknowledged$/);
  assert.equal(textOf(messages[1]!), "last done");
  assert.equal(messages[2]!.id, "s");
  assert.equal(messages[3]!.method, "notifications/cancelled");
  assert.equal(messages.length, 4);
  await app.close();
});

Deno.test("an abort cancels what is running at once, and still tells listeners", async () => {
  const { app, running, aborted } = createTestApp();
  const stop = new AbortController();
  const { client, served } = connect(app, stop.signal);
  await client.request(5, "subscriptions/listen", { notifications: {} });
  await client.callTool(1, "wait", { key: "cut" });
  await running("cut");
  stop.abort();
  const ids = (await client.rest()).map(({ id }) => id);
  assert.deepEqual(ids, [undefined, 5, undefined]);
  assert.equal(aborted.length, 1);
  await served;
  await app.close();
});

Deno.test("closing the app ends its connections", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  await client.request(5, "subscriptions/listen", { notifications: {} });
  assert.match(String((await client.next())?.method), /acknowledged$/);
  await app.close();
  await served;
  assert.equal((await client.rest()).length, 2);
});

Deno.test("a client that is gone cancels what is running, and the server lets go", async () => {
  const { app, running, aborted } = createTestApp();
  const { client, served } = connect(app);
  await client.request(5, "subscriptions/listen", {
    notifications: { toolsListChanged: true },
  });
  await client.next();
  await client.callTool(1, "wait", { key: "gone" });
  await running("gone");
  await client.leave();
  app.notify.toolsChanged();
  await served;
  assert.equal(aborted.length, 1);
  await app.close();
});

Deno.test("subscriptions share the channel, each with its own tag, and end by themselves", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const listen = (id: unknown, notifications: unknown) =>
    client.request(id, "subscriptions/listen", { notifications });
  await listen(0, { toolsListChanged: true, resourceSubscriptions: ["a:1"] });
  await listen("0", { resourceSubscriptions: ["a:1"] });
  for (const id of [0, "0"]) {
    const message = await client.next();
    assert.match(String(message?.method), /acknowledged$/);
    assert.equal(subscriptionIdOf(message), id);
  }
  await listen(0, {});
  assert.equal(codeOf(await client.next()), -32600);
  await listen("bad", { toolsListChanged: 1 });
  assert.equal(codeOf(await client.answer("bad")), -32602);
  await client.callTool("c", "change");
  const heard: unknown[] = [];
  for (let n = 0; n < 4; n++) {
    const message = await client.next();
    const id = message?.method === undefined
      ? "answer"
      : subscriptionIdOf(message);
    heard.push([message?.method, id]);
  }
  assert.deepEqual(heard, [
    ["notifications/tools/list_changed", 0],
    ["notifications/resources/updated", 0],
    ["notifications/resources/updated", "0"],
    [undefined, "answer"],
  ]);
  // Cancelled, a subscription has no result and no successor in its events.
  await client.cancel(0);
  await client.callTool("d", "change");
  const updated = await client.next();
  assert.equal(subscriptionIdOf(updated), "0");
  assert.equal((await client.next())?.id, "d");
  // Its id can be used again.
  await listen(0, {});
  assert.equal(subscriptionIdOf(await client.next()), 0);
  const rest = await finish(app, client, served);
  assert.deepEqual(rest.map(({ id, method }) => [id, method]), [
    ["0", undefined],
    [undefined, "notifications/cancelled"],
    [0, undefined],
    [undefined, "notifications/cancelled"],
  ]);
  for (const message of rest) {
    assert.equal(
      typeof subscriptionIdOf(message),
      typeof (message.id ?? (message.params as Json).requestId),
    );
  }
  assert.deepEqual((rest[0]!.result as Json)._meta, {
    "io.modelcontextprotocol/subscriptionId": "0",
    "io.modelcontextprotocol/serverInfo": {
      name: "streamed",
      version: "1.0.0",
    },
  });
});

Deno.test("a listener that does not read loses its subscription, not the answers", async () => {
  const { app } = createTestApp();
  const { client, served } = connect(app);
  const uri = `a:${"x".repeat(100_000)}`;
  await client.request(1, "subscriptions/listen", {
    notifications: { resourceSubscriptions: [uri] },
  });
  await client.next();
  for (let n = 0; n < 200; n++) app.notify.resourceUpdated(uri);
  await client.end();
  const rest = await client.rest();
  assert.ok(rest.length < 100);
  assert.deepEqual((rest.at(-1)!.params as Json).requestId, 1);
  await served;
  await app.close();
});

Deno.test("any split of the bytes gives the same answers, and leaves the server serving", async () => {
  const { app } = createTestApp();
  const echo = (text: string, id: unknown) =>
    JSON.stringify(
      requestBody("tools/call", { name: "echo", arguments: { text } }, { id }),
    );
  const line = fc.oneof(
    fc.tuple(fc.string({ unit: "binary", maxLength: 8 }), fc.nat()).map((
      [text, id],
    ) => echo(text, id)),
    fc.json().filter((json) => !json.includes("jsonrpc")),
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      "",
      "[]",
      '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "x",
        params: { _meta: envelope({}) },
      }),
    ),
  );
  const script = fc.array(
    fc.tuple(line, fc.constantFrom("\n", "\r\n")),
    { maxLength: 8 },
  ).map((lines) => lines.flat().join(""));

  async function talk(chunks: readonly Uint8Array[]): Promise<string[]> {
    const { client, served } = connect(app);
    const answers = client.rest();
    for (const chunk of chunks) await client.bytes(chunk);
    await client.text(`\n${echo("still here", "end")}\n`);
    await client.end();
    const messages = await answers;
    await served;
    assert.ok(
      messages.some((message) =>
        message.id === "end" && textOf(message) === "still here"
      ),
    );
    // Answers may come in any order.
    return messages.map((message) =>
      JSON.stringify(message).replaceAll(/"requestId":"[^"]+"/g, "")
    ).sort();
  }

  await fc.assert(
    fc.asyncProperty(
      script,
      fc.array(fc.nat(1_000), { maxLength: 10 }),
      async (text, places) => {
        const bytes = new TextEncoder().encode(text);
        const cuts = places.map((place) => place % (bytes.length + 1))
          .toSorted((a, b) => a - b);
        const chunks = [...cuts, bytes.length].map((end, index) =>
          bytes.subarray(index === 0 ? 0 : cuts[index - 1], end)
        );
        assert.deepEqual(await talk(chunks), await talk([bytes]));
      },
    ),
    { numRuns: 100 },
  );
  await app.close();
});
