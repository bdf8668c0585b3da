/** How long a result may be cached, and by whom (2026-07-28, caching). */
export interface CacheHint {
  /** Milliseconds it counts as fresh; an integer, 0 or more. */
  readonly ttlMs?: number | undefined;
  /** `"public"` only when it is the same for every caller. */
  readonly scope?: "public" | "private" | undefined;
}
