import type { ClientCapabilities } from "../types.ts";
import { declares } from "./capabilities.ts";
import { isJsonObject, type JsonObject, ownValue } from "./_json_schema.ts";
import { type FilteredResponses, viewOf } from "./responses.ts";

/**
 * Keeps the answers of a kind that the client declared it can give. A client
 * can send answers with any call, asked or not; one that never declared forms
 * has nobody who filled one in.
 *
 * - a form (an elicitation answer with content) needs `elicitation.form`;
 * - another elicitation answer needs `elicitation` in any mode;
 * - sampling needs `sampling`, and `sampling.tools` when tools are in it;
 * - roots need `roots`;
 * - an entry wrapped in a message (`{ method, result }`), or of no known kind,
 *   is not an answer;
 * - without a view of the client's capabilities there are no answers.
 *
 * The content that some clients put into a refusal is left out of the entry.
 *
 * @param responses The `inputResponses` of a call, as received. What is not an
 * object holds no answers.
 * @param capabilities What the client declared for this call.
 */
export function filterResponses(
  responses: unknown,
  capabilities: ClientCapabilities | undefined,
): FilteredResponses {
  const kept: Record<string, unknown> = Object.create(null);
  const dropped: string[] = [];
  if (isJsonObject(responses)) {
    for (const [key, entry] of Object.entries(responses)) {
      if (isJsonObject(entry) && isCovered(entry, capabilities)) {
        kept[key] = withoutRefusedContent(entry);
      } else {
        dropped.push(key);
      }
    }
  }
  return { responses: kept, dropped };
}

function isCovered(
  entry: JsonObject,
  capabilities: ClientCapabilities | undefined,
): boolean {
  if (Object.hasOwn(entry, "method") || Object.hasOwn(entry, "result")) {
    return false;
  }
  const content = ownValue(entry, "content");
  switch (viewOf(entry).kind) {
    case "elicit":
      return declares(
        capabilities,
        content === undefined || content === null
          ? "elicitation"
          : "elicitation.form",
      );
    case "sampling":
      return declares(
        capabilities,
        usesTools(content) ? "sampling.tools" : "sampling",
      );
    case "roots":
      return declares(capabilities, "roots");
    case "missing":
      return false;
  }
}

function usesTools(content: unknown): boolean {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  return blocks.some((block) => {
    const type = isJsonObject(block) ? ownValue(block, "type") : undefined;
    return type === "tool_use" || type === "tool_result";
  });
}

function withoutRefusedContent(entry: JsonObject): JsonObject {
  const view = viewOf(entry);
  if (view.kind !== "elicit" || view.action === "accept") return entry;
  const { content: _, ...rest } = entry;
  return rest;
}
