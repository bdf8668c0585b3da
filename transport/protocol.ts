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
