import type { CacheHint } from "../context/cache_hint.ts";

/** The revision served without sessions: every request stands alone. */
export const MODERN_VERSION = "2026-07-28";

/** The revisions served after an `initialize`, newest first. */
export const LEGACY_VERSIONS: readonly string[] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
];

/** Which of the two families of revisions a request belongs to. */
export type Era = "modern" | "legacy";

/** The reserved `_meta` keys (2026-07-28, basic, `_meta`). */
export const Meta = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
} as const;

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
