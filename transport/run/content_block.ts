import type { ContentBlock, PromptMessage } from "../../types.ts";
import { isObject } from "../json_rpc.ts";

/** Whether a value is one block of content (2026-07-28, server, tools, tool result). */
export function isContentBlock(value: unknown): value is ContentBlock {
  if (!isObject(value)) return false;
  switch (value.type) {
    case "text":
      return typeof value.text === "string";
    case "image":
    case "audio":
      return typeof value.data === "string" &&
        typeof value.mimeType === "string";
    case "resource_link":
      return typeof value.uri === "string" && typeof value.name === "string";
    case "resource":
      return isResourceContents(value.resource);
    default:
      return false;
  }
}

/** Whether a value is the content of one resource: text, or bytes in Base64. */
export function isResourceContents(value: unknown): boolean {
  return isObject(value) && typeof value.uri === "string" &&
    (typeof value.text === "string" || typeof value.blob === "string");
}

/** Whether a value is one message of a prompt (2026-07-28, server, prompts). */
export function isPromptMessage(value: unknown): value is PromptMessage {
  return isObject(value) &&
    (value.role === "user" || value.role === "assistant") &&
    isContentBlock(value.content);
}
