import assert from "node:assert/strict";
import {
  type CompletionCallback,
  inputRequired,
  InputRequiredSignal,
  prompt,
  tool,
  z,
} from "../../mod.ts";
import { call } from "../transport/modern/_client.ts";
import { CLIENTS, connect } from "./_clients.ts";
import {
  accept,
  ALL,
  assertAsks,
  failureOf,
  reply,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Ok = z.object({ ok: z.boolean() });
const request = inputRequired.elicit({ message: "?", requestedSchema: Ok });

const ASKING: Readonly<Record<string, CompletionCallback>> = {
  asks: async (_value, _args, ctx) => {
    await ctx.ask("it", { message: "?", schema: Ok });
    return [];
  },
  consents: async (_value, _args, ctx) => {
    await ctx.consent("it", { message: "?", schema: Ok, target: "/" });
    return [];
  },
  requests: (_value, _args, ctx) =>
    ctx.requestInput({ inputRequests: { it: request } }),
  waits: (_value, _args, ctx) => ctx.requestInput({ requestState: "s" }),
  returns: () => inputRequired({ inputRequests: { it: request } }) as never,
};

const asking = prompt("asking", {
  args: z.object({
    asks: z.string().optional(),
    consents: z.string().optional(),
    requests: z.string().optional(),
    waits: z.string().optional(),
    returns: z.string().optional(),
  }),
  complete: ASKING,
  handler: () => "done",
});

const INTERNAL = { code: -32603 };

Deno.test("a completion cannot ask, whatever the client can answer", async () => {
  const app = sealingApp({ prompts: [asking] });
  for (const name of Object.keys(ASKING)) {
    for (const capabilities of [ALL, {}]) {
      const { result, error } = await call(app, "completion/complete", {
        ref: { type: "ref/prompt", name: "asking" },
        argument: { name, value: "" },
      }, { capabilities });
      assert.equal(error.code, -32603, name);
      assert.deepEqual(result, {});
    }
  }
  for (const kind of CLIENTS.filter((kind) => kind.endsWith("legacy"))) {
    for (const capabilities of [ALL, {}]) {
      const person = await connect(kind, app, () => accept({ ok: true }), {
        capabilities,
      });
      for (const name of Object.keys(ASKING)) {
        await assert.rejects(
          person.request("completion/complete", {
            ref: { type: "ref/prompt", name: "asking" },
            argument: { name, value: "" },
          }),
          INTERNAL,
        );
      }
      assert.deepEqual(person.asked, []);
      await person.close();
    }
  }
  await app.close();
});

Deno.test("a result built by hand asks like any other", async () => {
  const app = sealingApp({
    tools: [tool("literal", {
      handler(_args, ctx) {
        const answer = ctx.inputs.accepted("it", Ok);
        if (answer !== undefined) return `${answer.ok} ${ctx.inputs.state()}`;
        return {
          resultType: "input_required",
          inputRequests: { it: request },
          requestState: "by hand",
        };
      },
    })],
  });
  const first = await sendRound(app, toolCall("literal"));
  assertAsks(first, "it");
  const done = await reply(app, first, { it: accept({ ok: true }) });
  assert.equal(textOf(done), "true by hand");
});

Deno.test("a question that was swallowed goes out with the one that is returned", async () => {
  const app = sealingApp({
    tools: [tool("both", {
      async handler(_args, ctx) {
        const first = await ctx.ask("first", { message: "1", schema: Ok })
          .catch(() => undefined);
        const second = ctx.inputs.accepted("second", Ok);
        if (second === undefined) {
          return inputRequired({
            inputRequests: { second: request },
            requestState: "mine",
          });
        }
        return `${first?.ok} ${second.ok} ${ctx.inputs.state()}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("both"));
  assertAsks(first, "first", "second");
  const done = await reply(app, first, {
    first: accept({ ok: true }),
    second: accept({ ok: false }),
  });
  assert.equal(textOf(done), "true false mine");
});

Deno.test("a signal that a handler throws itself asks, too", async () => {
  const app = sealingApp({
    tools: [tool("throws", {
      handler(_args, ctx) {
        if (ctx.inputs.accepted("it", Ok) !== undefined) return "done";
        throw new InputRequiredSignal(
          inputRequired({ inputRequests: { it: request } }),
        );
      },
    })],
  });
  const first = await sendRound(app, toolCall("throws"));
  assertAsks(first, "it");
  const done = await reply(app, first, { it: accept({ ok: true }) });
  assert.equal(textOf(done), "done");
});

Deno.test("two requests under one key are refused: one answer would count for both", async () => {
  const other = inputRequired.elicit({ message: "!", requestedSchema: Ok });
  const app = sealingApp({
    tools: [
      tool("swallowed", {
        handler(_args, ctx) {
          try {
            ctx.requestInput({ inputRequests: { it: request } });
          } catch {
            return ctx.requestInput({ inputRequests: { it: other } });
          }
        },
      }),
      tool("returned", {
        async handler(_args, ctx) {
          await ctx.ask("it", { message: "?", schema: Ok }).catch(() => {});
          return inputRequired({ inputRequests: { it: other } });
        },
      }),
    ],
  });
  // The first question was put, and the handler failed afterwards.
  assertAsks(await sendRound(app, toolCall("swallowed")), "it");
  const { error } = (await sendRound(app, toolCall("returned"))).answer;
  assert.equal(error.code, -32603);
  assert.match(String(error.message), /"it".*key of its own/);
});

Deno.test("requestInput() without requests and state is a mistake of the handler's", async () => {
  const app = sealingApp({
    tools: [tool("nothing", { handler: (_args, ctx) => ctx.requestInput({}) })],
  });
  const round = await sendRound(app, toolCall("nothing"));
  assert.match(String(failureOf(round).message), /at least one entry/);
});

Deno.test("a call that fails without having asked is not suspended by reading answers", async () => {
  const app = sealingApp({
    tools: [tool("fails", {
      handler(_args, ctx) {
        ctx.inputs.view("it");
        throw new Error("broken");
      },
    })],
  });
  const round = await sendRound(app, toolCall("fails"));
  assert.equal(failureOf(round).message, "broken");
});
