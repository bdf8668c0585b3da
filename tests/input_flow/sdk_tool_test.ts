import assert from "node:assert/strict";
import { type CallToolResult, tool, z } from "../../mod.ts";
import { call } from "../transport/modern/_client.ts";
import {
  failureOf,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const add = tool(
  "add",
  {
    title: "Add",
    description: "Adds two numbers",
    inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
    annotations: { readOnlyHint: true },
    _meta: { "example.com/kind": "sum" },
  },
  // deno-lint-ignore require-await
  async ({ a, b }, ctx): Promise<CallToolResult> => {
    ctx.log.debug("adding", { a, b });
    return {
      content: [{ type: "text", text: String(a + b) }],
      structuredContent: { sum: a + b },
    };
  },
);

Deno.test("a tool in the SDK's shape is listed with all that it says", async () => {
  const app = sealingApp({ tools: [add] });
  const { result } = await call(app, "tools/list");
  assert.partialDeepStrictEqual(result.tools, [{
    name: "add",
    title: "Add",
    description: "Adds two numbers",
    inputSchema: { type: "object", required: ["a"] },
    annotations: { readOnlyHint: true },
    _meta: { "example.com/kind": "sum" },
  }]);
});

Deno.test("a tool in the SDK's shape is given validated arguments, and its result is sent as it is", async () => {
  const app = sealingApp({ tools: [add] });
  const round = await sendRound(app, toolCall("add", { a: 2 }));
  assert.equal(textOf(round), "3");
  assert.deepEqual(round.answer.result.structuredContent, { sum: 3 });
  const wrong = await sendRound(app, toolCall("add", { a: "2" }));
  assert.equal(failureOf(wrong).code, -32602);
});

Deno.test("a tool in the SDK's shape is held to its outputSchema, failures excepted", async () => {
  const sum = tool(
    "sum",
    {
      inputSchema: z.object({ a: z.number() }),
      outputSchema: z.object({ sum: z.number().max(9) }),
    },
    ({ a }): CallToolResult => {
      const content = [{ type: "text" as const, text: String(a) }];
      if (a < 0) return { content, isError: true };
      return { content, ...(a > 0 && { structuredContent: { sum: a } }) };
    },
  );
  const app = sealingApp({ tools: [sum] });
  const { result } = await call(app, "tools/list");
  assert.partialDeepStrictEqual(result.tools, [{
    outputSchema: { type: "object", required: ["sum"] },
  }]);
  const run = async (a: number) =>
    (await sendRound(app, toolCall("sum", { a }))).answer.result;
  assert.partialDeepStrictEqual(await run(2), {
    content: [{ type: "text", text: "2" }],
    structuredContent: { sum: 2 },
  });
  assert.partialDeepStrictEqual(await run(-1), {
    content: [{ type: "text", text: "-1" }],
    isError: true,
  });
  assert.match(JSON.stringify(await run(0)), /has no structuredContent/);
  assert.match(JSON.stringify(await run(10)), /does not match its schema/);
});

Deno.test("a tool in the SDK's shape without arguments is given the context alone", async () => {
  const whose = tool("whose", {}, (ctx) => String(ctx.tenantId));
  const app = sealingApp({ tools: [whose] });
  const round = await sendRound(app, toolCall("whose", {}));
  assert.equal(textOf(round), "default");
});

// What the compiler has to refuse.
export function misspelt(): void {
  const schema = z.object({ a: z.number() });
  // @ts-expect-error: the argument is a number
  tool("a", { inputSchema: schema }, ({ a }) => a.toUpperCase());
  // @ts-expect-error: there is no such argument
  tool("b", { inputSchema: schema }, ({ b }) => String(b));
  // @ts-expect-error: a declared structure needs a whole result
  tool("c", { inputSchema: schema, outputSchema: schema }, () => "c");
  // @ts-expect-error: a number is no content
  tool("d", { inputSchema: schema }, ({ a }) => a);
  // @ts-expect-error: without arguments there is the context alone
  tool("f", { description: "f" }, (_input, ctx) => String(ctx));
  // @ts-expect-error: there is no such option
  tool("e", { inputSchema: schema, descripton: "e" }, () => "e");
}
