import assert from "node:assert/strict";
import { createApp, memoryState } from "../../mod.ts";
import type { App, AppOptions } from "../../mod.ts";

function serve(options: Partial<AppOptions> = {}): App {
  return createApp({
    name: "healthy",
    version: "1.0.0",
    state: memoryState(),
    ...options,
  });
}

function probe(
  app: App,
  path = "/healthz",
  init?: RequestInit,
): Promise<Response> {
  return app.fetch(new Request(`http://10.1.2.3:8000${path}`, init), {
    remoteAddr: { hostname: "10.1.2.9" },
  });
}

Deno.test("there is no health check unless it is asked for", async () => {
  for (const options of [{}, { health: false }]) {
    const app = serve(options);
    assert.equal((await probe(app)).status, 404);
    await app.close();
  }
});

Deno.test("a probe needs neither credentials nor a name for the server", async () => {
  const app = serve({
    health: true,
    auth: { verify: () => null },
    allowedHosts: ["mcp.example.com"],
  });
  const response = await probe(app);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.deepEqual(await response.json(), { status: "ok" });
  await app.close();
});

Deno.test("a probe may be HEAD, and nothing else", async () => {
  const app = serve({ health: true });
  const head = await probe(app, "/healthz", { method: "HEAD" });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), "");
  const post = await probe(app, "/healthz", { method: "POST" });
  assert.equal(post.status, 405);
  assert.equal(post.headers.get("allow"), "GET, HEAD");
  await app.close();
});

Deno.test("the health check can be at another path, also where the endpoint is everywhere", async () => {
  const app = serve({ health: "/live", path: "*" });
  assert.deepEqual(await (await probe(app, "/live")).json(), { status: "ok" });
  const other = await probe(app, "/healthz");
  assert.equal(other.status, 400);
  await other.body?.cancel();
  await app.close();
});

Deno.test("no page can read the health check", async () => {
  const app = serve({ health: true, allowedOrigins: ["*"] });
  const response = await probe(app, "/healthz", {
    headers: { origin: "https://page.example.com" },
  });
  assert.equal(response.headers.get("access-control-allow-origin"), null);
  await response.body?.cancel();
  await app.close();
});

Deno.test("a server that could not start, or is closed, is not healthy", async () => {
  const broken = serve({
    health: true,
    setup: () => Promise.reject(new Error("no luck")),
  });
  const failed = await probe(broken);
  assert.equal(failed.status, 503);
  assert.deepEqual(await failed.json(), { status: "unavailable" });
  await broken.close();

  const app = serve({ health: true });
  assert.equal((await probe(app, "/healthz", { method: "HEAD" })).status, 200);
  await app.close();
  const closed = await probe(app);
  assert.equal(closed.status, 503);
  await closed.body?.cancel();
});
