import type { ContentBlock } from "../../types.ts";
import type { EnrichKind, EnrichmentStore } from "../../context/enrich.ts";
import { isObject } from "../json_rpc.ts";

/**
 * Writes what a handler enriched its result with as a text block, one field
 * per line.
 *
 * @param declared The declared fields; without any, nothing is written.
 */
export function renderTrailer(
  store: EnrichmentStore | undefined,
  declared?: ReadonlyMap<string, unknown>,
): readonly ContentBlock[] {
  if (store === undefined || declared === undefined) return [];
  const lines: string[] = [];
  for (const [field, value] of store.fields) {
    if (!declared.has(field) || value === undefined) continue;
    const kind = store.kinds.get(field);
    lines.push(renderField(field, value, kind));
    // Without a blank line Markdown would take the next field into the quote.
    if (kind === "notice") lines.push("");
  }
  while (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return [];
  return [{ type: "text", text: lines.join("\n") }];
}

function renderField(
  field: string,
  value: unknown,
  kind: EnrichKind | undefined,
): string {
  switch (kind) {
    case "notice":
      return `> ${String(value).replaceAll("\n", "\n> ")}`;
    case "total":
      return `${value} total`;
    case "echo":
      return `Query: ${value}`;
    case "delta":
      if (isObject(value)) {
        return `${field}: ${plain(value.before)} → ${plain(value.after)}`;
      }
  }
  return `**${field}:** ${plain(value)}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
