import assert from "node:assert/strict";
import {
  type AppOptions,
  type CacheHint,
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../../mod.ts";
import { call, type Json } from "../modern/_client.ts";

const CACHEABLE: readonly [string, Json][] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "doc://plain" }],
];

function testApp(cacheHints?: AppOptions["cacheHints"]) {
  return createApp({
    name: "caching",
    version: "1.0.0",
    state: memoryState(),
    cacheHints,
    tools: [tool("t", { handler: () => "t" })],
    prompts: [prompt("p", { handler: () => "p" })],
    resources: [
      resource("doc://plain", { handler: () => "plain" }),
      resource("doc://hinted", {
        cacheHint: { ttlMs: 5, scope: "public" },
        handler: () => "hinted",
      }),
      resource("doc://own", {
        cacheHint: { ttlMs: 5, scope: "public" },
        handler: () => ({
          contents: [{ uri: "doc://own", text: "own" }],
          ttlMs: 9,
        }),
      }),
      resource("doc://asks", {
        cacheHint: { ttlMs: 5, scope: "public" },
        async handler(_params, ctx) {
          await ctx.ask("r", { roots: true });
          return "asked";
        },
      }),
      resource("doc://{id}/x", { handler: ({ id }) => id }),
    ],
  });
}

Deno.test("every cacheable result is private and stale by default", async () => {
  const app = testApp();
  for (const [method, params] of CACHEABLE) {
    const { result } = await call(app, method, params);
    assert.equal(result.ttlMs, 0, method);
    assert.equal(result.cacheScope, "private", method);
  }
});

Deno.test("the app's hints are sent with what they are for", async () => {
  for (const [method, params] of CACHEABLE) {
    const app = testApp({ [method]: { ttlMs: 1000, scope: "public" } });
    for (const [other, otherParams] of CACHEABLE) {
      const { result } = await call(app, other, otherParams);
      const wanted = other === method ? [1000, "public"] : [0, "private"];
      assert.deepEqual([result.ttlMs, result.cacheScope], wanted, other);
    }
    const { result } = await call(app, method, params);
    assert.equal(result.ttlMs, 1000);
  }
});

Deno.test("a resource's own hint goes before the app's, and its result's before both", async () => {
  const app = testApp({ "resources/read": { ttlMs: 1000 } });
  for (
    const [uri, ttlMs, cacheScope] of [
      ["doc://plain", 1000, "private"],
      ["doc://hinted", 5, "public"],
      ["doc://own", 9, "public"],
      ["doc://7/x", 1000, "private"],
    ] as const
  ) {
    const { result, text } = await call(app, "resources/read", { uri });
    assert.deepEqual([result.ttlMs, result.cacheScope], [ttlMs, cacheScope]);
    // A key that stands twice means different things to different readers.
    assert.equal(text.match(/"ttlMs"/g)?.length, 1, text);
  }
});

Deno.test("a question carries no caching hint, and other results none either", async () => {
  const app = testApp({ "resources/read": { ttlMs: 1000 } });
  const asked = await call(app, "resources/read", { uri: "doc://asks" }, {
    capabilities: { roots: {} },
  });
  assert.equal(asked.result.resultType, "input_required");
  const called = await call(app, "tools/call", { name: "t" });
  const got = await call(app, "prompts/get", { name: "p" });
  for (const { result } of [asked, called, got]) {
    assert.ok(!("ttlMs" in result), JSON.stringify(result));
    assert.ok(!("cacheScope" in result), JSON.stringify(result));
  }
});

Deno.test("a hint that is none stops the start, naming what it is for", () => {
  const bad = [
    { ttlMs: -1 },
    { ttlMs: 1.5 },
    { ttlMs: NaN },
    { ttlMs: Infinity },
    { ttlMs: "5" },
    { scope: "shared" },
  ] as CacheHint[];
  for (const hint of bad) {
    assert.throws(() => testApp({ "tools/list": hint }), /tools\/list/);
    assert.throws(
      () =>
        createApp({
          name: "bad",
          version: "1.0.0",
          state: memoryState(),
          resources: [
            resource("doc://x", { cacheHint: hint, handler: () => "x" }),
          ],
        }),
      /doc:\/\/x/,
    );
  }
});

Deno.test("a result whose own hint is none fails on the server's side", async () => {
  for (
    const [member, value] of [["ttlMs", -1], ["ttlMs", 0.5], [
      "cacheScope",
      "all",
    ]]
  ) {
    const app = createApp({
      name: "bad",
      version: "1.0.0",
      state: memoryState(),
      resources: [
        resource("doc://x", {
          handler: () => ({
            contents: [{ uri: "doc://x", text: "x" }],
            [String(member)]: value,
          }),
        }),
      ],
    });
    const { error, text } = await call(app, "resources/read", {
      uri: "doc://x",
    });
    assert.equal(error.code, -32603, text);
  }
});
