import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  createApp,
  createEventBus,
  createSharedBus,
  type EventBus,
  kvState,
  memoryState,
  type ServerEvent,
  type StateBackend,
  tool,
} from "../../mod.ts";
import { callTool } from "./modern/_client.ts";
import { listen } from "./modern/_listener.ts";

/** The path of a program beside the tests. */
function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** A folder with room for one store. */
async function makeStore() {
  const folder = await Deno.makeTempDir();
  return {
    path: `${folder}/kv`,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** A process on a shared bus, and what it heard. */
class BusProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(path: string, name: string, count: number) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "-A",
        fixture("bus_process.ts"),
        path,
        name,
        String(count),
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#reader = this.#child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  /** Waits for a line, and gives those before it. */
  async until(line: string): Promise<string[]> {
    for (;;) {
      const lines = this.#rest.split("\n");
      const at = lines.indexOf(line);
      if (at !== -1) {
        this.#rest = lines.slice(at + 1).join("\n");
        return lines.slice(0, at);
      }
      const { done, value } = await this.#reader.read();
      assert.ok(!done, `The process ended before it said ${line}`);
      this.#rest += value;
    }
  }

  /** Lets it publish. */
  async go(): Promise<void> {
    const writer = this.#child.stdin.getWriter();
    await writer.write(Uint8Array.of(10));
    await writer.close();
  }

  /** Waits for its end. */
  async ended(): Promise<void> {
    assert.equal((await this.#child.status).code, 0);
    await this.#reader.cancel();
  }
}

/** Server processes, and how to reach them. */
function serverAt(port: number) {
  return {
    fetch: (request: Request) =>
      fetch(new Request(`http://127.0.0.1:${port}/mcp`, request)),
  };
}

/** A port that nobody listened on a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function serve(path: string, ...args: readonly string[]) {
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "serve",
      "--quiet",
      "-A",
      "--host=127.0.0.1",
      `--port=${port}`,
      ...args,
      fixture("changing_server.ts"),
    ],
    env: { KV_FILE: path, DENO_JOBS: "4" },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  for (;;) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      break;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
  return {
    server: serverAt(port),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

function eventsOf(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${name}:${n}`);
}

Deno.test("three processes on one file hear each other, each event once and in order", async () => {
  await using store = await makeStore();
  const count = 50;
  const processes = new Map(
    ["a", "b"].map((name) => [name, new BusProcess(store.path, name, count)]),
  );
  for (const process of processes.values()) await process.until("ready");
  const backend = kvState(store.path);
  const bus = createSharedBus(backend, createEventBus());
  const heard: string[] = [];
  const all = Promise.withResolvers<void>();
  bus.subscribe((event) => {
    if (event.kind === "resource_updated") heard.push(event.uri);
    if (heard.length === 3 * count) all.resolve();
  });
  for (const process of processes.values()) await process.go();
  for (const uri of eventsOf("here", count)) {
    bus.publish({ kind: "resource_updated", uri });
    if (uri.endsWith("0")) await new Promise((done) => setTimeout(done, 5));
  }
  await all.promise;
  // The last word; by then the others have heard everything.
  const lines = new Map<string, string[]>([["here", heard]]);
  for (const [name, process] of processes) {
    const missing = (name === "a" ? "b" : "a") + `:${count - 1}`;
    const before = await process.until(missing);
    lines.set(name, [...before, missing]);
  }
  bus.publish({ kind: "tools_list_changed" });
  for (const [name, process] of processes) {
    lines.get(name)!.push(...await process.until("tools_list_changed"));
    await process.ended();
  }
  for (const uris of lines.values()) {
    assert.equal(uris.length, 3 * count);
    for (const name of ["a", "b", "here"]) {
      assert.deepEqual(
        uris.filter((uri) => uri.startsWith(`${name}:`)),
        eventsOf(name, count),
      );
    }
  }
  await bus.close?.();
  await backend.close();
});

Deno.test("a listener at one server process hears what a call at another one changed", async () => {
  await using store = await makeStore();
  await using one = await serve(store.path);
  await using other = await serve(store.path);
  const listener = await listen(one.server, {
    resourceSubscriptions: ["item:1", "item:2", "item:3"],
  });
  await listener.next();
  for (const n of [1, 2, 3]) await callTool(other.server, "change", { n });
  for (const n of [1, 2, 3]) {
    assert.equal((await listener.notification()).params.uri, `item:${n}`);
  }
  await listener.cancel();
});

Deno.test("listeners hear of changes at every isolate of deno serve --parallel", async () => {
  await using store = await makeStore();
  await using parallel = await serve(store.path, "--parallel");
  const numbers = Array.from({ length: 24 }, (_, n) => n);
  const filter = { resourceSubscriptions: numbers.map((n) => `item:${n}`) };
  const listeners = [
    await listen(parallel.server, filter),
    await listen(parallel.server, filter),
  ];
  for (const listener of listeners) await listener.next();
  const headers = { connection: "close" };
  for (const n of numbers) {
    await callTool(parallel.server, "change", { n }, { headers });
  }
  for (const listener of listeners) {
    const uris = new Set<unknown>();
    for (let n = 0; n < numbers.length; n++) {
      uris.add((await listener.notification()).params.uri);
    }
    assert.deepEqual([...uris].sort(), filter.resourceSubscriptions.sort());
    await listener.cancel();
  }
});

Deno.test("the store is left alone until someone publishes or listens", async () => {
  const store = memoryState();
  const calls: string[] = [];
  const shared: StateBackend = {
    name: "counted",
    shared: true,
    durable: false,
    get: (keys) => (calls.push("get"), store.get(keys)),
    list: (range) => (calls.push("list"), store.list(range)),
    commit: (write) => (calls.push("commit"), store.commit(write)),
    close: () => store.close(),
  };
  const app = createApp({
    name: "idle",
    version: "1.0.0",
    state: shared,
    tools: [tool("quick", { handler: () => "quick" })],
  });
  await callTool(app, "quick");
  assert.deepEqual(calls, []);
  app.notify.toolsChanged();
  // What writes it is loaded with the first event.
  while (calls.length === 0) await new Promise((done) => setTimeout(done));
  assert.deepEqual(calls, ["commit"]);
  const listener = await listen(app, { toolsListChanged: true });
  await listener.next();
  assert.deepEqual(calls, ["commit", "list"]);
  await listener.cancel();
  await app.close();
});

Deno.test("listeners of this process hear at once, and a store that fails keeps nobody", async () => {
  const store = memoryState();
  await store.close();
  const bus = createSharedBus(store, createEventBus());
  const heard: ServerEvent[] = [];
  const unsubscribe = bus.subscribe((event) => heard.push(event));
  bus.publish({ kind: "tools_list_changed" });
  assert.deepEqual(heard, [{ kind: "tools_list_changed" }]);
  unsubscribe();
  unsubscribe();
  bus.publish({ kind: "tools_list_changed" });
  assert.equal(heard.length, 1);
  await bus.close?.();
});

Deno.test("what is no event of this version is passed over", async () => {
  const store = memoryState();
  const bus = createSharedBus(store, createEventBus(), { pollMs: 5 });
  const { promise, resolve } = Promise.withResolvers<ServerEvent>();
  bus.subscribe(resolve);
  const items = [
    { kind: "unheard_of" },
    { kind: "resource_updated" },
    null,
    "tools_list_changed",
    { kind: "prompts_list_changed" },
  ].map((event) => [Date.now() + 1_000, event]);
  await store.commit({
    sets: [
      { key: ["parley", "event", "w", "1"], value: JSON.stringify(items) },
      {
        key: ["parley", "event", "w"],
        value: JSON.stringify({ chunk: "1", at: Date.now() + 1_000 }),
      },
    ],
  });
  assert.deepEqual(await promise, { kind: "prompts_list_changed" });
  await bus.close?.();
});

/** Gives the first event that a listener hears, apart from others. */
function firstHeard(bus: EventBus, uri: string): Promise<ServerEvent> {
  const { promise, resolve } = Promise.withResolvers<ServerEvent>();
  bus.subscribe((event) => {
    if (event.kind === "resource_updated" && event.uri === uri) resolve(event);
  });
  return promise;
}

Deno.test("events before the log is there are written in order, also by a bus that is closed at once", async () => {
  const store = memoryState();
  const heard: string[] = [];
  const listener = createSharedBus(store, createEventBus(), { pollMs: 5 });
  listener.subscribe((event) => {
    if (event.kind === "resource_updated") heard.push(event.uri);
  });
  const last = firstHeard(listener, "first:last");
  const bus = createSharedBus(store, createEventBus());
  const event = { kind: "resource_updated" as const, uri: "first:0" };
  bus.publish(event);
  event.uri = "changed";
  bus.publish({ kind: "resource_updated", uri: "first:1" });
  await undefined;
  bus.publish({ kind: "resource_updated", uri: "first:last" });
  await bus.close?.();
  bus.publish({ kind: "resource_updated", uri: "too late" });
  await last;
  assert.deepEqual(heard, ["first:0", "first:1", "first:last"]);
  await listener.close?.();
});

Deno.test("a listener hears what comes while its log is loaded, and none of what was before", async () => {
  const store = memoryState();
  const other = createSharedBus(store, createEventBus());
  other.publish({ kind: "resource_updated", uri: "before" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const bus = createSharedBus(store, createEventBus(), { pollMs: 5 });
  const heard: ServerEvent[] = [];
  bus.subscribe((event) => heard.push(event));
  const last = firstHeard(bus, "meanwhile");
  other.publish({ kind: "resource_updated", uri: "meanwhile" });
  await last;
  assert.deepEqual(heard, [{ kind: "resource_updated", uri: "meanwhile" }]);
  await Promise.all([bus.close?.(), other.close?.()]);
});

Deno.test("a bus that nobody used, or left at once, closes without touching the store", async () => {
  let touched = 0;
  const store = memoryState();
  const counted: StateBackend = {
    ...store,
    name: "counted",
    shared: true,
    durable: false,
    get: (keys) => (touched++, store.get(keys)),
    list: (range) => (touched++, store.list(range)),
    commit: (write) => (touched++, store.commit(write)),
    close: () => store.close(),
  };
  await createSharedBus(counted, createEventBus()).close?.();
  const bus = createSharedBus(counted, createEventBus());
  bus.subscribe(() => {})();
  await bus.close?.();
  bus.subscribe(() => {});
  bus.publish({ kind: "tools_list_changed" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(touched, 0);
});
