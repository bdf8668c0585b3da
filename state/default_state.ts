import type { StateBackend } from "./backend.ts";
import { hasDenoKv } from "./has_deno_kv.ts";
import { kvState } from "./kv.ts";
import { memoryState } from "./memory.ts";

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
