import type { CacheHint } from "../../context/cache_hint.ts";
import { ErrorCode } from "../../errors.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ListEntry } from "../catalog/list_entry.ts";
import type { Exchange } from "../exchange.ts";
import { methodNotFound, wellFormed, WireError } from "../json_rpc.ts";
import { type Era, hintText } from "../protocol.ts";
import { listedResources } from "./listed_resources.ts";

/** The four lists by their method. */
export type ListMethod =
  | "tools/list"
  | "prompts/list"
  | "resources/list"
  | "resources/templates/list";

/** How the lists of an app are shown. */
export interface ListOptions {
  /** Entries a page; all on one page by default. */
  readonly pageSize: number | undefined;
  /** Shows callers only what their scopes let them use. */
  readonly filterByScope: boolean;
  /** Caching hints by method. */
  readonly cacheHints: Readonly<Partial<Record<string, CacheHint>>>;
  /** The `_meta` member of 2026-07-28 results, with its leading comma. */
  readonly meta: string;
}

/** Answers list requests, from texts prepared once where they can be. */
export interface Lists {
  /**
   * The JSON of one page of a list.
   *
   * @throws {WireError} -32601 where nothing of the kind is served; -32602 for
   * a cursor that is not one of the list's.
   */
  page(
    exchange: Exchange,
    method: ListMethod,
    cursor: unknown,
  ): string | Promise<string>;
}

const MEMBERS: Readonly<Record<ListMethod, string>> = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
};

/** Makes the lists of an app (server, utilities, pagination). */
export function createLists(catalog: Catalog, options: ListOptions): Lists {
  const entries: Record<ListMethod, readonly ListEntry[]> = {
    "tools/list": entriesOf(catalog.tools.values()),
    "prompts/list": entriesOf(catalog.prompts.values()),
    "resources/list": entriesOf(catalog.resources.values()),
    "resources/templates/list": entriesOf(catalog.templates),
  };
  const dynamic = catalog.templates.filter(({ definition }) =>
    definition.list !== undefined
  );
  const prepared = new Map<string, ReadonlyMap<string, string>>();

  function pagesOf(
    method: ListMethod,
    era: Era,
    shown: readonly ListEntry[],
    hint: CacheHint | undefined,
  ): ReadonlyMap<string, string> {
    const size = options.pageSize ?? Math.max(1, shown.length);
    const pages = new Map<string, string>();
    for (let start = 0; start === 0 || start < shown.length; start += size) {
      const items = shown.slice(start, start + size).map((entry) => entry[era]);
      const end = start + size;
      const next = end < shown.length
        ? `,"nextCursor":"${cursorAt(method, end)}"`
        : "";
      const list = `"${MEMBERS[method]}":[${items.join(",")}]${next}`;
      pages.set(
        start === 0 ? "" : cursorAt(method, start),
        wellFormed(
          era === "modern"
            ? `{"resultType":"complete",${list}${
              hintText(hint)
            }${options.meta}}`
            : `{${list}}`,
        ),
      );
    }
    return pages;
  }

  function preparedPages(
    method: ListMethod,
    era: Era,
  ): ReadonlyMap<string, string> {
    const key = `${era} ${method}`;
    let pages = prepared.get(key);
    if (pages === undefined) {
      const hint = options.cacheHints[method];
      pages = pagesOf(method, era, entries[method], hint);
      prepared.set(key, pages);
    }
    return pages;
  }

  async function freshPages(
    exchange: Exchange,
    method: ListMethod,
  ): Promise<ReadonlyMap<string, string>> {
    let shown = entries[method];
    if (method === "resources/list") {
      shown = [...shown, ...await listedResources(exchange, catalog)];
    }
    const { cacheHints, filterByScope } = options;
    const hint = cacheHints[method];
    if (!filterByScope || exchange.auth === undefined) {
      return pagesOf(method, exchange.era, shown, hint);
    }
    const granted = exchange.auth.scopes;
    shown = shown.filter(({ scopes }) =>
      scopes === undefined || scopes.every((scope) => granted.includes(scope))
    );
    // What differs between callers is not for shared caches.
    const own: CacheHint = { ttlMs: hint?.ttlMs, scope: "private" };
    return pagesOf(method, exchange.era, shown, own);
  }

  const methods = Object.keys(MEMBERS) as ListMethod[];
  // Where there are no resources there may be templates, and the other way.
  const resources = [
    ...entries["resources/list"],
    ...entries["resources/templates/list"],
  ];
  const served = new Set(
    methods.filter((method) =>
      (method.startsWith("resources/") ? resources : entries[method]).length > 0
    ),
  );
  return {
    page(exchange, method, cursor) {
      if (!served.has(method)) throw methodNotFound(method);
      if (cursor !== undefined && typeof cursor !== "string") {
        throw badCursor();
      }
      const fresh = (dynamic.length > 0 && method === "resources/list") ||
        (options.filterByScope && exchange.auth !== undefined);
      if (!fresh) return pageAt(preparedPages(method, exchange.era), cursor);
      return freshPages(exchange, method).then((pages) =>
        pageAt(pages, cursor)
      );
    },
  };
}

function pageAt(
  pages: ReadonlyMap<string, string>,
  cursor: string | undefined,
): string {
  const page = cursor === "" ? undefined : pages.get(cursor ?? "");
  if (page === undefined) throw badCursor();
  return page;
}

/** A cursor names a position in one list; clients take it as opaque. */
function cursorAt(method: ListMethod, start: number): string {
  return btoa(`${method} ${start}`).replace(/=+$/, "");
}

function badCursor(): WireError {
  return new WireError(
    ErrorCode.InvalidParams,
    "Invalid cursor: it is not one that this list gave out",
  );
}

function entriesOf(
  compiled: Iterable<{ readonly entry: ListEntry }>,
): readonly ListEntry[] {
  return Array.from(compiled, ({ entry }) => entry);
}
