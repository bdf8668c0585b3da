/**
 * A server whose tool acts once it has consent. Each action is one line of a
 * file, so that those of several processes can be counted.
 *
 *     deno run -A consent_server.ts <store> <actions>
 */
import { createApp, kvState, tool, z } from "../../../mod.ts";

const [store = ":memory:", actions = "/dev/null"] = Deno.args;

const act = tool("act", {
  input: z.object({ round: z.number() }),
  async handler({ round }, ctx) {
    const { answer } = await ctx.consent("sure", {
      message: `Act in round ${round}?`,
      schema: z.object({ yes: z.boolean() }),
      target: `round ${round}`,
      content: { round },
    });
    if (!answer.yes) return "left alone";
    Deno.writeTextFileSync(actions, `${round}\n`, { append: true });
    return "acted";
  },
});

const app = createApp({
  name: "consent",
  version: "1.0.0",
  tools: [act],
  state: kvState(store),
});
await app.listen({ port: 0 });
