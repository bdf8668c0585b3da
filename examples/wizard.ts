/**
 * A tool that asks in steps, keeps what it made, and can be tested as a
 * function: see `tests/examples/wizard_test.ts`.
 *
 *     deno serve --host 127.0.0.1 examples/wizard.ts
 */
import { type App, createApp, tool, z } from "../mod.ts";

/** Asks for a name, then for two things at once. */
export const provision = tool("provision", {
  description: "Provision a database.",
  output: z.object({ name: z.string(), region: z.string(), gb: z.number() }),
  async handler(_input, ctx) {
    const { name } = await ctx.ask("name", {
      message: "Database name?",
      schema: z.object({ name: z.string().min(2).max(20) }),
    });
    const { region, size } = await ctx.ask({
      region: {
        message: `Where does ${name} live?`,
        schema: z.object({ region: z.enum(["eu", "us"]) }),
        onDecline: "return",
      },
      size: {
        message: `How large is ${name}?`,
        schema: z.object({ gb: z.int().min(1).max(64).default(8) }),
      },
    });
    // A declined question is not an answer: it says how it was refused.
    const where = "action" in region ? "eu" : region.region;
    const database = { name, region: where, gb: size.gb };
    await ctx.state.set(`database/${name}`, database);
    return database;
  },
});

/** The server. */
const app: App = createApp({
  name: "wizard",
  version: "1.0.0",
  tools: [provision],
});

export default app;
