/** The README's server, word for word but for where it imports from. */

import { createApp, tool, z } from "../../mod.ts";

const greet = tool("greet", {
  description: "Greet someone.",
  input: z.object({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  handler({ name }, ctx) {
    ctx.log.info("greeting", { name });
    return { greeting: `Hello, ${name}` };
  },
});

export default createApp({ name: "hello", version: "1.0.0", tools: [greet] });
