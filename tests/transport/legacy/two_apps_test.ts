import assert from "node:assert/strict";
import {
  type App,
  kvState,
  memoryState,
  type StateBackend,
  tool,
  z,
} from "../../../mod.ts";
import { RawSession, SseReader } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

const ask = tool("ask", {
  async handler(_args, ctx) {
    const schema = z.object({ v: z.string() });
    const a = await ctx.ask("a", { message: "A?", schema });
    const { b, c } = await ctx.ask({
      b: { message: "B?", schema },
      c: { message: "C?", schema },
    });
    return `${a.v} ${b.v} ${c.v}`;
  },
});

/** A tool that waits to be let go, or aborted. */
function gatedTool() {
  const gate = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<unknown>();
  const definition = tool("gated", {
    async handler(_args, ctx) {
      ctx.progress(1);
      ctx.signal.addEventListener(
        "abort",
        () => aborted.resolve(ctx.signal.reason),
      );
      await Promise.race([gate.promise, aborted.promise]);
      ctx.progress(2);
      return "through";
    },
  });
  return { definition, aborted: aborted.promise, letGo: gate.resolve };
}

function callGated(session: RawSession, id: unknown = 1): Promise<Response> {
  const params = { name: "gated", _meta: { progressToken: 1 } };
  return session.request("tools/call", params, id);
}

/** Runs a test with two apps, as two processes on one store would be. */
async function withTwoApps(
  options: Parameters<typeof testApp>[0],
  test: (a: App, b: App) => Promise<void>,
): Promise<void> {
  const file = await Deno.makeTempFile();
  const open = () => testApp({ ...options, state: kvState(file) });
  const [a, b] = [open(), open()];
  try {
    await test(a, b);
  } finally {
    await a.close();
    await b.close();
    await Deno.remove(file);
  }
}

Deno.test("answers find their question in whatever process it was put", async () => {
  await withTwoApps({ tools: [ask] }, async (a, b) => {
    const session = await RawSession.open(a, {
      capabilities: { elicitation: {} },
    });
    const stream = new SseReader(await session.call("ask"));
    // One that takes more than one entry of the store.
    const long = "\u{1f600}".repeat(100_000);
    for (const [server, v] of [[b, "x"], [a, "y"], [b, long]] as const) {
      const { id } = await stream.message();
      const content = { v };
      await session.at(server).answer(id, { action: "accept", content });
    }
    const { result } = await stream.message();
    assert.equal(result.content[0].text, `x y ${long}`);
  });
});

Deno.test("a cancellation reaches a call in another process, also one that has just begun", async () => {
  const { definition, aborted } = gatedTool();
  await withTwoApps({ tools: [definition] }, async (a, b) => {
    const session = await RawSession.open(a);
    const stream = new SseReader(await callGated(session, "far"));
    const cancel = await session.at(b).post({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "far", reason: "elsewhere" },
    });
    assert.equal(cancel.status, 202);
    assert.equal((await aborted as Error).message, "elsewhere");
    const events = await stream.all();
    assert.ok(events.every(({ message }) => message?.id === undefined));
  });
});

Deno.test("the end of a session reaches calls and streams in every process", async () => {
  const { definition, aborted } = gatedTool();
  await withTwoApps({ tools: [definition] }, async (a, b) => {
    const session = await RawSession.open(a);
    const own = new SseReader(await session.get());
    const stream = new SseReader(await callGated(session, 3));
    assert.equal((await session.at(b).delete()).status, 204);
    assert.equal((await aborted as Error).message, "The session has ended");
    assert.deepEqual((await own.all()).length, 1);
    const events = await stream.all();
    assert.equal(events.at(-1)!.message.error.code, -32600);
    assert.equal((await session.request("ping")).status, 404);
  });
});

Deno.test("a stream goes on in another process, live and to its end", async () => {
  const { definition, letGo } = gatedTool();
  await withTwoApps({ tools: [definition] }, async (a, b) => {
    const session = await RawSession.open(a);
    const stream = new SseReader(await callGated(session, "s"));
    const prime = await stream.next();
    await stream.leave();
    const resumed = new SseReader(await session.at(b).get(prime!.id));
    assert.equal((await resumed.message()).params.progress, 1);
    letGo();
    assert.equal((await resumed.message()).params.progress, 2);
    const answer = await resumed.next();
    assert.equal(answer?.message.result.content[0].text, "through");
    assert.equal(await resumed.next(), undefined);
    // The event ids are the same everywhere.
    const again = await new SseReader(await session.get(prime!.id)).all();
    assert.equal(again.at(-1)!.id, answer!.id);
    const more = await session.at(b).get(answer!.id);
    assert.equal(more.status, 405);
    await more.body?.cancel();
  });
});

Deno.test("more than waits for a slow reader is resumed in another process, a part at a time", async () => {
  const flood = tool("flood", {
    handler(_args, ctx) {
      for (let i = 1; i <= 50; i++) {
        ctx.progress(i, undefined, "x".repeat(150_000));
      }
      return "the result";
    },
  });
  await withTwoApps({ tools: [flood] }, async (a, b) => {
    const session = await RawSession.open(a);
    const params = { name: "flood", _meta: { progressToken: 1 } };
    const stream = new SseReader(await session.request("tools/call", params));
    let last = (await stream.next())!.id;
    await stream.leave();
    let count = 0;
    let answer;
    for (let visit = 0; visit < 20 && answer === undefined; visit++) {
      const reader = new SseReader(await session.at(b).get(last));
      for (const { id, message } of await reader.all()) {
        last = id;
        if ("result" in message) answer = message;
        else assert.equal(message.params.progress, ++count);
      }
    }
    assert.equal(count, 50);
    assert.equal(answer?.result.content[0].text, "the result");
  });
});

Deno.test("of a flood of messages no more wait for the store than are kept", async () => {
  const file = await Deno.makeTempFile();
  const store = kvState(file);
  const written: number[] = [];
  const state: StateBackend = {
    ...delegating(store),
    commit(write) {
      for (const { key } of write.sets ?? []) {
        if (key[1] === "stream-event") written.push(Number(key.at(-1)));
      }
      return store.commit(write);
    },
  };
  const flood = tool("flood", {
    handler(_args, ctx) {
      for (let i = 1; i <= 5_000; i++) ctx.progress(i);
      return "the result";
    },
  });
  const app = testApp({ tools: [flood], state });
  const session = await RawSession.open(app);
  const params = { name: "flood", _meta: { progressToken: 1 } };
  const response = await session.request("tools/call", params);
  const events = await new SseReader(response).all();
  assert.equal(events.filter(({ message }) => message).length, 5_001);
  await app.close();
  // The first ones may be on their way already.
  assert.ok(written.length <= 1_024, `${written.length}`);
  assert.deepEqual(
    written.slice(-512),
    Array.from({ length: 512 }, (_, i) => 4_490 + i),
  );
  await Deno.remove(file);
});

Deno.test("a question on a stream that was resumed elsewhere is asked and answered there", async () => {
  await withTwoApps({ tools: [ask] }, async (a, b) => {
    const session = await RawSession.open(a, {
      capabilities: { elicitation: {} },
    });
    const stream = new SseReader(await session.call("ask"));
    const prime = await stream.next();
    await stream.leave();
    const elsewhere = session.at(b);
    const resumed = new SseReader(await elsewhere.get(prime!.id));
    for (const v of ["x", "y", "z"]) {
      const { id } = await resumed.message();
      await elsewhere.answer(id, { action: "accept", content: { v } });
    }
    const { result } = await resumed.message();
    assert.equal(result.content[0].text, "x y z");
  });
});

Deno.test("streams of other sessions cannot be resumed elsewhere either", async () => {
  const { definition, letGo } = gatedTool();
  await withTwoApps({ tools: [definition] }, async (a, b) => {
    const session = await RawSession.open(a);
    const stream = new SseReader(await callGated(session));
    const prime = await stream.next();
    letGo();
    await stream.all();
    const other = await RawSession.open(b);
    const refused = await other.get(prime!.id);
    assert.equal(refused.status, 400);
    await refused.body?.cancel();
  });
});

Deno.test("a session hears of changes wherever its stream hangs", async () => {
  const change = tool("change", {
    handler(_args, ctx) {
      ctx.notifyResourceUpdated("a:1");
      ctx.notifyResourceUpdated("a:2");
      ctx.notifyToolListChanged();
      return "changed";
    },
  });
  await withTwoApps({ tools: [change] }, async (a, b) => {
    const session = await RawSession.open(a);
    const stream = new SseReader(await session.at(b).get());
    await stream.next();
    // Subscribed in one process, told by it, heard in the other.
    await (await session.request("resources/subscribe", { uri: "a:2" })).text();
    await (await session.call("change")).text();
    const heard = [await stream.message(), await stream.message()];
    assert.deepEqual(
      new Set(heard.map(({ method, params }) => `${method} ${params.uri}`)),
      new Set([
        "notifications/resources/updated a:2",
        "notifications/tools/list_changed undefined",
      ]),
    );
    await stream.leave();
  });
});

Deno.test("subscriptions made in two processes at once are all kept", async () => {
  await withTwoApps({}, async (a, b) => {
    const session = await RawSession.open(a);
    const uris = Array.from({ length: 12 }, (_, i) => `a:${i}`);
    await Promise.all(uris.map(async (uri, i) => {
      const server = i % 2 === 0 ? a : b;
      const response = await session.at(server).request(
        "resources/subscribe",
        { uri },
      );
      assert.deepEqual((await response.json()).result, {});
    }));
    const stream = new SseReader(await session.get());
    const heard = new Set<string>();
    for (const uri of uris) b.notify.resourceUpdated(uri);
    for (let i = 0; i < uris.length; i++) {
      heard.add((await stream.message()).params.uri);
    }
    assert.deepEqual(heard, new Set(uris));
    await stream.leave();
  });
});

Deno.test("a session's own stream is resumed elsewhere without loss, and heard there only", async () => {
  await withTwoApps({}, async (a, b) => {
    const session = await RawSession.open(a);
    const first = new SseReader(await session.get());
    const prime = await first.next();
    await first.leave();
    a.notify.toolsChanged();
    // What was missed is in the store when it can be read there.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = new SseReader(await session.at(b).get(prime!.id));
    const missed = await second.next();
    assert.equal(missed?.message.method, "notifications/tools/list_changed");
    a.notify.promptsChanged();
    const live = await second.next();
    assert.equal(live?.message.method, "notifications/prompts/list_changed");
    assert.notEqual(live!.id, missed!.id);
    await second.leave();
  });
});

Deno.test("a message goes out in one process only, and in another when that is left", async () => {
  await withTwoApps({}, async (a, b) => {
    const session = await RawSession.open(a);
    const older = new SseReader(await session.get());
    await older.next();
    const newer = new SseReader(await session.at(b).get());
    await newer.next();
    const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
    await settle();
    a.notify.toolsChanged();
    const heard = await newer.message();
    assert.equal(heard.method, "notifications/tools/list_changed");
    await newer.leave();
    await settle();
    a.notify.promptsChanged();
    // Had the first one gone out here too, it would come first.
    assert.equal(
      (await older.message()).method,
      "notifications/prompts/list_changed",
    );
    await older.leave();
  });
});

/** A store that another one stands behind. */
function delegating(store: StateBackend): StateBackend {
  return {
    name: store.name,
    shared: store.shared,
    durable: store.durable,
    get: (keys) => store.get(keys),
    list: (range) => store.list(range),
    commit: (write) => store.commit(write),
    close: () => store.close(),
  };
}

/** A store that is slow to write what processes tell each other. */
function slowToTell(store: StateBackend): StateBackend {
  return {
    ...delegating(store),
    async commit(write) {
      if (write.sets?.some(({ key }) => key[1] === "relay")) {
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      return store.commit(write);
    },
  };
}

Deno.test("of two streams that a session opens at once in two processes, one hears each message", async () => {
  const file = await Deno.makeTempFile();
  const open = () => testApp({ state: slowToTell(kvState(file)) });
  const apps = [open(), open()];
  const session = await RawSession.open(apps[0]!);
  const streams = await Promise.all(
    apps.map(async (app) => new SseReader(await session.at(app).get())),
  );
  for (const stream of streams) await stream.next();
  // Each hears of the other's stream.
  await new Promise((resolve) => setTimeout(resolve, 700));
  apps[0]!.notify.toolsChanged();
  apps[1]!.notify.promptsChanged();
  const heard: string[] = [];
  await Promise.race([
    Promise.all(streams.map(async (stream) => {
      let message;
      while ((message = await stream.message()) !== undefined) {
        heard.push(message.method);
      }
    })),
    new Promise((resolve) => setTimeout(resolve, 700)),
  ]);
  assert.deepEqual(heard.sort(), [
    "notifications/prompts/list_changed",
    "notifications/tools/list_changed",
  ]);
  for (const app of apps) await app.close();
  await Deno.remove(file);
});

Deno.test("apps that share a store of one process share its sessions as well", async () => {
  const shared: StateBackend = memoryState();
  const tools = [ask];
  const a = testApp({ tools, state: shared });
  const b = testApp({ tools, state: shared });
  const session = await RawSession.open(a, {
    capabilities: { elicitation: {} },
  });
  const stream = new SseReader(await session.call("ask"));
  for (const v of ["x", "y", "z"]) {
    const { id } = await stream.message();
    await session.at(b).answer(id, { action: "accept", content: { v } });
  }
  const { result } = await stream.message();
  assert.equal(result.content[0].text, "x y z");
  await a.close();
  await b.close();
});
