/**
 * A server that was written for the official SDK: what stood in
 * `server.registerTool(...)` stands in `tool(...)`, and nothing else changed.
 *
 *     deno serve --host 127.0.0.1 examples/from_sdk.ts
 */
import {
  acceptedContent,
  type App,
  createApp,
  inputRequired,
  tool,
  z,
} from "../mod.ts";

const add = tool(
  "add",
  {
    title: "Add",
    description: "Add two numbers.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({
    content: [{ type: "text", text: `${a} + ${b} = ${a + b}` }],
    structuredContent: { sum: a + b },
  }),
);

const ping = tool("ping", { description: "Answer." }, (ctx) => ({
  content: [{ type: "text", text: `pong to ${ctx.clientInfo?.name}` }],
}));

const deploy = tool(
  "deploy",
  {
    description: "Deploy after a person said so.",
    inputSchema: z.object({ env: z.string() }),
  },
  ({ env }, ctx) => {
    const Sure = z.object({ sure: z.boolean() });
    const answer = acceptedContent(ctx.mcpReq.inputResponses, "sure", Sure);
    if (answer === undefined) {
      return inputRequired({
        inputRequests: {
          sure: inputRequired.elicit({
            message: `Deploy to ${env}?`,
            requestedSchema: Sure,
          }),
        },
      });
    }
    const text = answer.sure ? `Deployed to ${env}` : "Nothing done";
    return { content: [{ type: "text", text }] };
  },
);

/** The server. */
const app: App = createApp({
  name: "from-sdk",
  version: "1.0.0",
  tools: [add, ping, deploy],
});

export default app;
