import assert from "node:assert/strict";
import {
  createApp,
  type ErrorContract,
  type HandlerContext,
  inputRequired,
  memoryState,
  prompt,
  resource,
  tool,
  type ToolDefinition,
  z,
} from "../../mod.ts";
import { createMockContext } from "../../testing.ts";
import { type Equal, expectType } from "./_equal.ts";

// What matters here is that this file compiles, and that a line below an
// expected error would not compile without it. The tests run the code once.

Deno.test("a tool's input, output, errors and enrichment are inferred from its schemas", () => {
  const search = tool("search", {
    input: z.object({ query: z.string(), limit: z.number().default(10) }),
    output: z.object({
      kind: z.literal("page"),
      items: z.array(z.string()),
      order: z.enum(["asc", "desc"]),
      range: z.tuple([z.number(), z.number()]),
      next: z.string().optional(),
    }),
    errors: [
      { reason: "no_match", code: 404, when: "Nothing", recovery: "Widen it." },
      { reason: "too_many", code: 422, when: "Too much" },
    ],
    enrichment: { totalCount: z.number(), notice: z.string().optional() },
    async handler(input, ctx) {
      expectType<Equal<typeof input, { query: string; limit: number }>>();
      type Reason = Parameters<typeof ctx.fail>[0];
      expectType<Equal<Reason, "no_match" | "too_many">>();
      ctx.enrich({ totalCount: 1 });
      ctx.enrich({ notice: undefined });
      const { recovery } = ctx.recoveryFor("no_match");
      expectType<Equal<typeof recovery.hint, string>>();
      await Promise.resolve();
      // Literals keep their types: nothing here needs a cast.
      return {
        kind: "page",
        items: [input.query],
        order: "asc",
        range: [0, 1],
      };
    },
  });
  expectType<Equal<typeof search.name, string>>();
  const parsed = search.input.parse({ query: "q" });
  expectType<Equal<typeof parsed, { query: string; limit: number }>>();
  const definitions: ToolDefinition[] = [search];
  assert.equal(definitions.length, 1);
});

Deno.test("a misspelt reason does not compile", () => {
  const find = tool("find", {
    errors: [{ reason: "no_match", code: 404, when: "Nothing" }],
    handler(_input, ctx) {
      // @ts-expect-error "no_mach" is not declared
      assert.equal(ctx.fail("no_mach").code, -32603);
      // @ts-expect-error nor is it here
      assert.deepEqual(ctx.recoveryFor("no_mach"), {});
      throw ctx.fail("no_match");
    },
  });
  const ctx = createMockContext({ errors: find.errors });
  assert.throws(() => find.handler({}, ctx), { code: 404 });
});

Deno.test("a misspelt or mistyped enrichment does not compile", async () => {
  const list = tool("list", {
    enrichment: { totalCount: z.number() },
    handler(_input, ctx) {
      // @ts-expect-error "totalCont" is not declared
      ctx.enrich({ totalCont: 1 });
      // @ts-expect-error totalCount is a number
      ctx.enrich({ totalCount: "1" });
      // @ts-expect-error there is no such helper
      assert.equal(ctx.enrich.totals, undefined);
      return "";
    },
  });
  const ctx = createMockContext({ enrichment: list.enrichment });
  assert.equal(await list.handler({}, ctx), "");
});

Deno.test("a misspelt field of the output, the input or the context does not compile", async () => {
  const greet = tool("greet", {
    input: z.object({ name: z.string() }),
    output: z.object({ greeting: z.string() }),
    // @ts-expect-error "greetin" is not "greeting"
    handler(input, ctx) {
      // @ts-expect-error "nam" is not "name"
      assert.equal(input.nam, undefined);
      // @ts-expect-error "tenatId" is not "tenantId"
      assert.equal(ctx.tenatId, undefined);
      return { greetin: input.name };
    },
  });
  const mock = createMockContext();
  assert.deepEqual(await greet.handler({ name: "Ada" }, mock), {
    greetin: "Ada",
  });
});

Deno.test("without errors there is no ctx.fail, and any reason may be looked up", async () => {
  const plain = tool("plain", {
    handler(input, ctx) {
      expectType<Equal<typeof input, Record<string, never>>>();
      // @ts-expect-error nothing is declared
      assert.equal(typeof ctx.fail, "function");
      ctx.recoveryFor("anything");
      ctx.enrich({ anything: 1 });
      return "";
    },
  });
  assert.equal(await plain.handler({}, createMockContext()), "");
});

Deno.test("a handler may return the answer of requestInput or inputRequired, whatever its output", async () => {
  const ask = tool("ask", {
    output: z.object({ n: z.number() }),
    handler(_input, ctx) {
      if (ctx.inputs.state() === "one") {
        return ctx.requestInput({ requestState: "two" });
      }
      if (ctx.inputs.state() === "two") return { n: 2 };
      return inputRequired({ requestState: "one" });
    },
  });
  const two = createMockContext({ requestState: "two" });
  assert.deepEqual(await ask.handler({}, two), { n: 2 });
});

Deno.test("content needs no casts without an output schema", async () => {
  const text = tool("text", { handler: () => "text" });
  const nothing = tool("nothing", { handler() {} });
  const blocks = tool("blocks", {
    handler: async () => {
      await Promise.resolve();
      return [{ type: "image", data: "AA==", mimeType: "image/png" }];
    },
  });
  const result = tool("result", {
    handler: () => ({
      content: [{ type: "text", text: "no" }],
      isError: true,
    }),
  });
  // @ts-expect-error a number is no content
  const number = tool("number", { handler: () => 7 });
  const ctx = createMockContext();
  assert.equal(await text.handler({}, ctx), "text");
  assert.equal(await nothing.handler({}, ctx), undefined);
  assert.ok(Array.isArray(await blocks.handler({}, ctx)));
  assert.ok(await result.handler({}, ctx));
  assert.equal(await number.handler({}, ctx), 7);
});

Deno.test("a tool written inline is inferred as one that stands alone", async () => {
  const app = createApp({
    name: "t",
    version: "1",
    state: memoryState(),
    tools: [
      tool("inline", {
        input: z.object({ n: z.number() }),
        errors: [{ reason: "a", code: 404, when: "A" }],
        enrichment: { total: z.number() },
        handler({ n }, ctx) {
          expectType<Equal<typeof n, number>>();
          // @ts-expect-error "b" is not declared
          ctx.fail("b");
          // @ts-expect-error "totl" is not declared
          ctx.enrich({ totl: n });
          return "";
        },
      }),
      tool("no_input", {
        handler(input) {
          expectType<Equal<typeof input, Record<string, never>>>();
          return "";
        },
      }),
    ],
  });
  await app.close();
});

Deno.test("format is given the output", async () => {
  const greet = tool("greet", {
    output: z.object({ greeting: z.string() }),
    format(output) {
      expectType<Equal<typeof output, { greeting: string }>>();
      // @ts-expect-error "greetin" is not "greeting"
      return output.greetin ?? output.greeting;
    },
    handler: () => ({ greeting: "Hello" }),
  });
  assert.equal(greet.format?.({ greeting: "Hello" }), "Hello");
  const ctx: HandlerContext = createMockContext();
  assert.deepEqual(await greet.handler({}, ctx), { greeting: "Hello" });
});

Deno.test("an error contract must name reason, code and when", () => {
  // @ts-expect-error "when" is missing
  const contract: ErrorContract = { reason: "a", code: 404 };
  assert.equal(contract.reason, "a");
});

Deno.test("prompts and resources infer their arguments and reasons", async () => {
  const errors = [{ reason: "gone", code: 404, when: "It is gone" }] as const;
  const review = prompt("review", {
    args: z.object({ language: z.string() }),
    errors,
    handler({ language }, ctx) {
      expectType<Equal<typeof language, string>>();
      // @ts-expect-error "gon" is not declared
      ctx.fail("gon");
      return [{ role: "user", content: { type: "text", text: language } }];
    },
  });
  const note = resource("note://{id}", {
    errors,
    handler({ id }, ctx) {
      expectType<Equal<typeof id, string>>();
      expectType<Equal<typeof ctx.uri, URL | undefined>>();
      // @ts-expect-error "gon" is not declared
      ctx.fail("gon");
      return id;
    },
  });
  const typed = resource("item://{id}", {
    params: z.object({ id: z.coerce.number() }),
    handler({ id }) {
      expectType<Equal<typeof id, number>>();
      return String(id);
    },
  });
  const ctx = createMockContext({ errors });
  assert.ok(await review.handler({ language: "C" }, ctx));
  assert.equal(await note.handler({ id: "7" }, ctx), "7");
  assert.equal(await typed.handler({ id: 7 }, ctx), "7");
});
