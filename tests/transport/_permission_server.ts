import { createApp, kvState, memoryState, tool } from "../../mod.ts";

const [kind = "plain", target] = Deno.args.filter((arg) => arg !== "listen");

/** A server that counts its calls, set up as its arguments say. */
const app = createApp({
  name: "permissions",
  version: "1.0.0",
  tools: [
    tool("count", {
      async handler(_args, { state }) {
        const count = await state.update<number>("count", (n) => (n ?? 0) + 1);
        return String(count);
      },
    }),
  ],
  ...(kind === "memory" && { state: memoryState() }),
  ...(kind === "kv" && { state: kvState(target) }),
});

export default app;

if (Deno.args.includes("listen")) {
  await app.listen({ port: Number(target) });
}
