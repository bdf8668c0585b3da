/**
 * A server whose sessions live in the Deno KV database that `KV_FILE` names.
 * Run directly, it listens on a free port; `deno serve` takes its export.
 */
import { createApp, kvState, tool, z } from "../../../../mod.ts";

const Answer = z.object({ answer: z.string() });

/** Asks three times, in three rounds. */
const survey = tool("survey", {
  input: z.object({ who: z.string() }),
  async handler({ who }, ctx) {
    const given: string[] = [];
    for (const key of ["one", "two", "three"]) {
      const message = `${who}: ${key}?`;
      const { answer } = await ctx.ask(key, { message, schema: Answer });
      given.push(answer);
    }
    return given.join(" | ");
  },
});

/** Sends its client away, and answers when it is back. */
const detour = tool("detour", {
  input: z.object({ who: z.string() }),
  async handler({ who }, ctx) {
    ctx.detach();
    await pause(200);
    return `${who} took a detour`;
  },
});

/** Says at once where it runs, and takes its time. */
const linger = tool("linger", {
  input: z.object({ ms: z.number() }),
  async handler({ ms }, ctx) {
    ctx.progress(1, 2, String(Deno.pid));
    await pause(ms);
    return "stayed";
  },
});

const where = tool("where", { handler: () => String(Deno.pid) });

/** Each isolate loads this file for itself. */
const isolateId = crypto.randomUUID();
const isolate = tool("isolate", { handler: () => isolateId });

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const app = createApp({
  name: "processes",
  version: "1.0.0",
  tools: [survey, detour, linger, where, isolate],
  state: kvState(Deno.env.get("KV_FILE")),
  logLevel: "error",
});

export default app;

if (Deno.args[0] === "listen") await app.listen({ port: 0 });
