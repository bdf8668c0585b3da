import assert from "node:assert/strict";
import {
  type Context,
  createApp,
  createRequestContext,
  type HandlerContext,
  logger,
  memoryState,
  type RequestContext,
  withExtra,
  z,
} from "../../mod.ts";
import { createMockContext } from "../../testing.ts";
import { type Equal, expectType } from "./_equal.ts";

function takesRequest(ctx: RequestContext): string {
  return ctx.requestId;
}

function takesContext(ctx: Context): string {
  return ctx.requestId;
}

Deno.test("a handler's context passes as Context and as RequestContext, with no cast", () => {
  const errors = [{ reason: "a", code: 404, when: "A" }] as const;
  const enrichment = { total: z.number() };
  const plain: HandlerContext = createMockContext();
  const full: HandlerContext<"a", { total: z.ZodNumber }> = createMockContext({
    errors,
    enrichment,
  });
  for (const take of [takesRequest, takesContext]) {
    assert.equal(take(plain), plain.requestId);
    assert.equal(take(full), full.requestId);
  }
  const ctx: Context = full;
  assert.equal(takesRequest(ctx), full.requestId);
  // Services of one's own, and what the module brings along.
  logger.debug("it passes", full);
  assert.deepEqual(withExtra(full, { a: 1 }).extra, { a: 1 });
  assert.equal(
    createRequestContext({ parentContext: full }).requestId,
    full.requestId,
  );
});

Deno.test("RequestContext is closed: exactly nine fields, and no others", () => {
  expectType<
    Equal<
      keyof RequestContext,
      | "auth"
      | "extra"
      | "operation"
      | "requestId"
      | "sessionId"
      | "spanId"
      | "tenantId"
      | "timestamp"
      | "traceId"
    >
  >();
  const { requestId, timestamp } = createRequestContext();
  // @ts-expect-error "tenatId" is a misspelling
  const typo: RequestContext = { requestId, timestamp, tenatId: "acme" };
  // @ts-expect-error an ad-hoc key belongs into extra
  const added: RequestContext = { ...createMockContext(), itemId: 7 };
  const kept: RequestContext = {
    ...createMockContext(),
    extra: { itemId: 7 },
  };
  // @ts-expect-error a field that is not there cannot be read
  assert.equal(kept.itemId, undefined);
  assert.deepEqual(kept.extra, { itemId: 7 });
  assert.ok(typo && added);
});

Deno.test("RequestContext's fields cannot be written", () => {
  const context: RequestContext = createRequestContext({ tenantId: "acme" });
  const write = () => {
    // @ts-expect-error it is readonly
    context.tenantId = "other";
  };
  assert.equal(typeof write, "function");
});

Deno.test("createRequestContext() takes four parameters, and no others", () => {
  expectType<
    Equal<
      keyof NonNullable<Parameters<typeof createRequestContext>[0]>,
      "additionalContext" | "operation" | "parentContext" | "tenantId"
    >
  >();
  // @ts-expect-error requestId is not for the caller to choose
  assert.ok(createRequestContext({ requestId: "r-1" }));
});

Deno.test("createApp() does not take an option it does not know", async () => {
  const options = { name: "t", version: "1", state: memoryState() };
  // @ts-expect-error "tool" is not "tools"
  const app = createApp({ ...options, tool: [] });
  await app.close();
  // @ts-expect-error nor is it in what is nested
  const other = createApp({ ...options, requestState: { seel: false } });
  await other.close();
});

Deno.test("createMockContext() types fail and enrich by what it is given", () => {
  const errors = [{ reason: "a", code: 404, when: "A" }] as const;
  const ctx = createMockContext({
    errors,
    enrichment: { total: z.number() },
  });
  expectType<Equal<Parameters<typeof ctx.fail>[0], "a">>();
  ctx.enrich({ total: 1 });
  // @ts-expect-error "totl" is not declared
  ctx.enrich({ totl: 1 });
  // @ts-expect-error there is no such option
  assert.ok(createMockContext({ tenant: "acme" }));
  const plain = createMockContext();
  // @ts-expect-error no contract, no fail
  assert.equal(typeof plain.fail, "function");
});
