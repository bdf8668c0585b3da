import type { ContentBlock } from "../../types.ts";
import type { EnrichKind, EnrichmentStore } from "../../context/enrich.ts";
import { issuesText } from "../../context/errors/issues.ts";
import { internalError } from "../../errors.ts";
import type { CompiledTool } from "../catalog/compile_tool.ts";
import { isObject } from "../json_rpc.ts";

/** What a handler enriched its result with, checked. */
export interface Enrichment {
  /** The declared fields that have a value. */
  readonly fields: ReadonlyMap<string, unknown>;
  /**
   * Writes them as a text block, one field a line, in the order the handler
   * wrote them; notices come last, because a quote would take in the line that
   * follows it. No block when there is no field.
   */
  trailer(): readonly ContentBlock[];
}

/**
 * Checks what a handler enriched its result with. Fields that the tool does
 * not declare are left out.
 *
 * @throws {McpError} When a field does not match its schema.
 */
export async function checkEnrichment(
  { name, enrichment }: CompiledTool,
  store: EnrichmentStore | undefined,
): Promise<Enrichment> {
  const checked = new Map<string, unknown>();
  for (const [field, validate] of enrichment ?? []) {
    const outcome = await validate(store?.fields.get(field));
    if (outcome.issues !== undefined) {
      throw internalError(
        `The enrichment "${field}" of tool "${name}" does not match its schema: ${
          issuesText(outcome.issues)
        }`,
      );
    }
    if (outcome.value !== undefined) checked.set(field, outcome.value);
  }
  return { fields: checked, trailer: () => renderTrailer(checked, store) };
}

function renderTrailer(
  checked: ReadonlyMap<string, unknown>,
  store: EnrichmentStore | undefined,
): readonly ContentBlock[] {
  if (checked.size === 0) return [];
  const lines: string[] = [];
  const notices: string[] = [];
  const written = store === undefined ? [] : store.fields.keys();
  for (const field of new Set([...written, ...checked.keys()])) {
    if (!checked.has(field)) continue;
    const kind = store?.kinds.get(field);
    const line = oneLine(renderField(field, checked.get(field), kind));
    (kind === "notice" ? notices : lines).push(line);
  }
  return [{ type: "text", text: [...lines, ...notices].join("\n") }];
}

function renderField(
  field: string,
  value: unknown,
  kind: EnrichKind | undefined,
): string {
  switch (kind) {
    case "notice":
      return `> ${plain(value)}`;
    case "total":
      return `${plain(value)} total`;
    case "echo":
      return `Query: ${plain(value)}`;
    case "delta":
      if (isObject(value)) {
        return `${field}: ${plain(value.before)} → ${plain(value.after)}`;
      }
  }
  return `**${field}:** ${plain(value)}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ");
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}
