/** Parley, as its README says to serve it, with the tools that the arguments ask for. */

import {
  createApp,
  inputRequired,
  kvState,
  memoryState,
  tool,
  z,
} from "../../mod.ts";
import { PROGRESS_EVENTS, step } from "../harness/messages.ts";
import {
  serverOptions,
  TOOL_DESCRIPTION,
  toolNames,
} from "../harness/server_options.ts";

const options = serverOptions(Deno.args);

function echoTool(name: string) {
  return tool(name, {
    description: TOOL_DESCRIPTION,
    input: z.object({ message: z.string() }),
    output: z.object({ message: z.string() }),
    handler: ({ message }) => ({ message }),
  });
}

const Confirm = z.object({ confirm: z.boolean() });

function confirmTool(_name: string) {
  return tool("confirm", {
    description: TOOL_DESCRIPTION,
    input: z.object({ message: z.string() }),
    output: z.object({ message: z.string() }),
    handler({ message }, ctx) {
      if (ctx.inputs.accepted("confirm", Confirm) === undefined) {
        return ctx.requestInput({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: `Send ${message}?`,
              requestedSchema: Confirm,
            }),
          },
          requestState: message,
        });
      }
      return { message };
    },
  });
}

function countTool(_name: string) {
  return tool("count", {
    description: TOOL_DESCRIPTION,
    input: z.object({ message: z.string() }),
    output: z.object({ message: z.string() }),
    async handler({ message }, ctx) {
      for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
        ctx.progress(progress, PROGRESS_EVENTS);
        await step();
      }
      return { message };
    },
  });
}

const MAKERS = { echo: echoTool, confirm: confirmTool, count: countTool };
const tools = toolNames(options).map((name, index) =>
  index === 0 ? MAKERS[options.kit](name) : echoTool(name)
);

export default createApp({
  name: "bench",
  version: "1.0.0",
  tools,
  state: options.kv === undefined ? memoryState() : kvState(options.kv),
  sessionMode: options.mode === "session" ? "stateful" : "stateless",
  requestState: { keys: ["bench-key-0123456789-0123456789-0123456789"] },
});
