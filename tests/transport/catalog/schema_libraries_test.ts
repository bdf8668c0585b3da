import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import assert from "node:assert/strict";
import * as v from "valibot";
import * as mini from "zod/mini";
import {
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
  type ToolDefinition,
  z,
} from "../../../mod.ts";
import {
  assertMembers,
  call,
  callTool,
  type Json,
  textOf,
} from "../modern/_client.ts";

const valibotInput = toStandardJsonSchema(
  v.object({ city: v.string(), days: v.optional(v.number(), 1) }),
);
const arkCity = type({ city: "string" });
const arkInput = type({ city: "string", "days?": "number" });

const LIBRARIES: readonly [string, ToolDefinition][] = [
  [
    "zod",
    tool("weather", {
      input: z.object({ city: z.string(), days: z.number().default(1) }),
      output: z.object({ text: z.string() }),
      handler: ({ city, days }) => ({ text: `${city} ${days}` }),
    }),
  ],
  [
    // As zod before 4.2, it converts and does not say so in `~standard`.
    "zod/mini",
    tool("weather", {
      input: mini.object({
        city: mini.string(),
        days: mini._default(mini.number(), 1),
      }),
      output: mini.object({ text: mini.string() }),
      handler: ({ city, days }) => ({ text: `${city} ${days}` }),
    }),
  ],
  [
    "valibot",
    tool("weather", {
      input: valibotInput,
      output: toStandardJsonSchema(v.object({ text: v.string() })),
      handler: ({ city, days }) => ({ text: `${city} ${days}` }),
    }),
  ],
  [
    "arktype",
    tool("weather", {
      input: arkInput,
      output: type({ text: "string" }),
      handler: ({ city, days = 1 }) => ({ text: `${city} ${days}` }),
    }),
  ],
];

for (const [library, definition] of LIBRARIES) {
  Deno.test(`schemas of ${library} type, describe and validate a tool`, async () => {
    const app = createApp({
      name: "libraries",
      version: "1.0.0",
      state: memoryState(),
      tools: [definition],
    });
    const { result } = await call(app, "tools/list");
    assertMembers((result.tools as Json[])[0], {
      inputSchema: {
        type: "object",
        properties: { city: { type: "string" } },
        required: ["city"],
      },
      outputSchema: { type: "object", required: ["text"] },
    });
    const good = await callTool(app, "weather", { city: "Rome" });
    assert.deepEqual(good.result.structuredContent, { text: "Rome 1" });
    const bad = await callTool(app, "weather", { city: 5 });
    assert.equal(bad.result.isError, true);
    assert.match(textOf(bad), /city/);
    assert.match(textOf(bad), /string/);
  });
}

Deno.test("schemas of other libraries do for prompts and resources, too", async () => {
  const app = createApp({
    name: "libraries",
    version: "1.0.0",
    state: memoryState(),
    prompts: [
      prompt("brief", {
        args: arkCity,
        handler: ({ city }) => `About ${city}`,
      }),
    ],
    resources: [
      resource("page://{number}", {
        params: v.object({ number: v.pipe(v.string(), v.digits()) }),
        handler: ({ number }) => `page ${number}`,
      }),
    ],
  });
  const brief = await call(app, "prompts/get", {
    name: "brief",
    arguments: { city: "Rome" },
  });
  assert.match(brief.text, /About Rome/);
  const page = await call(app, "resources/read", { uri: "page://7" });
  assert.match(page.text, /page 7/);
  const bad = await call(app, "resources/read", { uri: "page://x" });
  assert.equal(bad.error.code, -32602);
});
