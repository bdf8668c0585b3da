import assert from "node:assert/strict";
import { type Context, tool, z } from "../../../mod.ts";
import { RawSession, SseReader } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

/** A tool that does what the test lets it do, step by step. */
function steppedTool(steps: ((ctx: Context) => void | Promise<void>)[]) {
  return tool("stepped", {
    async handler(_args, ctx) {
      for (const step of steps) await step(ctx);
      return "the result";
    },
  });
}

function progress(value: number): (ctx: Context) => void {
  return (ctx) => ctx.progress(value);
}

function callWithProgress(
  session: RawSession,
  id: unknown = 1,
): Promise<Response> {
  return session.request(
    "tools/call",
    { name: "stepped", _meta: { progressToken: "t" } },
    id,
  );
}

Deno.test("a call that sends nothing ahead of its result is answered with JSON", async () => {
  const app = testApp({ tools: [steppedTool([])] });
  const session = await RawSession.open(app);
  const response = await session.call("stepped");
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("mcp-session-id"), null);
  const { result } = await response.json();
  assert.deepEqual(result, { content: [{ type: "text", text: "the result" }] });
  await app.close();
});

Deno.test("streams begin with an empty event in revisions that have it, when they can be resumed", async () => {
  const tools = [steppedTool([progress(1)])];
  for (
    const [version, primed] of [
      ["2025-03-26", false],
      ["2025-06-18", false],
      ["2025-11-25", true],
    ] as const
  ) {
    const app = testApp({ tools });
    const session = await RawSession.open(app, { version });
    for (
      const response of [await callWithProgress(session), await session.get()]
    ) {
      const reader = new SseReader(response);
      app.notify.toolsChanged();
      const first = await reader.next();
      assert.ok(first?.id, version);
      assert.equal(first.message === undefined, primed, version);
      assert.equal(first.retry !== undefined, primed, version);
      await reader.leave();
    }
    await app.close();
  }
});

Deno.test("streams that cannot be resumed have no ids and no empty events", async () => {
  Deno.env.set("MCP_HTTP_RESUMABILITY", "false");
  const app = testApp({ tools: [steppedTool([progress(1)])] });
  Deno.env.delete("MCP_HTTP_RESUMABILITY");
  const session = await RawSession.open(app);
  const events = await new SseReader(await callWithProgress(session)).all();
  assert.equal(events.length, 2);
  for (const { id, message } of events) {
    assert.equal(id, undefined);
    assert.ok(message);
  }
  await app.close();
});

Deno.test("a client that was cut off gets what it missed, and the rest as it comes", async () => {
  const gone = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  const tools = [steppedTool([
    progress(1),
    progress(2),
    () => gone.promise,
    progress(3),
    () => back.promise,
    progress(4),
  ])];
  const app = testApp({ tools });
  const session = await RawSession.open(app);
  const first = new SseReader(await callWithProgress(session, "call"));
  await first.next();
  const one = await first.next();
  assert.equal(one?.message.params.progress, 1);
  await first.leave();
  gone.resolve();
  const second = new SseReader(await session.get(one!.id));
  const values = [];
  values.push((await second.message()).params.progress);
  values.push((await second.message()).params.progress);
  back.resolve();
  values.push((await second.message()).params.progress);
  assert.deepEqual(values, [2, 3, 4]);
  const { id, result } = await second.message();
  assert.equal(id, "call");
  assert.equal(result.content[0].text, "the result");
  assert.equal(await second.next(), undefined);
  // It can be had again, from any point.
  const again = await new SseReader(await session.get(one!.id)).all();
  assert.equal(again.length, 4);
  await app.close();
});

Deno.test("a client that missed more than waits for a slow reader gets all of it, a part at a time", async () => {
  const gone = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const text = "x".repeat(1_000_000);
  const tools = [steppedTool([
    progress(1),
    () => gone.promise,
    (ctx) => {
      for (let i = 2; i < 14; i++) ctx.progress(i, undefined, text);
    },
    () => ended.promise,
  ])];
  const app = testApp({ tools });
  const session = await RawSession.open(app);
  const first = new SseReader(await callWithProgress(session));
  let last = (await first.next())!.id;
  await first.leave();
  gone.resolve();
  const numbers: number[] = [];
  for (let visit = 0; visit < 20; visit++) {
    const reader = new SseReader(await session.get(last));
    let event;
    while (numbers.at(-1) !== 13 && (event = await reader.next())) {
      last = event.id;
      numbers.push(event.message.params.progress);
    }
    if (numbers.at(-1) !== 13) continue;
    ended.resolve();
    const { result } = await reader.message();
    assert.equal(result.content[0].text, "the result");
    assert.equal(await reader.next(), undefined);
    break;
  }
  assert.deepEqual(numbers, Array.from({ length: 13 }, (_, i) => i + 1));
  await app.close();
});

Deno.test("of messages that are large, as many are kept as take 32 Mi characters, the newest", async () => {
  const text = "x".repeat(1_000_000);
  const tools = [steppedTool([
    (ctx) => {
      for (let i = 1; i <= 50; i++) ctx.progress(i, undefined, text);
    },
  ])];
  const app = testApp({ tools });
  const session = await RawSession.open(app);
  const first = new SseReader(await callWithProgress(session));
  let last = (await first.next())!.id;
  await first.leave();
  const numbers: number[] = [];
  let answer;
  while (answer === undefined) {
    const reader = new SseReader(await session.get(last));
    for (const { id, message } of await reader.all()) {
      last = id;
      if ("result" in message) answer = message;
      else numbers.push(message.params.progress);
    }
  }
  assert.equal(answer.result.content[0].text, "the result");
  assert.deepEqual(numbers, Array.from({ length: 33 }, (_, i) => 18 + i));
  await app.close();
});

Deno.test("a client that went away cancels nothing", async () => {
  const gone = Promise.withResolvers<void>();
  let aborted: boolean | undefined;
  const tools = [steppedTool([
    progress(1),
    () => gone.promise,
    (ctx) => {
      ctx.progress(2);
      ctx.log.error("late");
      aborted = ctx.signal.aborted;
    },
  ])];
  for (const resumability of ["true", "false"]) {
    Deno.env.set("MCP_HTTP_RESUMABILITY", resumability);
    const app = testApp({ tools, keepAliveMs: 5 });
    Deno.env.delete("MCP_HTTP_RESUMABILITY");
    const session = await RawSession.open(app);
    const reader = new SseReader(await callWithProgress(session));
    await reader.next();
    await reader.leave();
    gone.resolve();
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(aborted, false);
    assert.equal((await session.request("ping")).status, 200);
    await app.close();
  }
});

Deno.test("only events of the stream that is named are sent again", async () => {
  const app = testApp({ tools: [steppedTool([progress(1), progress(2)])] });
  const session = await RawSession.open(app);
  const own = new SseReader(await session.get());
  app.notify.promptsChanged();
  const a = await new SseReader(await callWithProgress(session, "a")).all();
  await new SseReader(await callWithProgress(session, "b")).all();
  const replayed = await new SseReader(await session.get(a[0]!.id)).all();
  assert.deepEqual(replayed, a.slice(1));
  const ownPrime = await own.next();
  await own.next();
  await own.leave();
  const ownAgain = new SseReader(await session.get(ownPrime!.id));
  assert.equal(
    (await ownAgain.message()).method,
    "notifications/prompts/list_changed",
  );
  await ownAgain.leave();
  await app.close();
});

Deno.test("the streams of other sessions cannot be resumed", async () => {
  const app = testApp({ tools: [steppedTool([progress(1)])] });
  const session = await RawSession.open(app);
  const events = await new SseReader(await callWithProgress(session)).all();
  const other = await RawSession.open(app);
  const response = await other.get(events[0]!.id);
  assert.equal(response.status, 400);
  assert.equal((await response.json()).error.code, -32600);
  await app.close();
});

Deno.test("an event id that names nothing is refused", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  for (const id of ["1", "x.1", `p${"0".repeat(32)}.1`, "../../x", "p.-1"]) {
    const response = await session.get(id);
    assert.equal(response.status, 400, id);
    await response.body?.cancel();
  }
  await app.close();
});

Deno.test("a client that has everything is told that there is nothing more", async () => {
  const app = testApp({ tools: [steppedTool([progress(1)])] });
  const session = await RawSession.open(app);
  const events = await new SseReader(await callWithProgress(session)).all();
  const response = await session.get(events.at(-1)!.id);
  // Clients take it as the end; an empty stream they would resume for ever.
  assert.equal(response.status, 405);
  await response.body?.cancel();
  await app.close();
});

Deno.test("no more than 512 events are kept, for no more than five minutes", async () => {
  const many = steppedTool([(ctx) => {
    for (let value = 1; value <= 600; value++) ctx.progress(value);
  }]);
  const app = testApp({ tools: [many] });
  const session = await RawSession.open(app);
  const events = await new SseReader(await callWithProgress(session)).all();
  assert.equal(events.length, 602);
  const replayed = await new SseReader(await session.get(events[0]!.id)).all();
  assert.deepEqual(replayed, events.slice(-512));
  const realNow = Date.now;
  Date.now = () => realNow() + 5 * 60_000 + 1;
  try {
    const response = await session.get(events[0]!.id);
    assert.equal(response.status, 400);
    await response.body?.cancel();
  } finally {
    Date.now = realNow;
  }
  await app.close();
});

Deno.test("a handler can send its client away to come back for the answer", async () => {
  const back = Promise.withResolvers<void>();
  const tools = [steppedTool([(ctx) => ctx.detach(), () => back.promise])];
  const app = testApp({ tools });
  const session = await RawSession.open(app);
  const events = await new SseReader(await session.call("stepped")).all();
  assert.equal(events.length, 1);
  assert.equal(events[0]!.message, undefined);
  assert.match(events[0]!.retry ?? "", /^\d+$/);
  const reader = new SseReader(await session.get(events[0]!.id));
  back.resolve();
  const { id, result } = await reader.message();
  assert.equal(id, 1);
  assert.equal(result.content[0].text, "the result");
  await app.close();
});

Deno.test("a handler that sends its client away keeps one that cannot come back", async () => {
  const tools = [steppedTool([(ctx) => ctx.detach()])];
  const app = testApp({ tools });
  const older = await RawSession.open(app, { version: "2025-06-18" });
  const { result } = await (await older.call("stepped")).json();
  assert.equal(result.content[0].text, "the result");
  await app.close();
});

Deno.test("a call that takes long gets a stream, so that its client can come back to it", async () => {
  const done = Promise.withResolvers<void>();
  const app = testApp({ tools: [steppedTool([() => done.promise])] });
  const session = await RawSession.open(app);
  const reader = new SseReader(await session.call("stepped"));
  const first = await reader.next();
  assert.equal(first?.message, undefined);
  await reader.leave();
  const again = new SseReader(await session.get(first!.id));
  done.resolve();
  const { result } = await again.message();
  assert.equal(result.content[0].text, "the result");
  await app.close();
});

Deno.test("keep-alives are comments", async () => {
  const done = Promise.withResolvers<void>();
  const tools = [steppedTool([progress(1), () => done.promise])];
  const app = testApp({ tools, keepAliveMs: 5 });
  const session = await RawSession.open(app, { version: "2025-06-18" });
  const text = (await callWithProgress(session)).text();
  await new Promise((resolve) => setTimeout(resolve, 40));
  done.resolve();
  const blocks = (await text).split("\n\n").filter((block) => block !== "");
  const comments = blocks.filter((block) => block.startsWith(":"));
  assert.ok(comments.length > 0);
  assert.equal(blocks.length - comments.length, 2);
  for (const comment of comments) assert.match(comment, /^: [^\n]*$/);
  await app.close();
});

Deno.test("a message goes out on one of the streams of a session", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const older = new SseReader(await session.get());
  const newer = new SseReader(await session.get());
  app.notify.toolsChanged();
  assert.equal(
    (await newer.message()).method,
    "notifications/tools/list_changed",
  );
  await newer.leave();
  // The one that is left takes over.
  app.notify.promptsChanged();
  assert.equal(
    (await older.message()).method,
    "notifications/prompts/list_changed",
  );
  await older.leave();
  await app.close();
});

Deno.test("sessions hear of lists that change, and of resources they subscribed to", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const other = await RawSession.open(app);
  const reader = new SseReader(await session.get());
  const otherReader = new SseReader(await other.get());
  await (await session.request("resources/subscribe", { uri: "a:1" })).text();
  await (await session.request("resources/subscribe", { uri: "a:2" })).text();
  await (await session.request("resources/unsubscribe", { uri: "a:2" })).text();
  await (await other.request("resources/subscribe", { uri: "a:2" })).text();
  app.notify.resourceUpdated("a:2");
  app.notify.resourceUpdated("a:1");
  assert.deepEqual(await reader.message(), {
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri: "a:1" },
  });
  assert.equal((await otherReader.message()).params.uri, "a:2");
  app.notify.resourcesChanged();
  for (const each of [reader, otherReader]) {
    assert.deepEqual(await each.message(), {
      jsonrpc: "2.0",
      method: "notifications/resources/list_changed",
      params: {},
    });
    await each.leave();
  }
  await app.close();
});

Deno.test("what a session missed while it was away is kept for it", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const reader = new SseReader(await session.get());
  const prime = await reader.next();
  await reader.leave();
  app.notify.toolsChanged();
  app.notify.promptsChanged();
  const again = new SseReader(await session.get(prime!.id));
  assert.equal(
    (await again.message()).method,
    "notifications/tools/list_changed",
  );
  assert.equal(
    (await again.message()).method,
    "notifications/prompts/list_changed",
  );
  await again.leave();
  await app.close();
});

Deno.test("the end of a session ends its streams", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const reader = new SseReader(await session.get());
  await reader.next();
  await session.delete();
  assert.equal(await reader.next(), undefined);
  await app.close();
});

Deno.test("closing the app ends the streams of sessions", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const reader = new SseReader(await session.get());
  await reader.next();
  await app.close();
  assert.equal(await reader.next(), undefined);
});

Deno.test("GET takes an event stream or nothing", async () => {
  const app = testApp();
  const session = await RawSession.open(app);
  const response = await app.fetch(
    new Request("http://localhost/mcp", {
      headers: { ...session.headers, accept: "application/json" },
    }),
  );
  assert.equal(response.status, 406);
  await response.body?.cancel();
  await app.close();
});

Deno.test("messages with text that is not well-formed are mended", async () => {
  const broken = tool("broken", {
    input: z.object({}),
    handler(_args, ctx) {
      ctx.log.error("\ud800");
      return "\udc00";
    },
  });
  const app = testApp({ tools: [broken], logLevel: "error" });
  const session = await RawSession.open(app);
  const reader = new SseReader(await session.call("broken"));
  assert.equal((await reader.message()).params.data.message, "\ufffd");
  assert.equal((await reader.message()).result.content[0].text, "\ufffd");
  await app.close();
});
