import assert from "node:assert/strict";
import { createApp, ErrorCode, memoryState, tool } from "../../mod.ts";
import type { App, AppOptions, Listener } from "../../mod.ts";
import { type Child, fileBeside, startChild } from "./_child.ts";
import { callTool, modernRequest, read, textOf } from "./modern/_client.ts";

/** A listener, as the test client takes servers. */
function over(url: string): Pick<App, "fetch"> {
  return {
    fetch: async (request) =>
      await fetch(url, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      }),
  };
}

interface Gate {
  readonly entered: Promise<void>;
  open(): void;
}

/** A server with a tool that waits until the gate is opened. */
async function serve(
  options: Partial<AppOptions> = {},
): Promise<{ app: App; listener: Listener; gate: Gate }> {
  const entered = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<string>();
  const app = createApp({
    name: "stopping",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("deaf", {
        handler() {
          entered.resolve();
          return opened.promise;
        },
      }),
      tool("watch", {
        handler(_args, { signal }) {
          entered.resolve();
          return new Promise<string>((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        },
      }),
    ],
    ...options,
  });
  const listener = await app.listen({ port: 0, onListen() {} });
  return {
    app,
    listener,
    gate: { entered: entered.promise, open: () => opened.resolve("through") },
  };
}

Deno.test("close() lets a running call finish, and takes no others", async () => {
  const { app, listener, gate } = await serve();
  const answer = callTool(over(listener.url), "deaf");
  await gate.entered;
  const closing = app.close();
  await assert.rejects(fetch(listener.url), TypeError);
  gate.open();
  assert.equal(textOf(await answer), "through");
  await closing;
  await listener.finished;
});

Deno.test("close() tells a call that takes too long to stop, and it is still answered", async () => {
  const { app, listener, gate } = await serve({ closeTimeoutMs: 20 });
  const answer = callTool(over(listener.url), "watch");
  await gate.entered;
  await app.close();
  const { result } = await answer;
  assert.equal(result.isError, true);
  assert.equal(
    textOf(await answer),
    "Error: The server is shutting down",
  );
});

Deno.test("close() ends although a call does not", async () => {
  const { app, listener, gate } = await serve({ closeTimeoutMs: 20 });
  const answer = callTool(over(listener.url), "deaf");
  await gate.entered;
  await app.close();
  await listener.finished;
  gate.open();
  assert.equal(textOf(await answer), "through");
});

Deno.test("close() waits for calls of servers that are not its own", async () => {
  const { app, gate } = await serve();
  const answer = callTool(app, "deaf");
  await gate.entered;
  let closed = false;
  const closing = app.close().then(() => closed = true);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(closed, false);
  gate.open();
  await closing;
  assert.equal(textOf(await answer), "through");
});

Deno.test("close() ends listening streams with their result", async () => {
  const { app, listener } = await serve();
  const response = await over(listener.url).fetch(
    modernRequest("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    }, { id: "all" }),
  );
  const answer = read(response);
  await app.close();
  assert.equal((await answer).result.resultType, "complete");
  assert.equal((await answer).response.id, "all");
});

Deno.test("the listener can be closed by itself, and another one opened", async () => {
  const { app, listener, gate } = await serve();
  gate.open();
  await listener.close();
  await assert.rejects(fetch(listener.url), TypeError);
  const next = await app.listen({ port: 0, onListen() {} });
  assert.equal(textOf(await callTool(over(next.url), "deaf")), "through");
  await app.close();
});

Deno.test("close() also ends what is only about to listen", async () => {
  const { promise: set, resolve } = Promise.withResolvers<void>();
  const slow: Partial<AppOptions> = { setup: () => set };
  for (const options of [{}, slow]) {
    const app = createApp({
      name: "hasty",
      version: "1.0.0",
      state: memoryState(),
      ...options,
    });
    const listening = app.listen({ port: 0, onListen() {} });
    const closing = app.close();
    resolve();
    await closing;
    const { url, finished } = await listening;
    await finished;
    await assert.rejects(fetch(url), TypeError);
  }
});

Deno.test("a closed app answers 503, and listens no more", async () => {
  const { app } = await serve();
  const closing = app.close();
  assert.equal(app.close(), closing);
  await closing;
  const { status, error, headers } = await callTool(app, "deaf");
  assert.equal(status, 503);
  assert.equal(headers.get("retry-after"), "1");
  assert.equal(error.code, ErrorCode.ServiceUnavailable);
  assert.equal(error.message, "The server is shutting down");
  await assert.rejects(app.listen({ port: 0 }), {
    code: ErrorCode.ConfigurationError,
    message: "Cannot listen: the app was closed",
  });
});

Deno.test("an app that was never used can be closed", async () => {
  const app = createApp({ name: "unused", version: "1.0.0" });
  await app.close();
});

const SERVER = fileBeside("_stopping_server.ts");

function listening(
  options: Partial<AppOptions> = {},
  ...args: string[]
): Promise<Child> {
  return startChild(["run", "-A", SERVER, "listen", ...args], {
    STOPPING: JSON.stringify(options),
  });
}

function served(options: Partial<AppOptions> = {}): Promise<Child> {
  return startChild(
    ["serve", "-A", "--host", "127.0.0.1", "--port", "0", SERVER],
    { STOPPING: JSON.stringify(options) },
  );
}

const starts = { "app.listen": listening, "deno serve": served };

for (const [name, start] of Object.entries(starts)) {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    Deno.test(`${name}: ${signal} lets a running call finish, ends streams, and then the process`, async () => {
      await using child = await start();
      const stream = await over(child.url).fetch(
        modernRequest("subscriptions/listen", {
          notifications: { toolsListChanged: true },
        }),
      );
      const answer = callTool(over(child.url), "sleep", { ms: 300 });
      await child.prints("sleeping");
      child.kill(signal);
      assert.equal(textOf(await answer), "slept");
      assert.equal((await read(stream)).result.resultType, "complete");
      const { code, signal: killedBy } = await child.status;
      assert.equal(killedBy, null);
      assert.equal(code, 0);
    });
  }

  Deno.test(`${name}: a call that takes too long is told to stop`, async () => {
    await using child = await start({ closeTimeoutMs: 50 });
    const answer = callTool(over(child.url), "watch");
    await child.prints("watching");
    child.kill("SIGTERM");
    assert.equal(textOf(await answer), "told: The server is shutting down");
    assert.equal((await child.status).code, 0);
  });

  Deno.test(`${name}: a second signal ends the process at once`, async () => {
    await using child = await start();
    const answer = callTool(over(child.url), "sleep", { ms: 60_000 });
    const failed = assert.rejects(answer);
    await child.prints("sleeping");
    child.kill("SIGTERM");
    // Two at a time would count as one.
    await new Promise((resolve) => setTimeout(resolve, 200));
    child.kill("SIGTERM");
    assert.equal((await child.status).code, 143);
    await failed;
  });

  Deno.test(`${name}: a call that never ends does not keep the process`, async () => {
    await using child = await start({ closeTimeoutMs: 50 });
    const answer = callTool(over(child.url), "sleep", { ms: 60_000 });
    const failed = assert.rejects(answer);
    await child.prints("sleeping");
    child.kill("SIGINT");
    assert.equal((await child.status).code, 130);
    await failed;
  });
}

Deno.test("signals can be left to the program", async () => {
  await using child = await listening({}, "without-signals");
  child.kill("SIGTERM");
  assert.equal((await child.status).signal, "SIGTERM");
});
