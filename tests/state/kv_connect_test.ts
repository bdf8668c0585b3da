import assert from "node:assert/strict";
import { ErrorCode } from "../../errors.ts";
import { createTenantState, kvState } from "../../state/mod.ts";
import { rejection } from "./rejection.ts";

/** What reached the endpoint, in order. */
interface Seen {
  path: string;
  authorization: string | null;
}

/**
 * An endpoint that speaks as much of the KV Connect protocol as it takes to open
 * a database, to write and to read nothing.
 */
function serveKvConnect(accept: (token: string) => boolean) {
  const seen: Seen[] = [];
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
  }, async (request) => {
    const { pathname: path } = new URL(request.url);
    const authorization = request.headers.get("authorization");
    seen.push({ path, authorization });
    await request.arrayBuffer();
    if (path === "/db") {
      const token = authorization?.replace("Bearer ", "") ?? "";
      if (!accept(token)) return new Response("who are you", { status: 401 });
      return Response.json({
        version: 3,
        databaseId: "6a6b2b7e-1f0a-4a5e-9a40-1d3c5a7b9f10",
        endpoints: [{ url: "/data", consistency: "strong" }],
        token: "data-token",
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      });
    }
    // AtomicWriteOutput: status AW_SUCCESS and a versionstamp.
    const written = [0x08, 1, 0x12, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0];
    // SnapshotReadOutput: one empty range, strongly consistent, SR_SUCCESS.
    const read = [0x0a, 0, 0x20, 1, 0x40, 1];
    const body = path === "/data/atomic_write" ? written : read;
    return new Response(new Uint8Array(body));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/db`,
    seen,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("a KV Connect URL is opened with the token given for it", async () => {
  await using endpoint = serveKvConnect((token) => token === "s3cret");
  const before = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  const backend = kvState(endpoint.url, { accessToken: "s3cret" });
  await backend.open!();
  assert.equal(Deno.env.get("DENO_KV_ACCESS_TOKEN"), before);
  const state = createTenantState(backend, "acme");
  await state.set("k", 1);
  assert.equal(await state.get("k"), null);
  await backend.close();

  assert.equal(backend.shared, true);
  assert.equal(endpoint.seen[0]?.path, "/db");
  for (const { path, authorization } of endpoint.seen) {
    const token = path === "/db" ? "s3cret" : "data-token";
    assert.equal(authorization, `Bearer ${token}`);
  }
  const paths = endpoint.seen.map((request) => request.path);
  assert.ok(paths.includes("/data/atomic_write"));
  assert.ok(paths.includes("/data/snapshot_read"));
});

Deno.test("several URLs opened at once each get their own token", async () => {
  await using first = serveKvConnect((token) => token === "first");
  await using second = serveKvConnect((token) => token === "second");
  const backends = [
    kvState(first.url, { accessToken: "first" }),
    kvState(second.url, { accessToken: "second" }),
  ];
  await Promise.all(backends.map((backend) => backend.open!()));
  for (const backend of backends) await backend.close();
});

Deno.test("the token may stand in the environment", async () => {
  await using endpoint = serveKvConnect((token) => token === "from env");
  const before = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  Deno.env.set("DENO_KV_ACCESS_TOKEN", "from env");
  try {
    const backend = kvState(endpoint.url);
    await backend.open!();
    await backend.close();
  } finally {
    if (before === undefined) Deno.env.delete("DENO_KV_ACCESS_TOKEN");
    else Deno.env.set("DENO_KV_ACCESS_TOKEN", before);
  }
});

Deno.test("a refused token, a missing one and a dead URL are told apart", async () => {
  await using endpoint = serveKvConnect(() => false);
  const { host } = new URL(endpoint.url);
  const withPassword = `http://user:hunter2@${host}/db?key=s3cret`;
  const before = Deno.env.get("DENO_KV_ACCESS_TOKEN");
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  try {
    const cases: [string, string | undefined, RegExp][] = [
      [endpoint.url, "s3cret", /refused the access token/],
      [withPassword, "s3cret", /refused the access token/],
      [endpoint.url, undefined, /access token is missing; set DENO_KV_ACCE/],
      ["http://127.0.0.1:1/db", "s3cret", /does not answer as KV Connect/],
      ["https://", "s3cret", /at the URL, cannot be opened/],
    ];
    for (const [url, accessToken, why] of cases) {
      const options = accessToken === undefined ? {} : { accessToken };
      const backend = kvState(url, options);
      const error = await rejection(
        () => backend.open!(),
        ErrorCode.ConfigurationError,
        why,
      );
      assert.doesNotMatch(error.message, /s3cret|hunter2/);
      await backend.close();
    }
  } finally {
    if (before !== undefined) Deno.env.set("DENO_KV_ACCESS_TOKEN", before);
  }
});

Deno.test("a URL that never answers stops the start in time", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}/db`;
  const connections: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of listener) connections.push(connection);
  })();
  const backend = kvState(url, { accessToken: "t", timeout: 200 });
  await rejection(
    () => backend.open!(),
    ErrorCode.ConfigurationError,
    /the server did not answer/,
  );
  for (const connection of connections) connection.close();
  listener.close();
  await accepting;
  await backend.close();
});
