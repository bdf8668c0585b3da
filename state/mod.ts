/**
 * Tenant-scoped storage for handlers, and the stores that hold it: Deno KV,
 * memory, or your own {@linkcode StateBackend}.
 *
 * ```ts
 * import { createTenantState, memoryState } from "@parley/mcp/state";
 * import assert from "node:assert/strict";
 *
 * const state = createTenantState(memoryState(), "acme");
 * await state.set("item/1", { count: 1 });
 * await state.update<{ count: number }>(
 *   "item/1",
 *   (item) => ({ count: (item?.count ?? 0) + 1 }),
 * );
 * assert.deepEqual(await state.get("item/1"), { count: 2 });
 * ```
 *
 * @module
 */

export type {
  StateBackend,
  StateCheck,
  StateEntry,
  StateKey,
  StateRange,
  StateSet,
  StateWrite,
} from "./backend.ts";
export type {
  ContextState,
  StateItem,
  StateListOptions,
  StatePage,
  StateUpdateOptions,
  StateWriteOptions,
} from "./context_state.ts";
export {
  type DefaultState,
  defaultState,
  parseStateTarget,
  type StateTarget,
} from "./default_state.ts";
export { keyPart, StateLimits } from "./limits.ts";
export { kvState, type KvStateOptions } from "./kv.ts";
export type { KvAtomic, KvEntry, KvKey, KvStore } from "./kv_store.ts";
export { memoryState, type MemoryStateOptions } from "./memory.ts";
export type { StateSchema } from "./value.ts";
export type { TenantStateOptions } from "./tenant_operations.ts";
export { createTenantState } from "./tenant_state.ts";
export type { StateSpan } from "./traced_state.ts";
