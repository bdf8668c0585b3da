/**
 * A server with one of everything: what the official conformance suite expects
 * to find, written as any other server is.
 *
 * ```sh
 * deno run -A examples/everything.ts
 * ```
 *
 * listens on http://127.0.0.1:3000/mcp, or on the port that `PORT` names.
 */
import { createApp, memoryState } from "../mod.ts";
import { contentTools } from "./everything/content_tools.ts";
import { inputTools } from "./everything/input_tools.ts";
import { messageTools } from "./everything/message_tools.ts";
import { prompts } from "./everything/prompts.ts";
import { questionTools } from "./everything/question_tools.ts";
import { resources } from "./everything/resources.ts";
import { schemaTools } from "./everything/schema_tools.ts";

const app = createApp({
  name: "everything",
  version: "1.0.0",
  title: "One of everything",
  instructions: "Every tool says what it is there to show.",
  tools: [
    ...contentTools,
    ...messageTools,
    ...schemaTools,
    ...questionTools,
    ...inputTools,
  ],
  resources,
  prompts,
  state: memoryState(),
  // A key of this process's own: enough for one process that is asked and
  // answered within its life. Several processes have to share one.
  requestState: { keys: [crypto.getRandomValues(new Uint8Array(32))] },
});

export default app;

if (import.meta.main) {
  await app.listen({ port: Number(Deno.env.get("PORT") ?? 3000) });
}
