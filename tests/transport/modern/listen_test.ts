import assert from "node:assert/strict";
import {
  type AppOptions,
  createApp,
  createEventBus,
  type EventBus,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../../mod.ts";
import { call, callTool, type Json, modernRequest } from "./_client.ts";
import { listen, type Listener, subscriptionIdOf } from "./_listener.ts";

const EVERYTHING = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["a:1"],
};

function createTestApp(options: Partial<AppOptions> = {}) {
  return createApp({
    name: "listened",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("change", {
        handler(_, ctx) {
          ctx.notifyToolListChanged();
          ctx.notifyPromptListChanged();
          ctx.notifyResourceListChanged();
          ctx.notifyResourceUpdated("a:1");
          ctx.notifyResourceUpdated("a:2");
          ctx.log.info("changed");
          ctx.progress(1);
          return "done";
        },
      }),
    ],
    prompts: [prompt("hello", { handler: () => "Hello" })],
    resources: [resource("a:1", { name: "one", handler: () => "1" })],
    ...options,
  });
}

/** Counts who listens. */
function countedBus() {
  const bus = createEventBus();
  const counts = { listening: 0 };
  const counted: EventBus = {
    publish: (event) => bus.publish(event),
    subscribe(listener) {
      const unsubscribe = bus.subscribe(listener);
      counts.listening++;
      return () => {
        counts.listening--;
        unsubscribe();
      };
    },
  };
  return { bus: counted, counts };
}

Deno.test("the acknowledgement comes first and names what is honoured", async () => {
  const app = createTestApp();
  const filters: [asked: Json, honoured: Json][] = [
    [EVERYTHING, EVERYTHING],
    [{ toolsListChanged: true }, { toolsListChanged: true }],
    [{ promptsListChanged: false, toolsListChanged: true }, {
      toolsListChanged: true,
    }],
    [{ resourceSubscriptions: ["b:1", "b:1", "x"] }, {
      resourceSubscriptions: ["b:1", "x"],
    }],
    [{ resourceSubscriptions: [] }, { resourceSubscriptions: [] }],
    [{ unheardOf: { of: true }, __proto__: 1 }, {}],
    [{}, {}],
  ];
  for (const [asked, honoured] of filters) {
    const listener = await listen(app, asked);
    assert.deepEqual(await listener.next(), {
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: {
        _meta: { "io.modelcontextprotocol/subscriptionId": 1 },
        notifications: honoured,
      },
    });
    await listener.cancel();
  }
  await app.close();
});

Deno.test("what the app has none of is left out of the acknowledgement", async () => {
  const cases: [Partial<AppOptions>, Json][] = [
    [{ prompts: [], resources: [] }, { toolsListChanged: true }],
    [{ tools: [], prompts: [] }, {
      resourcesListChanged: true,
      resourceSubscriptions: ["a:1"],
    }],
    [{ tools: [], resources: [] }, { promptsListChanged: true }],
    [{
      tools: [],
      prompts: [],
      resources: [resource("a:{n}", { name: "a", handler: () => "1" })],
    }, { resourcesListChanged: true, resourceSubscriptions: ["a:1"] }],
    [{ tools: [], prompts: [], resources: [] }, {}],
  ];
  for (const [options, honoured] of cases) {
    const app = createTestApp(options);
    const listener = await listen(app, EVERYTHING);
    const { params } = await listener.notification();
    assert.deepEqual(params.notifications, honoured);
    // What was left out is not sent either.
    app.notify.toolsChanged();
    app.notify.promptsChanged();
    app.notify.resourcesChanged();
    app.notify.resourceUpdated("a:1");
    await app.close();
    const heard: unknown[] = [];
    for (;;) {
      const message = await listener.next();
      if (message?.method === undefined) break;
      heard.push(message.method);
    }
    assert.equal(heard.length, Object.keys(honoured).length);
  }
});

Deno.test("a filter that is missing or malformed is -32602", async () => {
  const app = createTestApp();
  const filters: unknown[] = [
    undefined,
    null,
    [],
    "toolsListChanged",
    { toolsListChanged: 1 },
    { promptsListChanged: "true" },
    { resourcesListChanged: null },
    { resourceSubscriptions: "a:1" },
    { resourceSubscriptions: [1] },
    { resourceSubscriptions: { 0: "a:1" } },
    { resourceSubscriptions: null },
  ];
  for (const notifications of filters) {
    const params = notifications === undefined ? {} : { notifications };
    const { response, error } = await call(
      app,
      "subscriptions/listen",
      params as Json,
      { id: "bad" },
    );
    assert.equal(response.id, "bad");
    assert.equal(error.code, -32602);
    assert.match(String(error.message), /notifications/);
  }
  await app.close();
});

Deno.test("only what was asked for is heard, tagged with the id and type of the request", async () => {
  const app = createTestApp();
  const tools = await listen(app, { toolsListChanged: true }, { id: 0 });
  const prompts = await listen(app, { promptsListChanged: true }, { id: "0" });
  const lists = await listen(app, { resourcesListChanged: true }, { id: -7 });
  const one = await listen(app, { resourceSubscriptions: ["a:1"] }, { id: "" });
  const none = await listen(app, {}, { id: 9 });
  const listeners: [Listener, unknown, string | undefined][] = [
    [tools, 0, "notifications/tools/list_changed"],
    [prompts, "0", "notifications/prompts/list_changed"],
    [lists, -7, "notifications/resources/list_changed"],
    [one, "", "notifications/resources/updated"],
    [none, 9, undefined],
  ];
  for (const [listener, id] of listeners) {
    assert.equal(subscriptionIdOf(await listener.next()), id);
  }
  // The call has a log level and a progress token of its own.
  const answer = await callTool(app, "change", {}, {
    meta: {
      "io.modelcontextprotocol/logLevel": "debug",
      progressToken: "p",
    },
  });
  assert.deepEqual(answer.notifications.map(({ method }) => method), [
    "notifications/message",
    "notifications/progress",
  ]);
  await app.close();
  for (const [listener, id, method] of listeners) {
    if (method !== undefined) {
      const message = await listener.next();
      assert.equal(message?.method, method);
      assert.equal(subscriptionIdOf(message), id);
    }
    const last = await listener.next();
    assert.equal(last?.id, id);
    assert.equal(subscriptionIdOf(last), id);
    assert.equal(await listener.next(), undefined);
  }
});

Deno.test("resources/updated names the resource, and only those that were asked for", async () => {
  const app = createTestApp();
  const uris = ["a:1", "doc://世界/\ud800"];
  const listener = await listen(app, { resourceSubscriptions: uris });
  await listener.next();
  for (const uri of ["a:2", "a:1", "A:1", "a:1/2", uris[1]!]) {
    app.notify.resourceUpdated(uri);
  }
  assert.equal((await listener.notification()).params.uri, "a:1");
  assert.equal((await listener.notification()).params.uri, "doc://世界/\ufffd");
  await app.close();
  assert.ok("result" in (await listener.next())!);
});

Deno.test("events between the opening and the first read are kept, and come behind the acknowledgement", async () => {
  const app = createTestApp();
  app.notify.toolsChanged();
  const opening = listen(app, { toolsListChanged: true });
  const listener = await opening;
  for (let n = 0; n < 3; n++) app.notify.toolsChanged();
  const methods: unknown[] = [];
  for (let n = 0; n < 4; n++) methods.push((await listener.next())?.method);
  assert.deepEqual(methods, [
    "notifications/subscriptions/acknowledged",
    ...Array(3).fill("notifications/tools/list_changed"),
  ]);
  await listener.cancel();
  await app.close();
});

Deno.test("a bus that repeats old events to new listeners does not come ahead of the acknowledgement", async () => {
  const bus = createEventBus();
  const eventBus: EventBus = {
    publish: (event) => bus.publish(event),
    subscribe(listener) {
      listener({ kind: "tools_list_changed" });
      return bus.subscribe(listener);
    },
  };
  const app = createTestApp({ eventBus });
  const listener = await listen(app, { toolsListChanged: true });
  assert.match(String((await listener.next())?.method), /acknowledged$/);
  assert.match(String((await listener.next())?.method), /list_changed$/);
  await listener.cancel();
  await app.close();
});

Deno.test("closing the app ends each stream with an empty result, and takes no other", async () => {
  const app = createTestApp({ title: "Listened" });
  const listener = await listen(app, EVERYTHING, { id: "last" });
  await listener.next();
  await app.close();
  assert.deepEqual(await listener.next(), {
    jsonrpc: "2.0",
    id: "last",
    result: {
      resultType: "complete",
      _meta: {
        "io.modelcontextprotocol/subscriptionId": "last",
        "io.modelcontextprotocol/serverInfo": {
          name: "listened",
          version: "1.0.0",
          title: "Listened",
        },
      },
    },
  });
  assert.equal(await listener.next(), undefined);
  const late = await call(app, "subscriptions/listen", { notifications: {} });
  assert.equal(late.status, 503);
  assert.ok("error" in late.response);
});

Deno.test("an id that would make each message long opens no subscription", async () => {
  const app = createTestApp();
  const params = { notifications: { toolsListChanged: true } };
  const options = { id: "i".repeat(1_025) };
  const refused = await call(app, "subscriptions/listen", params, options);
  assert.equal(refused.error.code, -32600);
  assert.match(String(refused.error.message), /at most 1024 characters/);
  const listener = await listen(app, params.notifications, {
    id: "i".repeat(1_024),
  });
  await listener.next();
  await listener.cancel();
  await app.close();
});

Deno.test("a listener that leaves is forgotten, and the last one leaves the bus", async () => {
  const { bus, counts } = countedBus();
  const app = createTestApp({ eventBus: bus });
  assert.equal(counts.listening, 0);
  const first = await listen(app, EVERYTHING);
  const second = await listen(app, EVERYTHING);
  await first.next();
  await second.next();
  assert.equal(counts.listening, 1);
  await first.cancel();
  app.notify.toolsChanged();
  assert.match(String((await second.next())?.method), /tools/);
  assert.equal(counts.listening, 1);
  await second.cancel();
  assert.equal(counts.listening, 0);
  app.notify.toolsChanged();
  await app.close();
});

Deno.test("a listener that does not read is let go before it holds much, and the others go on", async () => {
  const { bus, counts } = countedBus();
  const app = createTestApp({ eventBus: bus });
  const uri = `a:${"x".repeat(100_000)}`;
  const filter = { resourceSubscriptions: [uri] };
  const idle = await app.fetch(
    modernRequest("subscriptions/listen", { notifications: filter }),
  );
  const reading = await listen(app, filter);
  await reading.next();
  for (let n = 0; n < 100; n++) {
    app.notify.resourceUpdated(uri);
    assert.equal((await reading.notification()).params.uri, uri);
  }
  await assert.rejects(idle.text(), /does not keep up/);
  await reading.cancel();
  assert.equal(counts.listening, 0);
  await app.close();
});

Deno.test("an idle stream is kept alive by comments, which stop with it", async () => {
  const app = createTestApp({ keepAliveMs: 5 });
  const listeners = [await listen(app, {}), await listen(app, {})];
  for (const listener of listeners) await listener.next();
  await new Promise((resolve) => setTimeout(resolve, 50));
  // Had a timer been left behind, the test would fail for it.
  await app.close();
  for (const listener of listeners) {
    assert.ok("result" in (await listener.next())!);
    assert.ok(listener.comments.length > 0);
    assert.ok(listener.comments.every((text) => text.startsWith(": ")));
  }
});

Deno.test("a client that takes no event stream is told so", async () => {
  const app = createTestApp();
  const { status, error } = await call(
    app,
    "subscriptions/listen",
    { notifications: {} },
    { headers: { accept: "application/json" } },
  );
  assert.equal(status, 406);
  assert.equal(error.code, -32600);
  await app.close();
});

Deno.test("over a socket, a client that leaves is noticed and a closing server says goodbye", async () => {
  const { bus, counts } = countedBus();
  const app = createTestApp({ eventBus: bus });
  const server = await app.listen({ port: 0, onListen() {}, signals: false });
  const remote = {
    fetch: (request: Request) => fetch(new Request(server.url, request)),
  };
  const leaving = await listen(remote, EVERYTHING);
  await leaving.next();
  assert.equal(counts.listening, 1);
  await leaving.cancel();
  while (counts.listening > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const staying = await listen(remote, { toolsListChanged: true });
  await staying.next();
  const { headers } = staying.response;
  assert.equal(headers.get("content-type"), "text/event-stream");
  assert.equal(headers.get("x-accel-buffering"), "no");
  await Promise.all([
    app.close(),
    (async () => {
      assert.ok("result" in (await staying.next())!);
      assert.equal(await staying.next(), undefined);
    })(),
  ]);
});

Deno.test("behind a server that says nothing of its connections, streams last, and leaving is noticed", async () => {
  const { bus, counts } = countedBus();
  const app = createTestApp({ eventBus: bus });
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request) => app.fetch(request),
  );
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const remote = {
    fetch: (request: Request) => fetch(new Request(url, request)),
  };
  const leaving = await listen(remote, { toolsListChanged: true });
  const staying = await listen(remote, { toolsListChanged: true });
  for (const listener of [leaving, staying]) {
    await listener.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  app.notify.toolsChanged();
  for (const listener of [leaving, staying]) {
    assert.match(String((await listener.next())?.method), /list_changed$/);
  }
  await leaving.cancel();
  await staying.cancel();
  while (counts.listening > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await server.shutdown();
  await app.close();
});

Deno.test("aborting a request in the same process ends its stream", async () => {
  const { bus, counts } = countedBus();
  const app = createTestApp({ eventBus: bus });
  const stop = new AbortController();
  const request = modernRequest("subscriptions/listen", { notifications: {} });
  const response = await app.fetch(
    new Request(request, { signal: stop.signal }),
  );
  const body = response.text();
  assert.equal(counts.listening, 1);
  stop.abort();
  assert.equal(counts.listening, 0);
  // There is no result: nobody ended it in good order.
  assert.doesNotMatch(await body, /"result"/);
  await app.close();
});
