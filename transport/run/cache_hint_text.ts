import type { CacheHint } from "../../context/cache_hint.ts";

/** The members of a caching hint as JSON, with the leading comma (2026-07-28, server, utilities, caching). */
export function hintText(hint: CacheHint | undefined): string {
  const { ttlMs = 0, scope = "private" } = hint ?? {};
  return `,"ttlMs":${ttlMs},"cacheScope":"${scope}"`;
}

/**
 * Checks a caching hint.
 *
 * @throws {RangeError} When its time is no integer of 0 or more.
 * @throws {TypeError} When its scope is neither "public" nor "private".
 */
export function checkHint(hint: CacheHint | undefined, owner: string): void {
  const { ttlMs = 0, scope = "private" } = hint ?? {};
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) {
    throw new RangeError(
      `Cannot use the cache hint of ${owner}: ttlMs is ${ttlMs}, and must be an integer of 0 or more`,
    );
  }
  if (scope !== "public" && scope !== "private") {
    throw new TypeError(
      `Cannot use the cache hint of ${owner}: scope is "${scope}", and must be "public" or "private"`,
    );
  }
}
