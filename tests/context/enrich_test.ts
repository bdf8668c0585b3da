import assert from "node:assert/strict";
import { createApp, tool, type ToolDefinition, z } from "../../mod.ts";
import { createTestClient } from "../../testing.ts";
import { ERAS, openApp } from "./_support.ts";

type Result = Awaited<
  ReturnType<ReturnType<typeof createTestClient>["callTool"]>
>;

async function callTool(
  definition: ToolDefinition,
  era: "modern" | "legacy" = "modern",
): Promise<Result> {
  await using app = openApp({ tools: [definition], logLevel: "emergency" });
  await using client = createTestClient(app, { era });
  return await client.callTool(definition.name);
}

function textsOf(result: Result): string[] {
  return result.content.map((block) =>
    block.type === "text" ? block.text : `(${block.type})`
  );
}

const Output = z.object({ items: z.array(z.string()) });
const SEARCH = {
  output: Output,
  enrichment: {
    notice: z.string().optional(),
    totalCount: z.number().optional(),
    effectiveQuery: z.string().optional(),
    price: z.object({ before: z.number(), after: z.number() }).optional(),
    region: z.string().optional(),
  },
};

for (const era of ERAS) {
  Deno.test(`an enrichment joins the structured result and a trailer, in the ${era} era`, async () => {
    const search = tool("search", {
      ...SEARCH,
      handler(_input, ctx) {
        ctx.enrich.notice("Try a narrower query.");
        ctx.enrich.total(2);
        ctx.enrich.echo("name:ada");
        ctx.enrich.delta({ field: "price", before: 1, after: 2 });
        ctx.enrich({ region: "eu" });
        return { items: ["a", "b"] };
      },
    });
    const result = await callTool(search, era);
    assert.deepEqual(result.structuredContent, {
      items: ["a", "b"],
      notice: "Try a narrower query.",
      totalCount: 2,
      effectiveQuery: "name:ada",
      price: { before: 1, after: 2 },
      region: "eu",
    });
    assert.deepEqual(textsOf(result), [
      '{"items":["a","b"]}',
      [
        "2 total",
        "Query: name:ada",
        "price: 1 → 2",
        "**region:** eu",
        "> Try a narrower query.",
      ].join("\n"),
    ]);
  });
}

Deno.test("truncated says what was cut, and how to see the rest", async () => {
  const cut = tool("cut", {
    output: Output,
    enrichment: {
      truncated: z.boolean(),
      shown: z.number(),
      cap: z.number(),
      truncationCeiling: z.number().optional(),
      notice: z.string(),
    },
    handler(_input, ctx) {
      ctx.enrich.truncated({
        shown: 1,
        cap: 1,
        ceiling: 900,
        guidance: "Ask for page 2.",
      });
      return { items: ["a"] };
    },
  });
  const { structuredContent } = await callTool(cut);
  assert.deepEqual(structuredContent, {
    items: ["a"],
    truncated: true,
    shown: 1,
    cap: 1,
    truncationCeiling: 900,
    notice: "Ask for page 2.",
  });
});

Deno.test("each field of the trailer takes one line, whatever it holds", async () => {
  const lines = tool("lines", {
    output: Output,
    enrichment: { notice: z.string(), note: z.string() },
    handler(_input, ctx) {
      ctx.enrich.notice("one\n\ntwo");
      ctx.enrich({ note: "a\r\n  b\u2028c" });
      return { items: [] };
    },
  });
  assert.equal(
    textsOf(await callTool(lines))[1],
    "**note:** a b c\n> one two",
  );
});

Deno.test("a later value of a field replaces the earlier one", async () => {
  const twice = tool("twice", {
    ...SEARCH,
    handler(_input, ctx) {
      ctx.enrich.total(1);
      ctx.enrich({ totalCount: 2 });
      return { items: [] };
    },
  });
  const result = await callTool(twice);
  assert.deepEqual(result.structuredContent, { items: [], totalCount: 2 });
  assert.equal(textsOf(result)[1], "**totalCount:** 2");
});

Deno.test("without an enrichment block, enriching does nothing", async () => {
  const plain = tool("plain", {
    output: Output,
    handler(_input, ctx) {
      ctx.enrich.notice("Nobody sees this.");
      ctx.enrich({ anything: 1 });
      return { items: [] };
    },
  });
  const result = await callTool(plain);
  assert.deepEqual(result.structuredContent, { items: [] });
  assert.deepEqual(textsOf(result), ['{"items":[]}']);
});

Deno.test("a field that the block does not declare is left out", async () => {
  const some = tool("some", {
    output: Output,
    enrichment: { totalCount: z.number() },
    handler(_input, ctx) {
      ctx.enrich.total(3);
      ctx.enrich.notice("Not declared.");
      return { items: [] };
    },
  });
  const result = await callTool(some);
  assert.deepEqual(result.structuredContent, { items: [], totalCount: 3 });
  assert.equal(textsOf(result)[1], "3 total");
});

Deno.test("an enrichment that does not match its schema fails the call", async () => {
  const wrong = tool("wrong", {
    output: Output,
    enrichment: { totalCount: z.number().max(10) },
    handler(_input, ctx) {
      ctx.enrich.total(11);
      return { items: [] };
    },
  });
  const missing = tool("missing", {
    output: Output,
    enrichment: { totalCount: z.number() },
    handler: () => ({ items: [] }),
  });
  for (const definition of [wrong, missing]) {
    const result = await callTool(definition);
    assert.equal(result.isError, true);
    assert.match(
      textsOf(result)[0] ?? "",
      /^Error: The enrichment "totalCount" of tool "\w+" does not match/,
    );
  }
});

Deno.test("what a schema makes of a field is what is sent", async () => {
  const clean = tool("clean", {
    output: Output,
    enrichment: {
      effectiveQuery: z.string().overwrite((text) => text.trim()),
      page: z.number().default(1),
    },
    handler(_input, ctx) {
      ctx.enrich.echo("  ada ");
      return { items: [] };
    },
  });
  const result = await callTool(clean);
  assert.deepEqual(result.structuredContent, {
    items: [],
    effectiveQuery: "ada",
    page: 1,
  });
  assert.equal(textsOf(result)[1], "Query: ada\n**page:** 1");
});

Deno.test("the advertised output schema holds the enrichment", async () => {
  const search = tool("search", {
    output: Output,
    enrichment: { totalCount: z.number(), notice: z.string().optional() },
    handler: () => ({ items: [] }),
  });
  await using app = openApp({ tools: [search] });
  for (const era of ERAS) {
    await using client = createTestClient(app, { era });
    const [listed] = await client.listTools();
    const { properties, required } = listed?.outputSchema ?? {};
    assert.deepEqual(Object.keys(properties ?? {}), [
      "items",
      "totalCount",
      "notice",
    ]);
    assert.deepEqual(required, ["items", "totalCount"]);
  }
});

Deno.test("a tool without an output schema is enriched too", async () => {
  const free = tool("free", {
    enrichment: { totalCount: z.number() },
    handler(_input, ctx) {
      ctx.enrich.total(2);
      return "two things";
    },
  });
  const result = await callTool(free);
  assert.deepEqual(textsOf(result), ["two things", "2 total"]);
  assert.deepEqual(result.structuredContent, { totalCount: 2 });
});

Deno.test("a result that says it failed is not enriched", async () => {
  const fails = tool("fails", {
    enrichment: { totalCount: z.number() },
    handler(_input, ctx) {
      ctx.enrich.total(2);
      return { content: [{ type: "text", text: "no" }], isError: true };
    },
  });
  const result = await callTool(fails);
  assert.deepEqual(textsOf(result), ["no"]);
  assert.equal(result.structuredContent, undefined);
});

Deno.test("createApp() refuses an enrichment that its output cannot hold", () => {
  const handler = () => ({ items: [] });
  const make = (definition: ToolDefinition) => () =>
    createApp({ name: "n", version: "1", tools: [definition] });
  assert.throws(
    make(
      tool("t", { output: Output, enrichment: { items: z.string() }, handler }),
    ),
    /Cannot enrich tool "t": the field "items" is part of its output already/,
  );
  assert.throws(
    make(tool("t", {
      output: z.array(z.string()),
      enrichment: { total: z.number() },
      handler: () => [],
    })),
    /Cannot enrich tool "t": its output must be an object schema/,
  );
});
