import type { ContentBlock } from "../types.ts";

/** How a field of an enrichment is written in the text trailer. */
export type EnrichKind = "notice" | "total" | "echo" | "delta";

/** What `ctx.enrich.delta` takes. */
export interface Delta {
  /** The field that changed; the key it is written under. */
  field: string;
  /** Its value before. */
  before: unknown;
  /** Its value after. */
  after: unknown;
}

/** What `ctx.enrich.truncated` takes. */
export interface Truncation {
  /** How many items are returned. */
  shown: number;
  /** The limit that was applied. */
  cap: number;
  /** An upper bound of what was left out, where one is known. */
  ceiling?: number | undefined;
  /** What the caller can do to see the rest. */
  guidance?: string | undefined;
}

/**
 * Adds facts about a successful result for the calling model: a notice, the
 * query as it was understood, a total. They join the structured result, when
 * the definition declares them, and a text trailer.
 */
export type Enrich<T = Record<string, unknown>> = EnrichCall<T> & EnrichHelpers;

/** Adds fields; later calls override earlier ones. */
// A method's parameters compare both ways, so that a context with declared
// fields still passes where a plain Context is asked for.
export type EnrichCall<T> = { call(fields: T): void }["call"];

/** The helpers of {@linkcode Enrich}, each for a field of a usual name. */
export interface EnrichHelpers {
  /** Writes `notice`: guidance in a sentence. */
  notice(text: string): void;
  /** Writes `totalCount`. */
  total(count: number): void;
  /** Writes `effectiveQuery`: the query as the server understood it. */
  echo(query: string): void;
  /** Writes `{ before, after }` under the field's name. */
  delta(change: Delta): void;
  /** Says that a list was cut: `truncated`, `shown`, `cap`, `notice`. */
  truncated(details: Truncation): void;
}

/** What a call has collected so far. */
export interface EnrichmentStore {
  /** The fields, in the order they were first written. */
  readonly fields: Map<string, unknown>;
  /** How the fields that a helper wrote are rendered. */
  readonly kinds: Map<string, EnrichKind>;
}

/** Makes an empty store. */
export function createEnrichmentStore(): EnrichmentStore {
  return { fields: new Map(), kinds: new Map() };
}

/** Makes an {@linkcode Enrich} that writes to `store`. */
export function createEnrich(store: EnrichmentStore): Enrich {
  function write(key: string, value: unknown, kind?: EnrichKind): void {
    store.fields.set(key, value);
    if (kind === undefined) store.kinds.delete(key);
    else store.kinds.set(key, kind);
  }
  const enrich = (fields: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(fields)) write(key, value);
  };
  return Object.assign(enrich, {
    notice: (text: string) => write("notice", text, "notice"),
    total: (count: number) => write("totalCount", count, "total"),
    echo: (query: string) => write("effectiveQuery", query, "echo"),
    delta: ({ field, before, after }: Delta) =>
      write(field, { before, after }, "delta"),
    truncated: ({ shown, cap, ceiling, guidance }: Truncation) => {
      write("truncated", true);
      write("shown", shown);
      write("cap", cap);
      if (ceiling !== undefined) write("truncationCeiling", ceiling);
      write(
        "notice",
        guidance ?? `Showing ${shown} items, cut at the limit of ${cap}.`,
        "notice",
      );
    },
  });
}

/**
 * Collects blocks for the calling model that are no part of the structured
 * result: images, audio, embedded resources. They come first in `content`.
 */
export interface ContentCollect {
  /** Adds a block as it is. */
  (block: ContentBlock): void;
  /** Adds an image. @param data Base64. @param mimeType Such as `image/png`. */
  image(data: string, mimeType: string): void;
  /** Adds audio. @param data Base64. @param mimeType Such as `audio/wav`. */
  audio(data: string, mimeType: string): void;
}

/** Makes a {@linkcode ContentCollect} that appends to `blocks`. */
export function createContentCollect(
  blocks: ContentBlock[],
): ContentCollect {
  const push = (block: ContentBlock) => void blocks.push(block);
  return Object.assign(push, {
    image: (data: string, mimeType: string) =>
      push({ type: "image", data, mimeType }),
    audio: (data: string, mimeType: string) =>
      push({ type: "audio", data, mimeType }),
  });
}
