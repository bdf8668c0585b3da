import { databaseError } from "../errors.ts";
import type { StateKey, StateSet } from "./backend.ts";
import type { KvKey } from "./kv_store.ts";
import { INLINE_LENGTH, PIECE_BYTES } from "./value.ts";

// How state lies in Deno KV:
//
//   ["parley/3", "tenant", "acme", "k"]          the head of a three-part key
//   ["parley/piece", "tenant", "acme", "k", 0]   the first piece of a long value
//
// The number of parts stands in the root, so that a list of one level never
// meets a deeper one. A head is the value itself (a string), or an object when
// the value expires or is long. Head and pieces of a long value are written by
// one commit and so have one versionstamp; that is how a reader knows that they
// belong together.

/** A head that is more than the text. */
export interface KvHead {
  /** The value, unless it is in pieces. */
  readonly text?: string;
  /** How many pieces the value has. */
  readonly pieces?: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where the head of an entry is. */
export function headKey(key: StateKey): KvKey {
  return [`parley/${key.length}`, ...key];
}

/** Where a piece of a long value is. */
export function pieceKey(key: StateKey, index: number): KvKey {
  return ["parley/piece", ...key, index];
}

/** The key of a head without its root. */
export function fromHeadKey(key: readonly unknown[]): StateKey {
  return key.slice(1) as string[];
}

/**
 * Reads a head.
 *
 * @throws {McpError} `databaseError` when it is none.
 */
export function readHead(value: unknown): KvHead {
  if (typeof value === "string") return { text: value };
  if (typeof value === "object" && value !== null) {
    const { text, pieces } = value as KvHead;
    if (typeof text === "string" || typeof pieces === "number") return value;
  }
  throw databaseError("The state store holds an entry that is not of its form");
}

/** What the version of an entry tells besides its versionstamp. */
export interface KvVersion {
  /** The versionstamp of Deno KV. */
  readonly versionstamp: string;
  /** How many pieces the value has, 0 for none. */
  readonly pieces: number;
  /** Milliseconds since the epoch, or undefined for never. */
  readonly expiresAt: number | undefined;
}

/**
 * Writes a version. It carries what a later write that names it must know about
 * the value it replaces, and saves that write a read.
 */
export function formatVersion(versionstamp: string, head: KvHead): string {
  if (head.pieces === undefined && head.expiresAt === undefined) {
    return versionstamp;
  }
  return `${versionstamp}/${head.pieces ?? 0}/${head.expiresAt ?? ""}`;
}

/** Reads what {@linkcode formatVersion} wrote. */
export function parseVersion(version: string): KvVersion {
  const [versionstamp = "", pieces, expiresAt] = version.split("/");
  return {
    versionstamp,
    pieces: Number(pieces ?? 0),
    expiresAt: expiresAt ? Number(expiresAt) : undefined,
  };
}

/** Makes the head and the pieces of a value. */
export function splitValue(
  { value, expiresAt }: StateSet,
): { head: string | KvHead; pieces: Uint8Array[] } {
  if (value.length <= INLINE_LENGTH) {
    const head = expiresAt === undefined ? value : { text: value, expiresAt };
    return { head, pieces: [] };
  }
  const bytes = encoder.encode(value);
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    pieces.push(bytes.subarray(start, start + PIECE_BYTES));
  }
  const head = { pieces: pieces.length };
  return {
    head: expiresAt === undefined ? head : { ...head, expiresAt },
    pieces,
  };
}

/** Puts the pieces of a long value together. */
export function joinPieces(pieces: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return decoder.decode(bytes);
}
