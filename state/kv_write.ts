import type { StateKey, StateWrite } from "./backend.ts";
import { headKey, parseVersion, pieceKey, splitValue } from "./kv_record.ts";
import type { KvAtomic, KvKey } from "./kv_store.ts";
import { StateLimits } from "./limits.ts";

/** Exists once a store has held a value in pieces. */
export const LONG_MARK: KvKey = ["parley/long"];

/** A long value that a write replaces or removes. */
export interface ReplacedValue {
  /** Where it is. */
  readonly key: StateKey;
  /** How many pieces it has. */
  readonly pieces: number;
  /** The versionstamp of its head and pieces. */
  readonly versionstamp: string;
}

/** A piece that belongs to no value any more. */
export interface LeftoverPiece {
  /** Where it is. */
  readonly key: KvKey;
  /** Its versionstamp, unless a newer value has taken its place. */
  readonly versionstamp: string;
}

/** Deno KV removes what expired, never early; it cannot note a date beyond this. */
const LATEST_REMOVAL_MS = 1e12;

/**
 * Adds a whole write to an atomic operation.
 *
 * @returns Whether it stores a value in pieces, and the pieces it replaces for
 *   whose removal there was no room.
 */
export function addWrite(
  atomic: KvAtomic,
  write: StateWrite,
  replaced: readonly ReplacedValue[],
  now: number,
): { long: boolean; leftovers: LeftoverPiece[] } {
  for (const { key, version } of write.checks ?? []) {
    const versionstamp = version === null
      ? null
      : parseVersion(version).versionstamp;
    atomic.check({ key: headKey(key), versionstamp });
  }
  let mutations = 1;
  for (const key of write.deletes ?? []) {
    atomic.delete(headKey(key));
    mutations++;
  }
  const newPieces = new Map<string, number>();
  for (const set of write.sets ?? []) {
    const { head, pieces } = splitValue(set);
    const options = removal(set.expiresAt, now);
    atomic.set(headKey(set.key), head, options);
    for (const [index, piece] of pieces.entries()) {
      atomic.set(pieceKey(set.key, index), piece, options);
    }
    mutations += 1 + pieces.length;
    if (pieces.length > 0) newPieces.set(set.key.join(" "), pieces.length);
  }
  const leftovers: LeftoverPiece[] = [];
  for (const { key, pieces, versionstamp } of replaced) {
    const first = newPieces.get(key.join(" ")) ?? 0;
    for (let index = first; index < pieces; index++) {
      if (mutations++ < StateLimits.writes) atomic.delete(pieceKey(key, index));
      else leftovers.push({ key: pieceKey(key, index), versionstamp });
    }
  }
  const long = newPieces.size > 0;
  if (long) atomic.set(LONG_MARK, true);
  return { long, leftovers };
}

function removal(
  expiresAt: number | undefined,
  now: number,
): { expireIn?: number } {
  if (expiresAt === undefined) return {};
  const expireIn = Math.max(0, Math.ceil(expiresAt - now));
  return expireIn > LATEST_REMOVAL_MS ? {} : { expireIn };
}
