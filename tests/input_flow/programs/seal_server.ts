/**
 * A server that seals the state of its tool with whatever key it finds.
 *
 *     deno run -A seal_server.ts <store>
 */
import { createApp, inputRequired, kvState, tool, z } from "../../../mod.ts";

const Ok = z.object({ ok: z.boolean() });

const step = tool("step", {
  handler: (_args, ctx) =>
    ctx.inputs.state() ?? ctx.requestInput({
      inputRequests: {
        ok: inputRequired.elicit({ message: "?", requestedSchema: Ok }),
      },
      requestState: "step 1",
    }),
});

const app = createApp({
  name: "seal",
  version: "1.0.0",
  tools: [step],
  state: kvState(Deno.args[0]),
});
await app.listen({ port: 0 });
