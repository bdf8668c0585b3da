import assert from "node:assert/strict";
import { createApp, memoryState, tool } from "../../../mod.ts";
import app from "./_hello_server.ts";
import {
  call,
  callTool,
  type Json,
  modernRequest,
  post,
  read,
  requestBody,
} from "./_client.ts";
import { startServer } from "./_server_process.ts";

const HELLO = new URL("_hello_server.ts", import.meta.url);
const STDIO = new URL("../../../stdio.ts", import.meta.url);
const EVERYTHING = new URL("../../../examples/everything.ts", import.meta.url);

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
};

/** Asserts that both eras are served at a URL. */
async function assertServed(url: string, name: string): Promise<void> {
  const ask = async (request: Request) =>
    await read(await fetch(new Request(url, request)));
  const discover = await ask(modernRequest("server/discover"));
  assert.equal(discover.status, 200);
  assert.deepEqual(discover.result.supportedVersions, ["2026-07-28"]);
  const initialize = await ask(post(INITIALIZE));
  assert.equal(initialize.status, 200);
  assert.equal((initialize.result.serverInfo as Json).name, name);
}

Deno.test("deno serve serves the default export, on one port", async () => {
  await using server = await startServer([
    "serve",
    "-A",
    "--host=127.0.0.1",
    "--port=0",
    HELLO.href,
  ]);
  await assertServed(new URL("/mcp", server.url).href, "hello");
  const printed = await server.stop();
  assert.equal(printed.match(/Listening/g)?.length, 1, printed);
});

Deno.test("deno run serves what listens, on one port", async () => {
  await using server = await startServer(["run", "-A", EVERYTHING.href], {
    PORT: "0",
  });
  assert.equal(new URL(server.url).hostname, "127.0.0.1");
  await assertServed(server.url, "everything");
  const printed = await server.stop();
  assert.equal(printed.match(/Listening/g)?.length, 1, printed);
});

Deno.test("stdio.ts serves the default export over stdio", async () => {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", STDIO.href, HELLO.pathname],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = process.stdin.getWriter();
  const lines = [requestBody("server/discover", {}, { id: 1 }), {
    ...INITIALIZE,
    id: 2,
  }];
  for (const line of lines) {
    await writer.write(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
  }
  await writer.close();
  const { code, stdout } = await process.output();
  assert.equal(code, 0);
  const answers = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2]);
  assert.ok(answers.every(({ result }) => result !== undefined));
});

Deno.test("the default export is a fetch handler like any other", async () => {
  const { fetch } = app;
  const { result } = await callTool({ fetch }, "greet", { name: "Ada" });
  assert.deepEqual(result.structuredContent, { greeting: "Hello, Ada" });
});

function mounted(path: string) {
  return createApp({
    name: "mounted",
    version: "1.0.0",
    path,
    state: memoryState(),
    tools: [tool("here", { handler: () => path })],
  });
}

for (const path of ["/", "/functions/v1/mcp"]) {
  Deno.test(`an app can be mounted at ${path}`, async () => {
    const app = mounted(path);
    const at = async (at: string) => {
      const request = modernRequest("server/discover");
      const url = new URL(at, "https://edge.example.com");
      const response = await app.fetch(new Request(url, request));
      await response.body?.cancel();
      return response.status;
    };
    assert.equal(await at(path), 200);
    assert.equal(await at("/mcp/other"), 404);
  });
}

Deno.test("an app can answer behind a router, on whatever path that has", async () => {
  const app = mounted("*");
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (request, info) =>
      new URL(request.url).pathname.startsWith("/api/")
        ? app.fetch(request, info)
        : new Response("home"),
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  await assertServed(`${origin}/api/v2/agents`, "mounted");
  assert.equal(await (await fetch(origin)).text(), "home");
  await server.shutdown();
  await app.close();
});

Deno.test("setup runs once, before the first request, however many come at once", async () => {
  let runs = 0;
  let ready = false;
  const app = createApp({
    name: "setup",
    version: "1.0.0",
    state: memoryState(),
    async setup() {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      ready = true;
    },
    tools: [tool("ready", { handler: () => `${ready}` })],
  });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => callTool(app, "ready")),
  );
  for (const { result } of answers) {
    assert.deepEqual(result.content, [{ type: "text", text: "true" }]);
  }
  await call(app, "tools/list");
  assert.equal(runs, 1);
});
