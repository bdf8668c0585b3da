import { createApp, memoryState, tool, z } from "../../mod.ts";

const input = z.object({ ms: z.number() });

/** A server whose calls take their time; what it is set up with is in `STOPPING`. */
const app = createApp({
  name: "stopping",
  version: "1.0.0",
  state: memoryState(),
  tools: [
    tool("sleep", {
      input,
      async handler({ ms }) {
        console.error("sleeping");
        await new Promise((resolve) => setTimeout(resolve, ms));
        return "slept";
      },
    }),
    tool("watch", {
      async handler(_args, ctx) {
        const { signal } = ctx;
        console.error("watching");
        await new Promise((resolve) =>
          signal.addEventListener("abort", resolve)
        );
        return `told: ${signal.reason.message}`;
      },
    }),
  ],
  ...JSON.parse(Deno.env.get("STOPPING") ?? "{}"),
});

export default app;

// Not under `deno serve`, which listens itself.
if (Deno.args.includes("listen")) {
  await app.listen({
    port: 0,
    signals: !Deno.args.includes("without-signals"),
  });
}
