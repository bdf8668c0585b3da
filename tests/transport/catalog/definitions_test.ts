import assert from "node:assert/strict";
import { z as z3 } from "zod/v3";
import {
  type AppOptions,
  createApp,
  memoryState,
  prompt,
  type PromptDefinition,
  resource,
  type ResourceDefinition,
  tool,
  type ToolDefinition,
  z,
} from "../../../mod.ts";

function start(definitions: Partial<AppOptions>): void {
  createApp({
    name: "definitions",
    version: "1.0.0",
    state: memoryState(),
    ...definitions,
  });
}

/** Asserts that an app does not start, and says why in these words. */
function assertRefused(
  definitions: Partial<AppOptions>,
  ...words: RegExp[]
): void {
  assert.throws(() => start(definitions), (error) => {
    assert.ok(error instanceof TypeError, String(error));
    for (const word of words) assert.match(error.message, word);
    return true;
  });
}

function aTool(name: string, rest: Partial<ToolDefinition> = {}) {
  return { ...tool(name, { handler: () => "t" }), ...rest };
}

function aPrompt(name: string, rest: Partial<PromptDefinition> = {}) {
  return { ...prompt(name, { handler: () => "p" }), ...rest };
}

function aResource(uri: string, rest: Partial<ResourceDefinition> = {}) {
  return { ...resource(uri, { handler: () => "r" }), ...rest };
}

Deno.test("two definitions of one name are refused, and families do not mix", () => {
  assertRefused({ tools: [aTool("a"), aTool("a")] }, /tool "a"/);
  assertRefused({ prompts: [aPrompt("a"), aPrompt("a")] }, /prompt "a"/);
  assertRefused(
    { resources: [aResource("a://x"), aResource("a://x")] },
    /resource "a:\/\/x"/,
  );
  assertRefused(
    { resources: [aResource("a://{x}"), aResource("a://{x}")] },
    /template "a:\/\/\{x\}"/,
  );
  start({ tools: [aTool("a"), aTool("A")], prompts: [aPrompt("a")] });
});

Deno.test("names that cannot be sent are refused", () => {
  for (const name of ["", "x".repeat(129), "a\nb", "a\u0000", "\ud800"]) {
    assertRefused({ tools: [aTool(name)] }, /tool/);
    assertRefused({ prompts: [aPrompt(name)] }, /prompt/);
  }
  for (const name of [undefined, 5, null]) {
    assertRefused({ tools: [aTool(name as never)] }, /name/);
  }
  start({ tools: [aTool("x".repeat(128)), aTool("世界"), aTool("a b")] });
});

Deno.test("URIs and templates that are none are refused", () => {
  for (
    const uri of ["", "relative", "/path", "a://{", "a://{x}/{x}", "a://}"]
  ) {
    assertRefused({ resources: [aResource(uri)] }, /resource|template/);
  }
});

Deno.test("what a definition has no use for is refused", () => {
  assertRefused(
    { resources: [aResource("a://x", { list: () => [] })] },
    /a:\/\/x/,
    /list/,
  );
  assertRefused(
    { resources: [aResource("a://{x}", { complete: { y: () => [] } })] },
    /"y"/,
  );
  assertRefused(
    { resources: [aResource("a://x", { complete: { x: () => [] } })] },
    /"x"/,
  );
  assertRefused(
    { prompts: [aPrompt("p", { complete: { x: () => [] } })] },
    /"x"/,
    /prompt "p"/,
  );
});

Deno.test("a definition without a handler is refused", () => {
  assertRefused(
    { tools: [aTool("t", { handler: undefined as never })] },
    /handler/,
  );
});

Deno.test("error contracts are refused for reasons that are taken or codes that are none", () => {
  const contract = (reason: string, code = 404) => ({
    errors: [{ reason, code, when: "always" }] as never,
  });
  for (
    const reason of [
      "invalid_arguments",
      "invalid_request_state",
      "client_capability_missing",
      "input_declined",
      "input_cancelled",
      "insufficient_scope",
      "call_timeout",
    ]
  ) {
    const definition = contract(reason);
    assertRefused(
      { tools: [aTool("t", definition)] },
      new RegExp(reason),
      /tool "t"/,
    );
    assertRefused({ prompts: [aPrompt("p", definition)] }, new RegExp(reason));
    assertRefused(
      { resources: [aResource("a://x", definition)] },
      new RegExp(reason),
    );
  }
  assertRefused(
    { tools: [aTool("t", contract("mine", 1.5))] },
    /mine/,
    /integer/,
  );
  const twice = [
    { reason: "mine", code: 404, when: "a" },
    { reason: "mine", code: 409, when: "b" },
  ] as never;
  assertRefused({ tools: [aTool("t", { errors: twice })] }, /mine/, /twice/);
});

Deno.test("schemas that cannot be expressed are refused, and the definition named", () => {
  const schemas: readonly [string, unknown][] = [
    ["a function", z.object({ f: z.function() })],
    ["a bigint", z.object({ n: z.bigint() })],
    ["a date", z.object({ d: z.date() })],
    ["a transform", z.object({ t: z.string().transform(Number) })],
    ["a map", z.object({ m: z.map(z.string(), z.string()) })],
  ];
  for (const [what, schema] of schemas) {
    if (what !== "a transform") {
      assertRefused(
        { tools: [aTool("t", { input: schema as never })] },
        /tool "t"/,
      );
    }
    assertRefused(
      { tools: [aTool("t", { output: schema as never })] },
      /tool "t" output/,
    );
  }
  assertRefused(
    { tools: [aTool("t", { input: z.string() as never })] },
    /object/,
  );
  assertRefused({
    tools: [aTool("t", { input: z.array(z.string()) as never })],
  }, /object/);
  assertRefused(
    { prompts: [aPrompt("p", { args: z.string() as never })] },
    /prompt "p"/,
  );
  assertRefused(
    { tools: [aTool("t", { input: {} as never })] },
    /Standard Schema/,
  );
  assertRefused(
    { tools: [aTool("t", { input: { type: "object" } as never })] },
    /Standard Schema/,
  );
});

Deno.test("a schema of a library that gives no JSON Schema is refused with what to use", () => {
  const old = z3.object({ name: z3.string() });
  assertRefused(
    { tools: [aTool("t", { input: old as never })] },
    /tool "t"/,
    /zod 4/,
  );
});

Deno.test("a field that enriches an output must not be part of it", () => {
  assertRefused(
    {
      tools: [
        aTool("t", {
          output: z.object({ total: z.int() }),
          enrichment: { total: z.int() },
        }),
      ],
    },
    /tool "t"/,
    /total/,
  );
  assertRefused(
    {
      tools: [
        aTool("t", {
          output: z.array(z.int()),
          enrichment: { total: z.int() },
        }),
      ],
    },
    /tool "t"/,
    /object/,
  );
});
