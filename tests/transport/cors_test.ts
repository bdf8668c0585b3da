import assert from "node:assert/strict";
import { createApp, memoryState, tool, z } from "../../mod.ts";
import type { App, AppOptions } from "../../mod.ts";
import { modernRequest, post } from "./modern/_client.ts";

const PAGE = "https://page.example.com";
const OTHER = "https://evil.example.net";

const echo = tool("echo", {
  input: z.object({ text: z.string() }),
  handler: ({ text }) => text,
});

const locked = tool("locked", { auth: ["admin"], handler: () => "never" });

function serve(options: Partial<AppOptions> = {}): App {
  return createApp({
    name: "pages",
    version: "1.0.0",
    state: memoryState(),
    tools: [echo, locked],
    allowedOrigins: [PAGE],
    maxBodyBytes: 2_000,
    ...options,
  });
}

/** The same request, as a page of this origin would send it. */
function from(origin: string, request: Request): Request {
  const sent = new Request(request);
  sent.headers.set("origin", origin);
  return sent;
}

function preflightRequest(
  headers: Readonly<Record<string, string>> = {},
  url = "http://localhost/mcp",
): Request {
  return new Request(url, {
    method: "OPTIONS",
    headers: {
      origin: PAGE,
      "access-control-request-method": "POST",
      ...headers,
    },
  });
}

function list(headers: Headers, name: string): string[] {
  return (headers.get(name) ?? "").toLowerCase().split(",").map((item) =>
    item.trim()
  ).filter((item) => item !== "");
}

const corsNames = [
  "access-control-allow-origin",
  "access-control-expose-headers",
  "access-control-allow-headers",
  "access-control-allow-methods",
];

function assertNoCors(response: Response): void {
  for (const name of corsNames) assert.equal(response.headers.get(name), null);
}

Deno.test("a preflight is answered before credentials are asked for", async () => {
  const app = serve({ auth: { verify: () => null } });
  const response = await app.fetch(preflightRequest());
  assert.equal(response.status, 204);
  assert.equal(await response.text(), "");
  assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
  assert.deepEqual(
    list(response.headers, "access-control-allow-methods").sort(),
    ["delete", "get", "options", "post"],
  );
  assert.equal(response.headers.get("access-control-max-age"), "600");
  assert.equal(
    response.headers.get("access-control-allow-credentials"),
    null,
  );
});

Deno.test("a page may send every header of the protocol, and the parameters it asks for", async () => {
  const app = serve();
  const response = await app.fetch(preflightRequest({
    "access-control-request-headers":
      "content-type,mcp-param-region,Mcp-Param-X,x-custom,mcp-param-,mcp-param-a b",
  }));
  const allowed = list(response.headers, "access-control-allow-headers");
  for (
    const name of [
      "accept",
      "authorization",
      "content-type",
      "last-event-id",
      "mcp-method",
      "mcp-name",
      "mcp-protocol-version",
      "mcp-session-id",
      "traceparent",
      "mcp-param-region",
      "mcp-param-x",
    ]
  ) assert(allowed.includes(name), name);
  for (const name of ["x-custom", "mcp-param-", "mcp-param-a b", "*"]) {
    assert(!allowed.includes(name), name);
  }
  assert.equal(new Set(allowed).size, allowed.length);
});

Deno.test("a server that checks requests itself lets pages send its own headers", async () => {
  const app = serve({ auth: { verify: () => null } });
  const response = await app.fetch(
    preflightRequest({ "access-control-request-headers": "X-Api-Key" }),
  );
  const allowed = list(response.headers, "access-control-allow-headers");
  assert(allowed.includes("x-api-key"));
  assert(allowed.includes("mcp-session-id"));
});

Deno.test("a preflight for a private address is allowed when it is asked for", async () => {
  const name = "access-control-allow-private-network";
  const app = serve();
  const asked = await app.fetch(
    preflightRequest({ "access-control-request-private-network": "true" }),
  );
  assert.equal(asked.headers.get(name), "true");
  const plain = await app.fetch(preflightRequest());
  assert.equal(plain.headers.get(name), null);
});

interface Case {
  readonly status: number;
  readonly request: () => Request;
  readonly options?: Partial<AppOptions>;
}

const denied: AppOptions["auth"] = { verify: () => null };
const poor: AppOptions["auth"] = {
  verify: () => ({ clientId: "app", scopes: [] }),
};
const broken: AppOptions["auth"] = {
  verify: () => {
    throw new Error("no database");
  },
};

function call(name: string): Request {
  return modernRequest("tools/call", { name, arguments: { text: "hi" } });
}

const statuses: Record<string, Case> = {
  "a result": { status: 200, request: () => call("echo") },
  "a notification": {
    status: 202,
    request: () =>
      post({ jsonrpc: "2.0", method: "notifications/x" }, {
        "mcp-protocol-version": "2026-07-28",
      }),
  },
  "bad JSON": { status: 400, request: () => post("{") },
  "no credentials": {
    status: 401,
    request: () => call("echo"),
    options: { auth: denied },
  },
  "a missing scope": {
    status: 403,
    request: () => call("locked"),
    options: { auth: poor },
  },
  "a bad Host": {
    status: 403,
    request: () => {
      const request = call("echo");
      request.headers.set("host", "rebound.example.org");
      return request;
    },
  },
  "another path": {
    status: 404,
    request: () => new Request("http://localhost/nowhere", call("echo")),
  },
  "an unknown method": {
    status: 404,
    request: () => modernRequest("nothing/here"),
  },
  "another HTTP method": {
    status: 405,
    request: () => new Request("http://localhost/mcp", { method: "PUT" }),
  },
  "a body too large": {
    status: 413,
    request: () => post(" ".repeat(2_001)),
  },
  "another content type": {
    status: 415,
    request: () => post("{}", { "content-type": "text/plain" }),
  },
  "a check that failed": {
    status: 500,
    request: () => call("echo"),
    options: { auth: broken },
  },
  "a server that could not start": {
    status: 503,
    request: () => call("echo"),
    options: {
      setup: () => {
        throw new Error("no luck");
      },
    },
  },
};

for (const [name, { status, request, options }] of Object.entries(statuses)) {
  Deno.test(`an allowed page can read ${name} (${status})`, async () => {
    const app = serve(options);
    const response = await app.fetch(from(PAGE, request()));
    assert.equal(response.status, status);
    await response.body?.cancel();
    const { headers } = response;
    assert.equal(headers.get("access-control-allow-origin"), PAGE);
    assert(list(headers, "vary").includes("origin"));
    const exposed = list(headers, "access-control-expose-headers");
    for (
      const one of [
        "mcp-session-id",
        "mcp-protocol-version",
        "www-authenticate",
        "retry-after",
      ]
    ) assert(exposed.includes(one), one);
    await app.close();
  });
}

Deno.test("a refused origin learns nothing, whatever it asks for", async () => {
  const app = serve();
  for (const origin of [OTHER, "null", `${PAGE}.evil.example.net`]) {
    for (const request of [call("echo"), preflightRequest(), post("{")]) {
      const response = await app.fetch(from(origin, request));
      assert.equal(response.status, 403, origin);
      assertNoCors(response);
      await response.body?.cancel();
    }
  }
});

Deno.test("a rebound page learns nothing, although it is its own server's page", async () => {
  const app = serve();
  const request = from("http://rebound.example.org", call("echo"));
  request.headers.set("host", "rebound.example.org");
  const response = await app.fetch(request);
  assert.equal(response.status, 403);
  assertNoCors(response);
});

Deno.test("a client that is no page gets no CORS headers", async () => {
  const response = await serve().fetch(call("echo"));
  assert.equal(response.status, 200);
  assertNoCors(response);
  await response.body?.cancel();
});

Deno.test("a stream can be read by an allowed page", async () => {
  const app = serve();
  const response = await app.fetch(from(
    PAGE,
    modernRequest("subscriptions/listen", {
      notifications: { toolsListChanged: true },
    }),
  ));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("access-control-allow-origin"), PAGE);
  await response.body?.cancel();
  await app.close();
});

Deno.test("the metadata document can be read by every page, without a preflight for itself", async () => {
  const app = serve({
    auth: { verify: () => null },
    publicUrl: "https://pub.example.com/mcp",
  });
  const response = await app.fetch(
    new Request(
      "http://localhost/.well-known/oauth-protected-resource/mcp",
      { headers: { origin: OTHER } },
    ),
  );
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("access-control-allow-origin"), "*");
  await response.body?.cancel();
});
