import { configurationError } from "../errors.ts";

/** Where state is kept, as `MCP_STATE` says it. */
export type StateTarget =
  | {
    /** This process. */
    readonly kind: "memory";
  }
  | {
    /** Deno KV. */
    readonly kind: "kv";
    /** A path, `":memory:"` or a KV Connect URL; absent for the default database. */
    readonly target?: string;
  };

/**
 * Reads the value of `MCP_STATE`: `memory`, `kv`, or `kv:` and a path or URL.
 *
 * @throws {McpError} `configurationError` naming the variable and what it takes.
 */
export function parseStateTarget(value: string): StateTarget {
  if (value === "memory") return { kind: "memory" };
  if (value === "kv") return { kind: "kv" };
  const target = value.startsWith("kv:") ? value.slice(3) : "";
  if (target !== "") return { kind: "kv", target };
  // The value is not shown: a URL in it can carry a token.
  throw configurationError(
    'MCP_STATE is not understood; it takes "memory", "kv", or "kv:" and a path or a KV Connect URL',
  );
}
