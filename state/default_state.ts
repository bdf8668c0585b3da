import type { StateBackend } from "./backend.ts";
import { kvState } from "./kv.ts";
import { memoryState } from "./memory.ts";
import { configurationError } from "../errors.ts";

/** The store that is used when none was asked for. */
export interface DefaultState {
  /** The store, not opened yet. */
  readonly backend: StateBackend;
  /** What to tell the operator once, if the store loses its data with the process. */
  readonly warning?: string;
}

/** Gives the default Deno KV database where there is Deno KV, and memory elsewhere. */
export function defaultState(): DefaultState {
  if (hasDenoKv()) return { backend: kvState() };
  return {
    backend: memoryState(),
    warning:
      'State is kept in memory: it is lost when this process ends, and no other process or isolate sees it. Run Deno with --unstable-kv or put "unstable": ["kv"] into deno.json to keep it in Deno KV, or set MCP_STATE=memory if this is meant',
  };
}

/** Whether this runtime has Deno KV, and it is switched on. */
function hasDenoKv(): boolean {
  // Reading the function would load the client of the database.
  return globalThis.Deno !== undefined && "openKv" in Deno;
}

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
