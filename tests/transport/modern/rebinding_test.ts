import assert from "node:assert/strict";
import { type App, createApp, memoryState, tool } from "../../../mod.ts";
import { type Json, modernRequest, read } from "./_client.ts";
import { rawRequest } from "./_raw_http.ts";

function testApp(options: {
  allowedHosts?: string[];
  allowedOrigins?: string[];
} = {}): { app: App; runs: () => number } {
  let runs = 0;
  const app = createApp({
    name: "rebinding",
    version: "1.0.0",
    state: memoryState(),
    tools: [tool("run", { handler: () => `${++runs}` })],
    ...options,
  });
  return { app, runs: () => runs };
}

const INFO = { remoteAddr: { hostname: "127.0.0.1" } };

function ask(
  app: App,
  headers: Record<string, string>,
  info = INFO,
): Promise<Response> {
  const request = modernRequest("tools/call", { name: "run" }, { headers });
  return app.fetch(request, info);
}

const HOSTILE: readonly [string, Record<string, string>][] = [
  ["a foreign host", { host: "evil.test" }],
  ["a host that only begins like loopback", { host: "127.0.0.1.evil.test" }],
  ["a host that only begins like localhost", { host: "localhost.evil.test" }],
  ["a foreign host with a port", { host: "evil.test:8000" }],
  ["a foreign origin", { host: "localhost:8000", origin: "https://evil.test" }],
  ["an origin that is null", { host: "localhost:8000", origin: "null" }],
  ["an origin that only begins like loopback", {
    host: "127.0.0.1:8000",
    origin: "http://127.0.0.1.evil.test",
  }],
  ["an origin with a loopback user", {
    host: "127.0.0.1:8000",
    origin: "http://localhost@evil.test",
  }],
  ["a host and origin that are foreign and agree", {
    host: "evil.test",
    origin: "http://evil.test",
  }],
];

for (const [what, headers] of HOSTILE) {
  Deno.test(`${what} is forbidden before anything is read`, async () => {
    const { app, runs } = testApp();
    const response = await ask(app, headers);
    assert.equal(response.headers.get("access-control-allow-origin"), null);
    const { status, response: message } = await read(response);
    assert.equal(status, 403);
    assert.equal(message.jsonrpc, "2.0");
    assert.equal(typeof (message.error as Json).code, "number");
    assert.ok(!("id" in message), JSON.stringify(message));
    assert.equal(runs(), 0);
    for (const method of ["GET", "POST", "DELETE"]) {
      const request = new Request("http://localhost/mcp", { method, headers });
      const { status, body } = await app.fetch(request, INFO);
      await body?.cancel();
      assert.equal(status, 403, method);
    }
  });
}

const FRIENDLY: readonly [string, Record<string, string>][] = [
  ["localhost", { host: "localhost" }],
  ["an IPv6 loopback host", { host: "[::1]:8000" }],
  ["another loopback address", { host: "127.8.9.1:80" }],
  ["a host in capitals", { host: "LOCALHOST:8000" }],
  ["no origin", { host: "127.0.0.1:8000" }],
  ["the origin of another local port", {
    host: "127.0.0.1:8000",
    origin: "http://localhost:5173",
  }],
];

for (const [what, headers] of FRIENDLY) {
  Deno.test(`a loopback connection is served with ${what}`, async () => {
    const { app } = testApp();
    assert.equal((await read(await ask(app, headers))).status, 200);
  });
}

Deno.test("hosts and origins of one's own can be allowed", async () => {
  const { app } = testApp({
    allowedHosts: ["mcp.example.com"],
    allowedOrigins: ["https://app.example.com"],
  });
  const remote = { remoteAddr: { hostname: "203.0.113.7" } };
  const host = "mcp.example.com";
  const served = await ask(app, {
    host,
    origin: "https://app.example.com",
  }, remote);
  assert.equal(
    served.headers.get("access-control-allow-origin"),
    "https://app.example.com",
  );
  assert.equal((await read(served)).status, 200);
  const own = await ask(app, { host, origin: `https://${host}` }, remote);
  assert.equal((await read(own)).status, 200);
  for (
    const headers of [
      { host: "other.example.com" },
      { host, origin: "https://other.example.com" },
    ]
  ) {
    assert.equal((await read(await ask(app, headers, remote))).status, 403);
  }
});

Deno.test("the guard can be opened for servers that authenticate", async () => {
  const { app } = testApp({ allowedHosts: ["*"], allowedOrigins: ["*"] });
  const headers = { host: "any.test", origin: "https://other.test" };
  assert.equal((await read(await ask(app, headers))).status, 200);
});

Deno.test("a listening server binds loopback, and goes by the Host it is sent", async () => {
  const { app } = testApp();
  const listener = await app.listen({ port: 0, onListen() {} });
  const { port } = listener;
  assert.equal(new URL(listener.url).hostname, "127.0.0.1");
  for (
    const [host, status] of [
      [`127.0.0.1:${port}`, 405],
      [`evil.test:${port}`, 403],
    ] as const
  ) {
    const answer = await rawRequest(port, [
      "GET /mcp HTTP/1.1",
      `Host: ${host}`,
      "MCP-Protocol-Version: 2026-07-28",
    ]);
    assert.equal(answer.status, status, host);
  }
  await app.close();
});
