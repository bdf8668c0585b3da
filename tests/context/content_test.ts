import assert from "node:assert/strict";
import { tool, z } from "../../mod.ts";
import { createTestClient } from "../../testing.ts";
import { ERAS, openApp } from "./_support.ts";

const Output = z.object({ name: z.string() });
const PNG = "iVBORw0KGgo=";

const draw = tool("draw", {
  output: Output,
  enrichment: { totalCount: z.number() },
  format: ({ name }) => [
    { type: "text", text: `# ${name}` },
    { type: "text", text: "drawn" },
  ],
  handler(_input, ctx) {
    ctx.enrich.total(1);
    ctx.content.image(PNG, "image/png");
    ctx.content.audio(PNG, "audio/wav");
    ctx.content({
      type: "resource",
      resource: { uri: "draw://1", mimeType: "text/plain", text: "raw" },
    });
    return { name: "fox" };
  },
});

for (const era of ERAS) {
  Deno.test(`content is media first, then the formatted output, then the trailer, in the ${era} era`, async () => {
    await using app = openApp({ tools: [draw] });
    await using client = createTestClient(app, { era });
    const { content, structuredContent } = await client.callTool("draw");
    assert.deepEqual(content, [
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "audio", data: PNG, mimeType: "audio/wav" },
      {
        type: "resource",
        resource: { uri: "draw://1", mimeType: "text/plain", text: "raw" },
      },
      { type: "text", text: "# fox" },
      { type: "text", text: "drawn" },
      { type: "text", text: "1 total" },
    ]);
    // Media are for the model's eyes, and no part of the structured result.
    assert.deepEqual(structuredContent, { name: "fox", totalCount: 1 });
  });
}

Deno.test("media come first without an output schema too", async () => {
  const free = tool("free", {
    handler(_input, ctx) {
      ctx.content.image(PNG, "image/png");
      return "a fox";
    },
  });
  await using app = openApp({ tools: [free] });
  await using client = createTestClient(app);
  const { content } = await client.callTool("free");
  assert.deepEqual(content.map(({ type }) => type), ["image", "text"]);
});

Deno.test("a format may be one text", async () => {
  const text = tool("text", {
    output: Output,
    format: ({ name }) => `It is ${name}.`,
    handler: () => ({ name: "fox" }),
  });
  await using app = openApp({ tools: [text] });
  await using client = createTestClient(app);
  const { content } = await client.callTool("text");
  assert.deepEqual(content, [{ type: "text", text: "It is fox." }]);
});

Deno.test("a format that fails, or gives no content, fails the call", async () => {
  const broken = {
    throws: () => {
      throw new Error("boom");
    },
    nothing: () => JSON.parse("null"),
  };
  await using app = openApp({
    logLevel: "emergency",
    tools: Object.entries(broken).map(([name, format]) =>
      tool(name, { output: Output, format, handler: () => ({ name: "fox" }) })
    ),
  });
  await using client = createTestClient(app);
  for (const name of Object.keys(broken)) {
    assert.equal((await client.callTool(name)).isError, true, name);
  }
});

Deno.test("what is collected is held to the shape of content, too", async () => {
  const bytes = tool("bytes", {
    handler(_input, ctx) {
      ctx.content.image(new Uint8Array(3) as never, "image/png");
      return "a fox";
    },
  });
  const odd = tool("odd", {
    output: Output,
    handler(_input, ctx) {
      ctx.content({ type: "video", data: PNG } as never);
      return { name: "fox" };
    },
  });
  await using app = openApp({ logLevel: "emergency", tools: [bytes, odd] });
  await using client = createTestClient(app);
  for (const name of ["bytes", "odd"]) {
    const { content, isError } = await client.callTool(name);
    assert.equal(isError, true, name);
    assert.partialDeepStrictEqual(content, [{ type: "text" }]);
    assert.match(JSON.stringify(content), /ctx\.content/);
  }
});

Deno.test("what is collected in one call is not in the next", async () => {
  await using app = openApp({ tools: [draw] });
  await using client = createTestClient(app);
  const first = await client.callTool("draw");
  const second = await client.callTool("draw");
  assert.equal(second.content.length, first.content.length);
});
