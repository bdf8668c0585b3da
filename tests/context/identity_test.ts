import assert from "node:assert/strict";
import {
  createRequestContext,
  logger,
  prompt,
  type RequestContext,
  resource,
  setLogLevel,
  tool,
  withExtra,
  z,
} from "../../mod.ts";
import { createMockContext, createTestClient } from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "./_support.ts";

/** What every context has, as JSON. */
function identityOf(ctx: RequestContext): Record<string, unknown> {
  const { requestId, timestamp, tenantId, sessionId, operation, auth } = ctx;
  return { requestId, timestamp, tenantId, sessionId, operation, auth };
}

for (const era of ERAS) {
  Deno.test(`a handler of any family knows whose request it is, in the ${era} era`, async () => {
    const seen: Record<string, unknown>[] = [];
    await using app = openApp({
      tools: [
        tool("t", {
          handler(_input, ctx) {
            seen.push(identityOf(ctx));
            return "";
          },
        }),
      ],
      prompts: [
        prompt("p", {
          handler(_args, ctx) {
            seen.push(identityOf(ctx));
            return "";
          },
        }),
      ],
      resources: [
        resource("r://{id}", {
          handler(_params, ctx) {
            seen.push({ ...identityOf(ctx), uri: ctx.uri?.href });
            return "";
          },
        }),
      ],
    });
    await using client = createTestClient(app, { era });
    const before = new Date().toISOString();
    await client.callTool("t");
    await client.getPrompt("p");
    await client.readResource("r://1");
    const after = new Date().toISOString();
    assert.deepEqual(
      seen.map(({ operation, tenantId, auth, uri }) => [
        operation,
        tenantId,
        auth,
        uri,
      ]),
      [
        ["tools/call t", "default", undefined, undefined],
        ["prompts/get p", "default", undefined, undefined],
        ["resources/read r://1", "default", undefined, "r://1"],
      ],
    );
    for (const { timestamp, sessionId } of seen) {
      assert.ok(before <= String(timestamp) && String(timestamp) <= after);
      assert.equal(typeof sessionId, era === "legacy" ? "string" : "undefined");
    }
    assert.equal(new Set(seen.map(({ requestId }) => requestId)).size, 3);
  });
}

Deno.test("a copy of a context keeps what identifies it, and none of its parts", async () => {
  const copies: RequestContext[] = [];
  const schema = z.object({ word: z.string() });
  const copy = tool("copy", {
    async handler(_input, ctx) {
      await ctx.ask("word", { message: "The word?", schema });
      const one: RequestContext = { ...ctx, extra: { step: 1 } };
      copies.push(one);
      assert.deepEqual(identityOf(one), identityOf(ctx));
      return "";
    },
  });
  await using app = openApp({ tools: [copy] });
  await using client = createTestClient(app, {
    answers: { word: { word: "hunter2" } },
  });
  await client.callTool("copy");
  const [one] = copies;
  assert.deepEqual(one?.extra, { step: 1 });
  assert.deepEqual(Object.keys(one ?? {}).sort(), [
    "auth",
    "extra",
    "operation",
    "requestId",
    "sessionId",
    "spanId",
    "tenantId",
    "timestamp",
    "traceId",
  ]);
  assert.ok(!JSON.stringify(one).includes("hunter2"));
});

Deno.test("withExtra() merges into what a context carries, and leaves it alone", () => {
  const parent = withExtra(createMockContext({ tenantId: "acme" }), { a: 1 });
  const child = withExtra(parent, { b: 2, a: 3 });
  assert.deepEqual(parent.extra, { a: 1 });
  assert.deepEqual(child.extra, { a: 3, b: 2 });
  assert.equal(child.tenantId, "acme");
  assert.equal(child.requestId, parent.requestId);
});

Deno.test("createRequestContext() derives a context for a part of the work", () => {
  const auth = { clientId: "app", scopes: ["a"] };
  const ctx = createMockContext({ tenantId: "acme", auth, sessionId: "s" });
  const child = createRequestContext({
    parentContext: ctx,
    operation: "processItem",
    additionalContext: { itemId: 7 },
  });
  const { requestId, timestamp } = ctx;
  assert.deepEqual(child, {
    requestId,
    timestamp,
    tenantId: "acme",
    sessionId: "s",
    auth,
    operation: "processItem",
    extra: { itemId: 7 },
  });
  const other = createRequestContext({ parentContext: child, tenantId: "b" });
  assert.equal(other.tenantId, "b");
  assert.deepEqual(other.extra, { itemId: 7 });
});

Deno.test("createRequestContext() makes a fresh one for background work", () => {
  const one = createRequestContext();
  const two = createRequestContext({ tenantId: "acme" });
  assert.notEqual(one.requestId, two.requestId);
  assert.equal(new Date(one.timestamp).toISOString(), one.timestamp);
  assert.deepEqual(Object.keys(one).sort(), ["requestId", "timestamp"]);
  assert.equal(two.tenantId, "acme");
});

Deno.test("the logger of services flattens extra, and the context's own fields win", () => {
  using log = captureProcessLog();
  const ctx = createMockContext({ tenantId: "acme", requestId: "r-1" });
  logger.warning(
    "Retrying",
    withExtra(ctx, { attempt: 2, requestId: "forged", token: "t-1" }),
  );
  const [{ time: _, ...line } = {}] = log.lines;
  assert.deepEqual(line, {
    level: "warning",
    logger: "app",
    message: "Retrying",
    attempt: 2,
    requestId: "r-1",
    token: "[REDACTED]",
    tenantId: "acme",
    operation: "tools/call test",
  });
});

Deno.test("the logger of services logs errors, and heeds setLogLevel()", () => {
  using log = captureProcessLog();
  logger.error("It failed", new Error("boom"));
  logger.debug("one");
  try {
    setLogLevel("notice");
    logger.info("dropped");
    logger.notice("two");
    setLogLevel("debug");
    logger.debug("three");
  } finally {
    setLogLevel(undefined);
  }
  assert.deepEqual(log.lines.map(({ level, message }) => [level, message]), [
    ["error", "It failed"],
    ["debug", "one"],
    ["notice", "two"],
    ["debug", "three"],
  ]);
  assert.match(JSON.stringify(log.lines[0]), /"message":"boom","stack"/);
});
