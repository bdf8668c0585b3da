import assert from "node:assert/strict";
import {
  type Context,
  createApp,
  McpError,
  memoryState,
  notFound,
  resource,
  type ResourceDefinition,
  type ResourceReturn,
  z,
} from "../../../mod.ts";
import { type Answer, call, type Json } from "../modern/_client.ts";

function appOf(...resources: ResourceDefinition[]) {
  return createApp({
    name: "resources",
    version: "1.0.0",
    state: memoryState(),
    resources,
  });
}

function readOf(definition: ResourceDefinition, uri: string): Promise<Answer> {
  return call(appOf(definition), "resources/read", { uri });
}

/** What a resource's read gives when its handler returns a value. */
function returned(value: unknown, mimeType?: string): Promise<Answer> {
  const definition = resource("doc://x", {
    ...(mimeType !== undefined && { mimeType }),
    handler: () => value as ResourceReturn,
  });
  return readOf(definition, "doc://x");
}

Deno.test("text, bytes and values become contents of their kind", async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  const cases: readonly [unknown, string | undefined, Json][] = [
    ["text", undefined, { mimeType: "text/plain", text: "text" }],
    ["", undefined, { mimeType: "text/plain", text: "" }],
    ["# t", "text/markdown", { mimeType: "text/markdown", text: "# t" }],
    [{ a: 1 }, undefined, { mimeType: "application/json", text: '{"a":1}' }],
    [[1, 2], undefined, { mimeType: "application/json", text: "[1,2]" }],
    [{}, undefined, { mimeType: "application/json", text: "{}" }],
    [new Date(0), undefined, {
      mimeType: "application/json",
      text: '"1970-01-01T00:00:00.000Z"',
    }],
    [new Uint8Array([255, 0]), undefined, {
      mimeType: "application/octet-stream",
      blob: "/wA=",
    }],
    [bytes, "image/png", { mimeType: "image/png", blob: bytes.toBase64() }],
  ];
  for (const [value, mimeType, content] of cases) {
    const { result } = await returned(value, mimeType);
    assert.deepEqual(result.contents, [{ uri: "doc://x", ...content }]);
  }
});

Deno.test("a whole result is sent as it is, with who serves it", async () => {
  const contents = [
    { uri: "doc://x/1", text: "one" },
    { uri: "doc://x/2", blob: "AA==", mimeType: "image/png" },
  ];
  const { result } = await returned({
    contents,
    _meta: { "com.example/etag": "e1" },
    "com.example": true,
  });
  assert.deepEqual(result.contents, contents);
  assert.equal(result["com.example"], true);
  assert.deepEqual(result._meta, {
    "io.modelcontextprotocol/serverInfo": {
      name: "resources",
      version: "1.0.0",
    },
    "com.example/etag": "e1",
  });
});

Deno.test("a handler that returns no content fails on the server's side", async () => {
  const cycle: Json = {};
  cycle.self = cycle;
  const values = [
    undefined,
    null,
    42,
    true,
    () => 1,
    { contents: [1] },
    { contents: [{ text: "no uri" }] },
    { contents: [{ uri: "doc://x" }] },
    { contents: [{ uri: "doc://x", text: 5 }] },
    // As JSON they would be "{}", or numbered bytes.
    new ArrayBuffer(2),
    new Uint16Array(2),
    new Blob(["text"]),
    new Map([["a", 1]]),
  ];
  for (const value of values) {
    const { error, text } = await returned(value);
    assert.equal(error.code, -32603, text);
    assert.equal(typeof (error.data as Json).requestId, "string");
  }
  for (const value of [{ big: 1n }, cycle, { contents: [], extra: 1n }]) {
    const { error, text } = await returned(value);
    assert.equal(error.code, 460, text);
    assert.match(String(error.message), /doc:\/\/x/);
  }
});

Deno.test("a URI that names nothing is -32602 with the URI, as is a handler's notFound", async () => {
  const app = appOf(
    resource("doc://{id}", {
      handler: ({ id }) => {
        if (id === "code") throw new McpError(-32002, "Gone");
        throw notFound("No such document", { id });
      },
    }),
  );
  for (
    const uri of [
      "other://x",
      "doc://gone",
      "doc://code",
      "doc://a/b",
      "",
      "no uri",
      "constructor",
      "__proto__",
    ]
  ) {
    const { status, error, text } = await call(app, "resources/read", { uri });
    assert.equal(status, 200, text);
    assert.equal(error.code, -32602, text);
    assert.equal((error.data as Json).uri, uri);
    assert.equal(typeof (error.data as Json).requestId, "string");
  }
});

Deno.test("a read without a URI is refused", async () => {
  for (const params of [{}, { uri: 1 }, { uri: null }, { uri: ["doc://x"] }]) {
    const { error } = await call(
      appOf(resource("doc://x", { handler: () => "x" })),
      "resources/read",
      params,
    );
    assert.equal(error.code, -32602, JSON.stringify(params));
  }
});

Deno.test("variables of a template are percent-decoded, and reach nothing else", async () => {
  const app = appOf(
    resource("doc://{id}/page/{page}", {
      handler: (variables) => ({ ...variables }),
    }),
    resource("file:///{+path}", { handler: ({ path }) => ({ path }) }),
    resource("list:///items{?q,limit}", {
      handler: ({ q, limit }) => ({ q, limit }),
    }),
  );
  const cases: readonly [string, Json | undefined][] = [
    ["doc://a/page/1", { id: "a", page: "1" }],
    ["doc://a%20b/page/%E4%B8%96", { id: "a b", page: "世" }],
    ["doc://a%2Fb/page/%2e%2e", { id: "a/b", page: ".." }],
    ["doc://世界/page/ä", { id: "世界", page: "ä" }],
    ["doc://a/page/", undefined],
    ["doc://a/page/1/2", undefined],
    ["doc://a/page/1?x", undefined],
    ["doc://a/page/1#x", undefined],
    ["doc://a/page/%E4%B8", undefined],
    ["doc://a/page/%", undefined],
    ["DOC://a/page/1", undefined],
    ["doc://a/page/1\n", { id: "a", page: "1\n" }],
    ["file:///a/b/c.txt", { path: "a/b/c.txt" }],
    ["list:///items", {}],
    ["list:///items?q=a%26b&limit=5", { q: "a&b", limit: "5" }],
    ["list:///items?limit=5", { limit: "5" }],
    ["list:///items?limit=5&q=x", { q: "x", limit: "5" }],
    ["list:///items?other=1", undefined],
  ];
  for (const [uri, variables] of cases) {
    const { result, error, text } = await call(app, "resources/read", { uri });
    if (variables === undefined) {
      assert.equal(error.code, -32602, `${uri} ${text}`);
      continue;
    }
    const [content] = result.contents as { text: string }[];
    assert.deepEqual(JSON.parse(String(content?.text)), variables, uri);
  }
});

Deno.test("variables can be validated and typed by a schema", async () => {
  const pages = resource("page://{number}", {
    params: z.object({ number: z.coerce.number().int().max(9) }),
    handler: ({ number }) => `${number + 1}`,
  });
  const good = await readOf(pages, "page://4");
  assert.deepEqual((good.result.contents as Json[])[0]?.text, "5");
  const { error } = await readOf(pages, "page://40");
  assert.equal(error.code, -32602);
  assert.match(String(error.message), /number/);
});

Deno.test("fixed URIs go before templates, and templates in their order", async () => {
  const app = appOf(
    resource("doc://{id}", { handler: () => "first template" }),
    resource("doc://{other}", { handler: () => "second template" }),
    resource("doc://fixed", { handler: () => "fixed" }),
  );
  for (
    const [uri, text] of [
      ["doc://fixed", "fixed"],
      ["doc://else", "first template"],
    ]
  ) {
    const { result } = await call(app, "resources/read", { uri });
    assert.equal((result.contents as Json[])[0]?.text, text);
  }
});

Deno.test("a handler sees the URI that is read, and can ask for input", async () => {
  let seen: Context["uri"];
  const app = appOf(
    resource("doc://{id}", {
      async handler({ id }, ctx) {
        seen = ctx.uri;
        const { pin } = await ctx.ask("pin", {
          message: "PIN?",
          schema: z.object({ pin: z.string() }),
        });
        return `${id} opened with ${pin}`;
      },
    }),
  );
  const options = { capabilities: { elicitation: {} } };
  const params = { uri: "doc://a%20b" };
  const first = await call(app, "resources/read", params, options);
  assert.equal(first.result.resultType, "input_required");
  assert.equal(seen?.href, "doc://a%20b");
  const second = await call(app, "resources/read", {
    ...params,
    inputResponses: { pin: { action: "accept", content: { pin: "1234" } } },
    ...(first.result.requestState !== undefined && {
      requestState: first.result.requestState,
    }),
  }, options);
  assert.equal(
    (second.result.contents as Json[])[0]?.text,
    "a b opened with 1234",
  );
});

Deno.test("definitions are listed with all that they say of themselves", async () => {
  const icons = [{ src: "https://example.com/i.png", mimeType: "image/png" }];
  const annotations = { audience: ["user" as const], priority: 0.5 };
  const app = appOf(
    resource("doc://full", {
      name: "full",
      title: "Full",
      description: "All of it",
      mimeType: "text/plain",
      size: 4,
      annotations,
      icons,
      _meta: { "com.example/k": 1 },
      handler: () => "full",
    }),
    resource("doc://bare", { handler: () => "bare" }),
    resource("doc://{id}/t", { size: 9, handler: ({ id }) => id }),
  );
  const { result } = await call(app, "resources/list");
  assert.deepEqual(result.resources, [
    {
      uri: "doc://full",
      name: "full",
      title: "Full",
      description: "All of it",
      mimeType: "text/plain",
      size: 4,
      annotations,
      icons,
      _meta: { "com.example/k": 1 },
    },
    { uri: "doc://bare", name: "doc://bare" },
  ]);
  const templates = await call(app, "resources/templates/list");
  assert.deepEqual(templates.result.resourceTemplates, [
    { uriTemplate: "doc://{id}/t", name: "doc://{id}/t" },
  ]);
});

Deno.test("a very long URI is answered at once", async () => {
  const app = appOf(
    resource("doc://{+a}/{+b}/{+c}/end", { handler: () => "x" }),
  );
  const uri = `doc://${"/".repeat(200_000)}`;
  const { error } = await call(app, "resources/read", { uri }, {
    headers: { "mcp-name": uri },
  });
  assert.equal(error.code, -32602);
});
