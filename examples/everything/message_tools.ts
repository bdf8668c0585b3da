import { tool, type ToolDefinition } from "../../mod.ts";

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const withProgress = tool("test_tool_with_progress", {
  description: "Reports progress while it works.",
  async handler(_args, ctx) {
    ctx.progress(0, 100, "Starting");
    await pause(50);
    ctx.progress(50, 100, "Halfway");
    await pause(50);
    ctx.progress(100, 100, "Done");
    return "The work is done.";
  },
});

const withLogging = tool("test_tool_with_logging", {
  description: "Logs while it works.",
  async handler(_args, ctx) {
    ctx.log.info("Tool execution started");
    await pause(50);
    ctx.log.info("Tool processing data");
    await pause(50);
    ctx.log.info("Tool execution completed");
    return "The work is logged.";
  },
});

const logging = tool("test_logging_tool", {
  description: "Logs once; only a client that asked for it hears of it.",
  handler(_args, ctx) {
    ctx.log.info("Logged by test_logging_tool");
    return "Logged.";
  },
});

const toolChange = tool("test_trigger_tool_change", {
  description: "Tells listeners that the list of tools changed.",
  handler(_args, ctx) {
    ctx.notifyToolListChanged();
    return "Listeners of the tool list were told.";
  },
});

const promptChange = tool("test_trigger_prompt_change", {
  description: "Tells listeners that the list of prompts changed.",
  handler(_args, ctx) {
    ctx.notifyPromptListChanged();
    return "Listeners of the prompt list were told.";
  },
});

const reconnection = tool("test_reconnection", {
  description: "Takes long enough for its stream to be resumed.",
  async handler(_args, ctx) {
    ctx.detach();
    await pause(300);
    return "The call outlived its first stream.";
  },
});

/** Tools that send something besides their result. */
export const messageTools: readonly ToolDefinition[] = [
  withProgress,
  withLogging,
  logging,
  toolChange,
  promptChange,
  reconnection,
];
