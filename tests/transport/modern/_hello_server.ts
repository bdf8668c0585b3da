import { createApp, memoryState, tool, z } from "../../../mod.ts";

const greet = tool("greet", {
  input: z.object({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  handler: ({ name }) => ({ greeting: `Hello, ${name}` }),
});

export default createApp({
  name: "hello",
  version: "1.0.0",
  tools: [greet],
  state: memoryState(),
});
