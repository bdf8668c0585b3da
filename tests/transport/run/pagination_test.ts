import assert from "node:assert/strict";
import {
  createApp,
  inputRequired,
  memoryState,
  prompt,
  resource,
  type ResourceOptions,
  tool,
} from "../../../mod.ts";
import { call, type Json } from "../modern/_client.ts";

const LISTS = [
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
] as const;

const NAMES = ["e", "a", "d", "b", "c"];

function testApp(pageSize?: number) {
  return createApp({
    name: "pages",
    version: "1.0.0",
    state: memoryState(),
    pageSize,
    cacheHints: { "tools/list": { ttlMs: 60_000, scope: "public" } },
    tools: NAMES.map((name) => tool(name, { handler: () => name })),
    prompts: NAMES.map((name) => prompt(name, { handler: () => name })),
    resources: [
      ...NAMES.map((name) =>
        resource(`doc://${name}`, { name, handler: () => name })
      ),
      ...NAMES.map((name) =>
        resource(`${name}://{id}`, { name, handler: ({ id }) => id })
      ),
    ],
  });
}

/** Walks all pages of a list. */
async function walk(
  app: ReturnType<typeof testApp>,
  method: string,
  member: string,
): Promise<{ pages: string[][]; results: Json[]; cursors: string[] }> {
  const pages: string[][] = [];
  const results: Json[] = [];
  const cursors: string[] = [];
  let params: Json = {};
  for (;;) {
    const { result, text } = await call(app, method, params);
    assert.equal(result.resultType, "complete", text);
    results.push(result);
    pages.push((result[member] as Json[]).map(({ name }) => String(name)));
    if (result.nextCursor === undefined) return { pages, results, cursors };
    assert.equal(typeof result.nextCursor, "string");
    cursors.push(result.nextCursor as string);
    params = { cursor: result.nextCursor };
  }
}

Deno.test("every list comes in pages of the size that is set, in the order of its definitions", async () => {
  for (const [method, member] of LISTS) {
    for (
      const [size, lengths] of [[2, [2, 2, 1]], [5, [5]], [9, [5]]] as const
    ) {
      const { pages } = await walk(testApp(size), method, member);
      assert.deepEqual(pages.map(({ length }) => length), lengths, method);
      assert.deepEqual(pages.flat(), NAMES, method);
    }
    const { pages } = await walk(testApp(), method, member);
    assert.deepEqual(pages, [NAMES]);
  }
});

Deno.test("cursors are the same each time, and say nothing of what they stand for", async () => {
  for (const [method, member] of LISTS) {
    const first = await walk(testApp(2), method, member);
    const second = await walk(testApp(2), method, member);
    assert.deepEqual(first.cursors, second.cursors);
    for (const cursor of first.cursors) assert.doesNotMatch(cursor, /^\d+$/);
  }
});

Deno.test("all pages of a list have one caching scope", async () => {
  const { results } = await walk(testApp(2), "tools/list", "tools");
  assert.equal(results.length, 3);
  for (const { cacheScope, ttlMs } of results) {
    assert.equal(cacheScope, "public");
    assert.equal(ttlMs, 60_000);
  }
});

Deno.test("a cursor that the list did not give out is refused", async () => {
  const app = testApp(2);
  const { cursors } = await walk(app, "prompts/list", "prompts");
  for (const [method] of LISTS) {
    const foreign = method === "prompts/list" ? [] : cursors;
    for (
      const cursor of [
        "nope",
        "",
        "0",
        "2",
        "=",
        "世界",
        "x".repeat(10_000),
        ...foreign,
      ]
    ) {
      const { error, text } = await call(app, method, { cursor });
      assert.equal(
        error.code,
        -32602,
        `${method} ${cursor.slice(0, 20)} ${text}`,
      );
    }
    for (const cursor of [null, 0, 1, true, {}, ["a"]]) {
      const { error } = await call(app, method, { cursor });
      assert.equal(error.code, -32602, `${method} ${JSON.stringify(cursor)}`);
    }
  }
});

Deno.test("a page size that is no size stops the start", () => {
  for (const size of [0, -1, 1.5, NaN, Infinity, "2" as never]) {
    assert.throws(() => testApp(size), /pageSize/, String(size));
  }
});

/** An app with a fixed resource and a template that lists. */
function listingApp(
  list: NonNullable<ResourceOptions<undefined, []>["list"]>,
  pageSize?: number,
) {
  return createApp({
    name: "listing",
    version: "1.0.0",
    state: memoryState(),
    pageSize,
    resources: [
      resource("note://{id}", {
        name: "note",
        mimeType: "text/plain",
        list,
        handler: ({ id }) => id,
      }),
      resource("doc://fixed", { name: "fixed", handler: () => "fixed" }),
    ],
  });
}

Deno.test("a template lists its resources anew each time, behind the fixed ones, in pages", async () => {
  let count = 3;
  const app = listingApp((ctx) => {
    assert.equal(ctx.tenantId, "default");
    return Array.from({ length: count }, (_, index) => ({
      uri: `note://${index}`,
      name: `note ${index}`,
    }));
  }, 2);
  const { pages, results } = await walk(app, "resources/list", "resources");
  assert.deepEqual(pages, [["fixed", "note 0"], ["note 1", "note 2"]]);
  assert.deepEqual((results[0]?.resources as Json[])[1], {
    mimeType: "text/plain",
    uri: "note://0",
    name: "note 0",
  });
  count = 1;
  const again = await walk(app, "resources/list", "resources");
  assert.deepEqual(again.pages, [["fixed", "note 0"]]);
  assert.deepEqual(
    (await walk(app, "resources/templates/list", "resourceTemplates")).pages,
    [["note"]],
  );
});

Deno.test("a list callback that fails, asks or returns nonsense fails the list loudly", async () => {
  const callbacks: readonly NonNullable<
    ResourceOptions<undefined, []>["list"]
  >[] = [
    () => {
      throw new Error("no");
    },
    (ctx) =>
      ctx.requestInput({ inputRequests: { r: inputRequired.listRoots() } }),
    async (ctx) => {
      await ctx.ask("r", { roots: true });
      return [];
    },
    () => undefined as never,
    () => ({}) as never,
    () => ["note://1"] as never,
    () => [{ name: "no uri" }] as never,
    () => [{ uri: 7, name: "n" }] as never,
  ];
  for (const list of callbacks) {
    const { error, text } = await call(
      listingApp(list),
      "resources/list",
      {},
      { capabilities: { roots: {} } },
    );
    assert.equal(error.code, -32603, text);
  }
});

Deno.test("a listed resource without a name goes by its URI", async () => {
  const app = listingApp(() => [{ uri: "note://1" }] as never);
  const { result } = await call(app, "resources/list");
  assert.deepEqual((result.resources as Json[])[1], {
    mimeType: "text/plain",
    uri: "note://1",
    name: "note://1",
  });
});
