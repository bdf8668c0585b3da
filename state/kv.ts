import type { StateBackend } from "./backend.ts";
import { KvBackend } from "./kv_backend.ts";
import type { KvStore } from "./kv_store.ts";
import { openKv } from "./open_kv.ts";

/** Options of {@linkcode kvState}. */
export interface KvStateOptions {
  /**
   * The access token for a KV Connect URL. Otherwise the environment variable
   * `DENO_KV_ACCESS_TOKEN` is used.
   */
  readonly accessToken?: string;
  /**
   * How long to wait for a store that is busy or silent, in milliseconds.
   * 10,000 by default.
   */
  readonly timeout?: number;
  /** The clock, in milliseconds since the epoch. `Date.now` by default. */
  readonly now?: () => number;
}

/** The longest timer there is. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * Keeps state in Deno KV.
 *
 * Nothing is opened before `open()` or the first use, so a server that keeps no
 * state starts without KV.
 *
 * ```ts
 * import { kvState } from "@parley/mcp/state";
 * import assert from "node:assert/strict";
 *
 * const state = kvState(":memory:");
 * await state.commit({ sets: [{ key: ["note", "a"], value: "1" }] });
 * const [entry] = await state.get([["note", "a"]]);
 * assert.equal(entry?.value, "1");
 * await state.close();
 * ```
 *
 * @param target Nothing for the default database of the program, the path of a
 *   file, `":memory:"`, a KV Connect URL, or an open `Deno.Kv`, which is never
 *   closed here.
 * @throws {RangeError} When `timeout` is out of range.
 * @throws {McpError} `configurationError` from `open()` and from the first use
 *   when the database cannot be had.
 */
export function kvState(
  target?: string | KvStore,
  options: KvStateOptions = {},
): StateBackend {
  const { timeout = 10_000, now = Date.now, accessToken } = options;
  if (!(timeout >= 1 && timeout <= LONGEST_TIMEOUT)) {
    throw new RangeError(
      `The timeout is ${timeout}; it takes 1 to ${LONGEST_TIMEOUT} milliseconds`,
    );
  }
  if (target !== undefined && typeof target !== "string") {
    return new KvBackend({
      open: () => Promise.resolve({ store: target, lasting: true }),
      owned: false,
      lasting: true,
      timeout,
      now,
    });
  }
  return new KvBackend({
    open: () =>
      openKv(
        target,
        accessToken === undefined ? { timeout } : { timeout, accessToken },
      ),
    owned: true,
    lasting: target !== ":memory:",
    timeout,
    now,
  });
}
