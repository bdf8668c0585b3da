import { createApp, memoryState, tool, z } from "../../mod.ts";

const Yes = z.object({ yes: z.boolean() });

/** A server whose handler makes promises of questions before it awaits them. */
const app = createApp({
  name: "stray",
  version: "1.0.0",
  state: memoryState(),
  tools: [
    tool("both", {
      async handler(_args, ctx) {
        const one = ctx.ask("one", { message: "One?", schema: Yes })
          .then(({ yes }) => yes);
        const sure = ctx.consent("sure", {
          message: "Sure?",
          schema: Yes,
          target: "it",
        }).then(({ answer }) => answer.yes);
        const two = await ctx.ask("two", { message: "Two?", schema: Yes });
        return `${await one} ${await sure} ${two.yes}`;
      },
    }),
    tool("careless", {
      handler(_args, ctx) {
        ctx.state.set("key", 1, { ttl: -1 });
        return "ok";
      },
    }),
    tool("broken", {
      handler() {
        Promise.reject(new Error("a fault of the author"));
        return "ok";
      },
    }),
  ],
});
await app.listen({ port: 0 });
