import assert from "node:assert/strict";
import { tool, z } from "../../mod.ts";
import {
  accept,
  assertAsks,
  DECLINED,
  failureOf,
  messageOf,
  reply,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Name = z.object({ name: z.string().min(2) });
const Region = z.object({ region: z.enum(["eu", "us"]) });
const name = { message: "Database name?", schema: Name };
const region = { message: "Region?", schema: Region };

const create = tool("create", {
  async handler(_args, ctx) {
    const answer = await ctx.ask("name", name);
    return `Created ${answer.name}`;
  },
});

const provision = tool("provision", {
  async handler(_args, ctx) {
    const first = await ctx.ask("name", name);
    const second = await ctx.ask("region", region);
    return `Provisioned ${first.name} in ${second.region}`;
  },
});

Deno.test("ask() puts one question, and gives its answer in the next round", async () => {
  const app = sealingApp({ tools: [create] });
  const first = await sendRound(app, toolCall("create"));
  assertAsks(first, "name");
  assert.deepEqual(first.asked.name, {
    method: "elicitation/create",
    params: {
      mode: "form",
      message: "Database name?",
      requestedSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: { name: { type: "string", minLength: 2 } },
        required: ["name"],
      },
    },
  });
  const second = await reply(app, first, { name: accept({ name: "sales" }) });
  assert.equal(textOf(second), "Created sales");
});

Deno.test("ask() gives what the schema makes of an answer", async () => {
  const Count = z.object({ count: z.number().transform((n) => n * 2) });
  const app = sealingApp({
    tools: [tool("double", {
      async handler(_args, ctx) {
        const { count } = await ctx.ask("count", {
          message: "How many?",
          schema: Count,
        });
        return String(count);
      },
    })],
  });
  const first = await sendRound(app, toolCall("double"));
  const second = await reply(app, first, { count: accept({ count: 21 }) });
  assert.equal(textOf(second), "42");
});

Deno.test("ask() validates with a schema that takes its time", async () => {
  const taken = new Set(["sales"]);
  const Free = z.object({
    name: z.string().refine(async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return !taken.has(value);
    }),
  });
  const app = sealingApp({
    tools: [tool("create", {
      async handler(_args, ctx) {
        const answer = await ctx.ask("name", { message: "?", schema: Free });
        return answer.name;
      },
    })],
  });
  const first = await sendRound(app, toolCall("create"));
  const again = await reply(app, first, { name: accept({ name: "sales" }) });
  assertAsks(again, "name");
  const done = await reply(app, again, { name: accept({ name: "books" }) });
  assert.equal(textOf(done), "books");
});

Deno.test("ask() puts several questions at once, and gives their answers by key", async () => {
  const app = sealingApp({
    tools: [tool("provision", {
      async handler(_args, ctx) {
        const answers = await ctx.ask({ name, region });
        return `${answers.name.name} in ${answers.region.region}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("provision"));
  assertAsks(first, "name", "region");
  const done = await reply(app, first, {
    name: accept({ name: "sales" }),
    region: accept({ region: "eu" }),
  });
  assert.equal(textOf(done), "sales in eu");
});

Deno.test("ask() asks again only what has no valid answer yet", async () => {
  const app = sealingApp({
    tools: [tool("provision", {
      async handler(_args, ctx) {
        const answers = await ctx.ask({ name, region });
        return `${answers.name.name} in ${answers.region.region}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("provision"));
  const second = await reply(app, first, {
    name: accept({ name: "sales" }),
    region: accept({ region: "mars" }),
  });
  assertAsks(second, "region");
  const done = await reply(app, second, { region: accept({ region: "us" }) });
  assert.equal(textOf(done), "sales in us");
});

Deno.test("ask() of nothing gives nothing, and does not suspend", async () => {
  const app = sealingApp({
    tools: [tool("nothing", {
      async handler(_args, ctx) {
        return JSON.stringify(await ctx.ask({}));
      },
    })],
  });
  assert.equal(textOf(await sendRound(app, toolCall("nothing"))), "{}");
});

Deno.test("ask() side by side goes out in one round, however long each takes to look", async () => {
  const Slow = z.object({
    region: z.string().refine(async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return value !== "mars";
    }),
  });
  const app = sealingApp({
    tools: [tool("provision", {
      async handler(_args, ctx) {
        const [first, second] = await Promise.all([
          ctx.ask("name", name),
          ctx.ask("region", { message: "Region?", schema: Slow }),
        ]);
        return `${first.name} in ${second.region}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("provision"));
  assertAsks(first, "name", "region");
  // The slow one is found wanting after the other one has suspended the call.
  const second = await reply(app, first, {
    name: accept({ name: "x" }),
    region: accept({ region: "mars" }),
  });
  assertAsks(second, "name", "region");
  const done = await reply(app, second, {
    name: accept({ name: "sales" }),
    region: accept({ region: "eu" }),
  });
  assert.equal(textOf(done), "sales in eu");
});

Deno.test("ask() one after the other carries the earlier answers along", async () => {
  const app = sealingApp({ tools: [provision] });
  const first = await sendRound(app, toolCall("provision"));
  assertAsks(first, "name");
  const second = await reply(app, first, { name: accept({ name: "sales" }) });
  assertAsks(second, "region");
  const done = await reply(app, second, { region: accept({ region: "eu" }) });
  assert.equal(textOf(done), "Provisioned sales in eu");
});

Deno.test("ask() keeps to an earlier answer when the client sends another one", async () => {
  const app = sealingApp({ tools: [provision] });
  const first = await sendRound(app, toolCall("provision"));
  const second = await reply(app, first, { name: accept({ name: "sales" }) });
  const done = await reply(app, second, {
    name: accept({ name: "other" }),
    region: accept({ region: "eu" }),
  });
  assert.equal(textOf(done), "Provisioned sales in eu");
});

Deno.test("ask() validates earlier answers in each round, and takes a new one for one that no longer holds", async () => {
  const taken = new Set<string>();
  const Free = z.object({
    name: z.string().refine((text) => !taken.has(text)),
  });
  const runs: string[] = [];
  const app = sealingApp({
    tools: [tool("provision", {
      async handler(_args, ctx) {
        const first = await ctx.ask("name", { message: "?", schema: Free });
        runs.push(first.name);
        const second = await ctx.ask("region", region);
        return `${first.name} in ${second.region}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("provision"));
  const second = await reply(app, first, { name: accept({ name: "sales" }) });
  assertAsks(second, "region");
  taken.add("sales");
  const third = await reply(app, second, { region: accept({ region: "eu" }) });
  assertAsks(third, "name");
  taken.clear();
  const fourth = await reply(app, third, { name: accept({ name: "books" }) });
  assertAsks(fourth, "region");
  const done = await reply(app, fourth, { region: accept({ region: "eu" }) });
  assert.equal(textOf(done), "books in eu");
  assert.deepEqual(runs, ["sales", "books", "books"]);
});

Deno.test("ask() keeps answers of questions that a round does not come to", async () => {
  let gate = true;
  const Gate = z.object({ gate: z.boolean().refine(() => gate) });
  const app = sealingApp({
    tools: [tool("gated", {
      async handler(_args, ctx) {
        await ctx.ask("gate", { message: "?", schema: Gate });
        const { name: chosen } = await ctx.ask("name", name);
        const { region: where } = await ctx.ask("region", region);
        return `${chosen} in ${where}`;
      },
    })],
  });
  let round = await sendRound(app, toolCall("gated"));
  round = await reply(app, round, { gate: accept({ gate: true }) });
  round = await reply(app, round, { name: accept({ name: "sales" }) });
  assertAsks(round, "region");
  gate = false;
  round = await reply(app, round, {});
  assertAsks(round, "gate");
  gate = true;
  // The name was not looked at in the last round, and is not asked again.
  round = await reply(app, round, { gate: accept({ gate: true }) });
  assertAsks(round, "region");
  round = await reply(app, round, { region: accept({ region: "us" }) });
  assert.equal(textOf(round), "sales in us");
});

Deno.test("ask() sends people to pages, and asks models and for roots", async () => {
  const app = sealingApp({
    tools: [tool("kinds", {
      async handler(_args, ctx) {
        const { page, model, roots } = await ctx.ask({
          page: { message: "Sign in", url: "https://example.com/auth" },
          model: {
            sampling: {
              messages: [
                { role: "user", content: { type: "text", text: "Hi" } },
              ],
              maxTokens: 5,
            },
          },
          roots: { roots: true },
        });
        return `${page.action} ${model.model} ${roots[0]?.uri}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("kinds"));
  assertAsks(first, "page", "model", "roots");
  assert.deepEqual(
    Object.values(first.asked).map(({ method }) => method),
    ["elicitation/create", "sampling/createMessage", "roots/list"],
  );
  const done = await reply(app, first, {
    page: { action: "accept" },
    model: {
      role: "assistant",
      model: "m-1",
      content: { type: "text", text: "Hello" },
    },
    roots: { roots: [{ uri: "file:///home" }] },
  });
  assert.equal(textOf(done), "accept m-1 file:///home");
});

Deno.test("ask() takes an answer of another kind for none", async () => {
  const app = sealingApp({
    tools: [tool("roots", {
      async handler(_args, ctx) {
        const roots = await ctx.ask("roots", { roots: true });
        return String(roots.length);
      },
    })],
  });
  const first = await sendRound(app, toolCall("roots"));
  const second = await reply(app, first, { roots: accept({ roots: [] }) });
  assertAsks(second, "roots");
});

for (
  const [action, reason] of [
    ["decline", "input_declined"],
    ["cancel", "input_cancelled"],
  ] as const
) {
  Deno.test(`ask() ends the call with ${reason} when the person chose ${action}`, async () => {
    const app = sealingApp({ tools: [create] });
    const first = await sendRound(app, toolCall("create"));
    const done = await reply(app, first, {
      name: { action, content: { name: "sales" } },
    });
    const { data } = failureOf(done) as { data: Record<string, unknown> };
    assert.equal(data.reason, reason);
    assert.equal(data.key, "name");
  });
}

Deno.test('ask() gives a refusal to the handler with onDecline: "return", and remembers it', async () => {
  const app = sealingApp({
    tools: [tool("survey", {
      async handler(_args, ctx) {
        const first = await ctx.ask("name", { ...name, onDecline: "return" });
        const chosen = "name" in first ? first.name : first.action;
        const { region: where } = await ctx.ask("region", region);
        return `${chosen} in ${where}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("survey"));
  const second = await reply(app, first, { name: DECLINED });
  assertAsks(second, "region");
  const done = await reply(app, second, { region: accept({ region: "eu" }) });
  assert.equal(textOf(done), "decline in eu");
});

Deno.test("ask() refused among several ends the call, and asks nothing again", async () => {
  const app = sealingApp({
    tools: [tool("provision", {
      async handler(_args, ctx) {
        await ctx.ask({ name, region });
        return "done";
      },
    })],
  });
  const first = await sendRound(app, toolCall("provision"));
  const done = await reply(app, first, { region: DECLINED });
  const { data } = failureOf(done) as { data: Record<string, unknown> };
  assert.equal(data.key, "region");
});

Deno.test("ask() in a service that a handler awaits suspends the call", async () => {
  interface Asker {
    ask: (key: string) => Promise<string>;
  }
  async function service({ ask }: Asker): Promise<string> {
    try {
      return `named ${await ask("name")}`;
    } finally {
      await Promise.resolve();
    }
  }
  const app = sealingApp({
    tools: [tool("create", {
      async handler(_args, ctx) {
        const { ask } = ctx;
        return await service({
          ask: async (key) => (await ask(key, name)).name,
        });
      },
    })],
  });
  const first = await sendRound(app, toolCall("create"));
  assertAsks(first, "name");
  const done = await reply(app, first, { name: accept({ name: "sales" }) });
  assert.equal(textOf(done), "named sales");
});

Deno.test("ask() suspends a handler that swallows the suspension or wraps it", async () => {
  const app = sealingApp({
    tools: [
      tool("swallow", {
        async handler(_args, ctx) {
          try {
            return (await ctx.ask("name", name)).name;
          } catch {
            return "skipped";
          }
        },
      }),
      tool("wrap", {
        async handler(_args, ctx) {
          try {
            return (await ctx.ask("name", name)).name;
          } catch (error) {
            throw new Error(String((error as { message?: string }).message));
          }
        },
      }),
      tool("swallow_request", {
        handler(_args, ctx) {
          try {
            ctx.requestInput({ requestState: "waiting" });
          } catch {
            return "skipped";
          }
        },
      }),
    ],
  });
  for (const tool of ["swallow", "wrap"]) {
    const first = await sendRound(app, toolCall(tool));
    assertAsks(first, "name");
    const done = await reply(app, first, { name: accept({ name: "sales" }) });
    assert.equal(textOf(done), "sales");
  }
  assertAsks(await sendRound(app, toolCall("swallow_request")));
});

Deno.test("ask() after a suspension that was swallowed puts both questions", async () => {
  const app = sealingApp({
    tools: [tool("both", {
      async handler(_args, ctx) {
        const first = await ctx.ask("name", name).catch(() => undefined);
        const second = await ctx.ask("region", region);
        return `${first?.name} in ${second.region}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("both"));
  assertAsks(first, "name", "region");
  const done = await reply(app, first, {
    name: accept({ name: "sales" }),
    region: accept({ region: "eu" }),
  });
  assert.equal(textOf(done), "sales in eu");
});

Deno.test("ask() that nobody awaits suspends the call, and does not end the process", async () => {
  const app = sealingApp({
    tools: [tool("careless", {
      handler(_args, ctx) {
        ctx.ask("name", name);
        ctx.ask({ region });
        return "done";
      },
    })],
  });
  const first = await sendRound(app, toolCall("careless"));
  assertAsks(first, "name", "region");
  const done = await reply(app, first, {
    name: accept({ name: "sales" }),
    region: accept({ region: "eu" }),
  });
  assert.equal(textOf(done), "done");
});

Deno.test("ask() runs a handler again from the top in each round", async () => {
  let runs = 0;
  const app = sealingApp({
    tools: [tool("count", {
      async handler(_args, ctx) {
        runs++;
        await ctx.ask("name", name);
        await ctx.ask("region", region);
        return "done";
      },
    })],
  });
  let round = await sendRound(app, toolCall("count"));
  round = await reply(app, round, { name: accept({ name: "sales" }) });
  round = await reply(app, round, { region: accept({ region: "eu" }) });
  assert.equal(textOf(round), "done");
  assert.equal(runs, 3);
});

Deno.test("ask() twice with the same question gives the same answer", async () => {
  const app = sealingApp({
    tools: [tool("twice", {
      async handler(_args, ctx) {
        const [first, second] = await Promise.all([
          ctx.ask("name", name),
          ctx.ask("name", { ...name }),
        ]);
        return `${first.name} ${second.name}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("twice"));
  assertAsks(first, "name");
  const done = await reply(app, first, { name: accept({ name: "sales" }) });
  assert.equal(textOf(done), "sales sales");
});

Deno.test("ask() refuses another question under a key that was used in the same call", async () => {
  const app = sealingApp({
    tools: [tool("mixed_up", {
      async handler(_args, ctx) {
        const first = await ctx.ask("name", { ...name, onDecline: "return" });
        const second = await ctx.ask("name", {
          message: "Delete which one?",
          schema: Name,
        });
        return JSON.stringify([first, second]);
      },
    })],
  });
  const first = await sendRound(app, toolCall("mixed_up"));
  assertAsks(first, "name");
  const done = await reply(app, first, { name: accept({ name: "sales" }) });
  assert.match(String(failureOf(done).message), /"name".*key of its own/);
});

Deno.test("ask() refuses keys of the framework, and questions that are none", async () => {
  const app = sealingApp({
    tools: [tool("odd", {
      input: z.object({ key: z.string(), kind: z.string() }),
      async handler({ key, kind }, ctx) {
        const spec = kind === "question" ? name : undefined;
        await ctx.ask(key, spec as typeof name);
        return "asked";
      },
    })],
  });
  for (
    const [key, kind, said] of [
      ["parley.consent:name", "question", /reserved/],
      ["parley.", "question", /reserved/],
      ["__proto__", "question", /__proto__/],
      ["name", "nothing", /of type undefined, want an object/],
    ] as const
  ) {
    const round = await sendRound(app, toolCall("odd", { key, kind }));
    assert.match(String(failureOf(round).message), said);
  }
  assertAsks(
    await sendRound(app, toolCall("odd", { key: "parley", kind: "question" })),
    "parley",
  );
});

Deno.test("ask() refuses a form that cannot be expressed before anything is sent", async () => {
  const app = sealingApp({
    tools: [tool("nested", {
      async handler(_args, ctx) {
        await ctx.ask({
          name,
          nested: {
            message: "?",
            schema: z.object({ inner: z.object({ x: z.string() }) }),
          },
        });
        return "asked";
      },
    })],
  });
  const round = await sendRound(app, toolCall("nested"));
  assert.match(String(failureOf(round).message), /inner/);
});

Deno.test("ask() and requestInput() share a round, a state and the answers", async () => {
  const app = sealingApp({
    tools: [tool("mixed", {
      async handler(_args, ctx) {
        const { name: chosen } = await ctx.ask("name", name);
        const where = ctx.inputs.accepted("region", Region);
        if (where === undefined) {
          return ctx.requestInput({
            inputRequests: {
              region: {
                method: "elicitation/create",
                params: {
                  mode: "form",
                  message: `Region of ${chosen}?`,
                  requestedSchema: {
                    type: "object",
                    properties: { region: { type: "string" } },
                  },
                },
              },
            },
            requestState: `chosen:${chosen}`,
          });
        }
        return `${chosen} in ${where.region}, ${ctx.inputs.state()}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("mixed"));
  assertAsks(first, "name");
  const second = await reply(app, first, { name: accept({ name: "sales" }) });
  assertAsks(second, "region");
  assert.equal(messageOf(second.asked.region), "Region of sales?");
  const done = await reply(app, second, { region: accept({ region: "eu" }) });
  assert.equal(textOf(done), "sales in eu, chosen:sales");
});

Deno.test("ask() goes on with the state that a requestInput() left", async () => {
  const app = sealingApp({
    tools: [tool("job", {
      async handler(_args, ctx) {
        const job = ctx.inputs.state();
        if (job === undefined) return ctx.requestInput({ requestState: "j-1" });
        const { name: chosen } = await ctx.ask("name", name);
        const { region: where } = await ctx.ask("region", region);
        return `${job} ${chosen} ${where}`;
      },
    })],
  });
  let round = await sendRound(app, toolCall("job"));
  assertAsks(round);
  round = await reply(app, round, {});
  round = await reply(app, round, { name: accept({ name: "sales" }) });
  round = await reply(app, round, { region: accept({ region: "eu" }) });
  assert.equal(textOf(round), "j-1 sales eu");
});
