import { createApp, memoryState, tool, z } from "../../../mod.ts";

/** What became of the calls that watched their client, by name. */
const seen: Record<string, string> = {};
const dropped = Promise.withResolvers<void>();
const worked = Promise.withResolvers<void>();

function watch(name: string, signal: AbortSignal): void {
  seen[name] = "not aborted";
  signal.addEventListener("abort", () => {
    seen[name] = "aborted";
    if (name === "drop") dropped.resolve();
  });
}

const app = createApp({
  name: "signal",
  version: "1.0.0",
  state: memoryState(),
  tools: [
    tool("json", {
      handler(_args, ctx) {
        watch("json", ctx.signal);
        return "done";
      },
    }),
    tool("stream", {
      handler(_args, ctx) {
        ctx.progress(1);
        watch("stream", ctx.signal);
        return "done";
      },
    }),
    tool("drop", {
      async handler(_args, ctx) {
        ctx.progress(1);
        watch("drop", ctx.signal);
        await dropped.promise;
        return "nobody hears this";
      },
    }),
    tool("background", {
      input: z.object({ ms: z.int() }),
      handler({ ms }, ctx) {
        watch("background", ctx.signal);
        setTimeout(worked.resolve, ms);
        return "done for now";
      },
    }),
    tool("report", {
      async handler() {
        await Promise.all([dropped.promise, worked.promise]);
        return JSON.stringify(seen);
      },
    }),
  ],
});

await app.listen({ port: 0 });
