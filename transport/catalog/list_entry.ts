/** One entry of a list, as the lists of the two eras show it. */
export interface ListEntry {
  /** JSON for 2026-07-28. */
  readonly modern: string;
  /** JSON for the revisions before. */
  readonly legacy: string;
  /** Scopes the caller must have to use it. */
  readonly scopes: readonly string[] | undefined;
}
