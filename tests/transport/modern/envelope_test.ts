import assert from "node:assert/strict";
import {
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
  z,
} from "../../../mod.ts";
import {
  assertMembers,
  call,
  type CallOptions,
  callTool,
  type Json,
  post,
  requestBody,
  send,
  VERSION,
} from "./_client.ts";

const META = "io.modelcontextprotocol";

function testApp() {
  return createApp({
    name: "envelope",
    version: "2.0.0",
    state: memoryState(),
    tools: [
      tool("good", { input: z.object({ n: z.int() }), handler: () => "fine" }),
      tool("bad", {
        handler() {
          throw new Error("no");
        },
      }),
      tool("ask", {
        handler: (_args, ctx) =>
          ctx.ask("name", {
            message: "Name?",
            schema: z.object({ name: z.string() }),
          }).then(({ name }) => name),
      }),
    ],
    resources: [
      resource("doc://a", { handler: () => "a" }),
      resource("doc://{id}/x", { handler: ({ id }) => id }),
    ],
    prompts: [
      prompt("p", {
        args: z.object({ topic: z.string() }),
        complete: { topic: () => ["a"] },
        handler: () => "p",
      }),
    ],
  });
}

const RESULTS: readonly [string, Json][] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "doc://a" }],
  ["resources/read", { uri: "doc://7/x" }],
  ["prompts/get", { name: "p", arguments: { topic: "t" } }],
  ["completion/complete", {
    ref: { type: "ref/prompt", name: "p" },
    argument: { name: "topic", value: "" },
  }],
  ["tools/call", { name: "good", arguments: { n: 1 } }],
  ["tools/call", { name: "bad" }],
  ["tools/call", { name: "good", arguments: { n: "x" } }],
];

Deno.test("every result says that it is complete, and who serves it", async () => {
  const app = testApp();
  for (const [method, params] of RESULTS) {
    const { status, result } = await call(app, method, params);
    assert.equal(status, 200, method);
    assert.equal(result.resultType, "complete", method);
    assert.deepEqual(
      (result._meta as Json)[`${META}/serverInfo`],
      { name: "envelope", version: "2.0.0" },
      method,
    );
  }
});

Deno.test("a question is a result of its own type, and says who asks", async () => {
  const { result } = await callTool(testApp(), "ask", {}, {
    capabilities: { elicitation: {} },
  });
  assert.equal(result.resultType, "input_required");
  assertMembers(result._meta, { [`${META}/serverInfo`]: { name: "envelope" } });
});

Deno.test("a modern header on a body without an envelope is malformed, and never served as an older revision", async () => {
  const app = testApp();
  const headers = {
    "mcp-protocol-version": VERSION,
    "mcp-method": "tools/list",
  };
  for (
    const params of [
      undefined,
      {},
      { _meta: {} },
      { _meta: null },
      { _meta: "x" },
      { _meta: [] },
    ]
  ) {
    const body = { jsonrpc: "2.0", id: 7, method: "tools/list", params };
    const { status, error, response } = await send(app, post(body, headers));
    assert.equal(status, 400, JSON.stringify(params));
    assert.equal(error.code, -32602, JSON.stringify(params));
    assert.equal(response.id, 7);
  }
});

const MALFORMED: readonly [string, CallOptions, string][] = [
  [
    "no version",
    { meta: { [`${META}/protocolVersion`]: undefined } },
    "protocolVersion",
  ],
  ["a version that is a number", {
    meta: { [`${META}/protocolVersion`]: 20260728 },
  }, "protocolVersion"],
  [
    "no capabilities",
    { meta: { [`${META}/clientCapabilities`]: undefined } },
    "clientCapabilities",
  ],
  ["capabilities that are null", { capabilities: null }, "clientCapabilities"],
  [
    "capabilities that are a list",
    { capabilities: ["sampling"] },
    "clientCapabilities",
  ],
  [
    "a capability that is true",
    { capabilities: { sampling: true } },
    "clientCapabilities.sampling",
  ],
  [
    "client info that is a string",
    { meta: { [`${META}/clientInfo`]: "x" } },
    "clientInfo",
  ],
  ["client info without a version", {
    meta: { [`${META}/clientInfo`]: { name: "x" } },
  }, "clientInfo"],
  [
    "an unknown log level",
    { meta: { [`${META}/logLevel`]: "loud" } },
    "logLevel",
  ],
  [
    "a log level that is a number",
    { meta: { [`${META}/logLevel`]: 3 } },
    "logLevel",
  ],
  [
    "a progress token that is an object",
    { meta: { progressToken: {} } },
    "progressToken",
  ],
  [
    "a progress token that is a fraction",
    { meta: { progressToken: 1.5 } },
    "progressToken",
  ],
  [
    "a progress token that would make each notification long",
    { meta: { progressToken: "t".repeat(1_025) } },
    "progressToken",
  ],
];

for (const [what, options, field] of MALFORMED) {
  Deno.test(`${what} is refused with -32602 and HTTP 400, whatever the method`, async () => {
    const app = testApp();
    for (const [method, params] of RESULTS) {
      const { status, error, response } = await call(app, method, params, {
        ...options,
        id: "m-1",
      });
      assert.equal(status, 400, method);
      assert.equal(error.code, -32602, method);
      assert.match(
        String(error.message),
        new RegExp(field.replace(".", "\\.")),
      );
      assert.equal(response.id, "m-1");
    }
  });
}

Deno.test("clients need not say who they are, and may say more than is known", async () => {
  const app = testApp();
  const options: CallOptions[] = [
    { meta: { [`${META}/clientInfo`]: undefined } },
    { capabilities: { teleport: { far: true }, experimental: { x: {} } } },
    { capabilities: { extensions: { "com.example/x": {} } } },
    { meta: { "com.example/trace": [1], unknown: null } },
    { meta: { progressToken: 0 } },
    { meta: { progressToken: "" } },
    { meta: { progressToken: "t".repeat(1_024) } },
  ];
  for (const option of options) {
    const { status, result } = await callTool(app, "good", { n: 1 }, option);
    assert.equal(status, 200, JSON.stringify(option));
    assert.equal(result.resultType, "complete");
  }
});

Deno.test("an answer carries the id of its request, of the same type", async () => {
  const app = testApp();
  for (const id of [0, 1, -5, "", "0", "a b", "世界", 9007199254740991]) {
    const good = await callTool(app, "good", { n: 1 }, { id });
    assert.strictEqual(good.response.id, id);
    const bad = await callTool(app, "unknown", {}, { id });
    assert.equal(bad.error.code, -32602);
    assert.strictEqual(bad.response.id, id);
  }
});

Deno.test("an id that is neither a string nor an integer is an invalid request", async () => {
  const app = testApp();
  for (const id of [null, true, 1.5, {}, [1]]) {
    const { status, error, response } = await call(app, "tools/list", {}, {
      id,
    });
    assert.equal(status, 400, JSON.stringify(id));
    assert.equal(error.code, -32600, JSON.stringify(id));
    assert.ok(!("id" in response), JSON.stringify(response));
  }
});

Deno.test("a version that is not served is refused with what is", async () => {
  const app = testApp();
  for (const version of ["v999.0.0", "2025-11-25", "2024-11-05", "x", ""]) {
    const { status, error } = await call(app, "tools/list", {}, {
      meta: { [`${META}/protocolVersion`]: version },
      headers: { "mcp-protocol-version": version },
    });
    assert.equal(status, 400, version);
    assert.equal(error.code, -32022, version);
    assert.deepEqual(error.data, { supported: [VERSION], requested: version });
  }
});

Deno.test("missing fields are told before a header mismatch, and that before the version", async () => {
  const app = testApp();
  const missing = await call(app, "tools/list", {}, {
    meta: {
      [`${META}/protocolVersion`]: "v9",
      [`${META}/clientCapabilities`]: undefined,
    },
  });
  assert.equal(missing.error.code, -32602);
  const mismatch = await call(app, "tools/list", {}, {
    meta: { [`${META}/protocolVersion`]: "v9" },
  });
  assert.equal(mismatch.error.code, -32020);
});

Deno.test("methods of older revisions and unknown ones are not found", async () => {
  const app = testApp();
  const methods = [
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "resources/unsubscribe",
    "unknown/method",
    "constructor",
    "tools/call/",
  ];
  for (const method of methods) {
    const { status, error } = await call(app, method);
    assert.equal(status, 404, method);
    assert.equal(error.code, -32601, method);
  }
});

Deno.test("capabilities of one request are not remembered for the next", async () => {
  const app = testApp();
  const first = await callTool(app, "ask", {}, {
    capabilities: { elicitation: {} },
  });
  assert.equal(first.result.resultType, "input_required");
  const second = await callTool(app, "ask");
  assert.equal(second.status, 400);
  assert.equal(second.error.code, -32021);
  assert.deepEqual(second.error.data, {
    requiredCapabilities: { elicitation: { form: {} } },
  });
});

Deno.test("a message that is no request is answered and told why", async () => {
  const app = testApp();
  const bodies: unknown[] = [
    null,
    1,
    "x",
    {},
    { id: 1, method: "tools/list" },
    { jsonrpc: "1.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 1, method: 5 },
    { jsonrpc: "2.0", id: 1 },
    { ...requestBody("tools/list"), jsonrpc: 2 },
  ];
  for (const body of bodies) {
    const request = post(body === "x" ? '"x"' : body, {
      "mcp-protocol-version": VERSION,
      "mcp-method": "tools/list",
    });
    const { status, error } = await send(app, request);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(error.code, -32600, JSON.stringify(body));
  }
  const { status, error } = await send(app, post("{not json"));
  assert.equal(status, 400);
  assert.equal(error.code, -32700);
});
