/**
 * A server whose first call ever asks, or is a retry: what answers questions is
 * loaded while the handler runs. Prints what the call was answered with.
 *
 *     deno run -A first_question.ts <way of asking>
 */
import {
  type Context,
  createApp,
  inputRequired,
  memoryState,
  tool,
  z,
} from "../../../mod.ts";
import { sendRound, toolCall } from "../_rounds.ts";

const schema = z.object({ ok: z.boolean() });
const form = { message: "Sure?", schema };
const other = inputRequired.listRoots();

const WAYS: Record<string, (ctx: Context) => unknown> = {
  one: (ctx) => ctx.ask("a", form),
  sideBySide: (ctx) =>
    Promise.all([
      ctx.ask("a", form),
      ctx.consent("b", { ...form, target: "it" }),
      ctx.ask({ c: form, d: { roots: true } }),
    ]),
  notAwaited(ctx) {
    ctx.ask("a", form);
    return "done";
  },
  async swallowed(ctx) {
    try {
      await ctx.ask("a", form);
    } catch {
      return "done";
    }
  },
  thrownBehind(ctx) {
    ctx.ask("a", form);
    throw new Error("something else");
  },
  requested: (ctx) => ctx.requestInput({ inputRequests: { a: other } }),
  askedAndRequested(ctx) {
    ctx.ask("a", form);
    return ctx.requestInput({ inputRequests: { b: other } });
  },
  keyTwice(ctx) {
    ctx.ask("a", form);
    return ctx.requestInput({ inputRequests: { a: other } });
  },
  noQuestion: (ctx) => ctx.ask("parley.a", form),
  answered: (ctx) =>
    `${ctx.inputs.accepted("a", schema)?.ok} ${ctx.inputs.dropped}`,
};

const [way = "one"] = Deno.args;
const app = createApp({
  name: "first",
  version: "1.0.0",
  state: memoryState(),
  logLevel: "emergency",
  tools: [
    tool("first", {
      async handler(_, ctx) {
        return String(await WAYS[way]!(ctx));
      },
    }),
  ],
});
const inputResponses = {
  a: { action: "accept", content: { ok: true } },
  b: { action: "accept", content: { ok: true }, method: "x" },
};
const retry = way === "answered" ? { inputResponses } : {};
const { answer, asked } = await sendRound(app, toolCall("first"), retry);
await app.close();
const [block] = (answer.result.content ?? []) as { text: string }[];
const questions = Object.entries(asked).map(([key, { method }]) =>
  `${key} ${method}`
);
console.log(JSON.stringify({ asked: questions.sort(), text: block?.text }));
