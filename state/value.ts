import {
  databaseError,
  serializationError,
  validationError,
} from "../errors.ts";
import type { SchemaResult } from "../types.ts";
import type { StateSet, StateWrite } from "./backend.ts";
import { StateLimits } from "./limits.ts";

/**
 * Gives a value's JSON text.
 *
 * @throws {McpError} `serializationError` naming the key, when JSON cannot carry
 *   the value.
 */
export function toJson(key: string, value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw serializationError(
      `The value of "${key}" cannot be stored as JSON: ${reason(error)}`,
      { key },
      { cause: error },
    );
  }
  if (json !== undefined) return json;
  const kind = value === undefined || typeof value === "object"
    ? "undefined"
    : `a ${typeof value}`;
  throw serializationError(
    `The value of "${key}" cannot be stored as JSON: it is ${kind}`,
    { key },
  );
}

/**
 * Gives the value of a stored JSON text.
 *
 * @throws {McpError} `databaseError` naming the key, when the text is not JSON.
 */
export function fromJson(key: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw databaseError(
      `The stored value of "${key}" cannot be read`,
      { key },
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  if (!(error instanceof TypeError)) return "reading it failed";
  return /BigInt/i.test(error.message)
    ? "it holds a bigint"
    : "it refers to itself";
}

/**
 * A validator after the Standard Schema interface, version 1, as far as state
 * uses it. Zod, Valibot and ArkType schemas are such validators.
 */
export interface StateSchema<T> {
  /** The Standard Schema properties. */
  readonly "~standard": {
    /** Checks a value. */
    readonly validate: (
      value: unknown,
    ) => SchemaResult<T> | Promise<SchemaResult<T>>;
  };
}

/**
 * Gives the stored value as the schema has it.
 *
 * @throws {McpError} `validationError` naming the key and the issues, when the
 *   value does not match.
 */
export async function validateStored<T>(
  key: string,
  value: unknown,
  schema: StateSchema<T>,
): Promise<T> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ path, message }) => ({
    path: (path ?? []).map((part) =>
      String(typeof part === "object" ? part.key : part)
    ).join("."),
    message,
  }));
  const list = issues.slice(0, 5).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`
  );
  throw validationError(
    `The stored value of "${key}" does not match its schema: ${
      list.join("; ")
    }`,
    { key, issues },
  );
}

/** Up to this many characters a value is one entry in Deno KV, whatever they are. */
export const INLINE_LENGTH = 32_000;
/** The largest piece of a longer value, in bytes. */
export const PIECE_BYTES = 65_536;
const encoder = new TextEncoder();

/** The bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Refuses a value that no store takes.
 *
 * @throws {McpError} `validationError` naming the key, the size and the limit.
 */
export function checkValueSize(key: string, json: string): void {
  // No character takes more than three bytes, so most values need no count.
  if (json.length * 3 <= StateLimits.valueBytes) return;
  const size = utf8Length(json);
  if (size <= StateLimits.valueBytes) return;
  throw validationError(
    `The value of "${key}" is ${size} bytes as JSON, over the limit of ${StateLimits.valueBytes} bytes`,
    { key, size, limit: StateLimits.valueBytes },
  );
}

/**
 * Refuses a write that does not fit into one commit.
 *
 * @throws {McpError} `validationError` naming the size and the limit.
 */
export function checkWriteSize(write: StateWrite): void {
  const sets = write.sets ?? [];
  if (fitsAtSight(write)) return;
  let writes = sets.length + (write.deletes?.length ?? 0);
  let marked = 0;
  let keyBytes = 0;
  let bytes = 0;
  for (const set of sets) {
    const size = measure(set);
    // The store is marked as holding pieces, which is one write more.
    if (size.pieces > 0) marked = 1;
    writes += size.pieces;
    keyBytes += size.keyBytes;
    bytes += size.bytes;
  }
  refuseOver(writes + marked, StateLimits.writes, "entries");
  refuseOver(keyBytes, StateLimits.writeKeyBytes, "bytes of keys");
  refuseOver(bytes, StateLimits.writeBytes, "bytes");
  refuseOver(write.checks?.length ?? 0, StateLimits.checks, "checks");
}

/** Most writes are one small value, which need no count. */
function fitsAtSight({ sets, deletes, checks }: StateWrite): boolean {
  return (sets?.length ?? 0) < 2 && (deletes?.length ?? 0) < 2 &&
    (checks?.length ?? 0) < 2 &&
    (sets?.[0]?.value.length ?? 0) <= INLINE_LENGTH;
}

function refuseOver(size: number, limit: number, unit: string): void {
  if (size <= limit) return;
  throw validationError(
    `One write of ${size} ${unit} is over the limit of ${limit} ${unit}`,
    { size, limit },
  );
}

function measure(
  { key, value }: StateSet,
): { pieces: number; keyBytes: number; bytes: number } {
  // Each part is stored with two bytes around it, and the root is one more part.
  let keyLength = 16;
  for (const part of key) keyLength += part.length + 2;
  let pieces = 0;
  let bytes = value.length;
  if (value.length > INLINE_LENGTH) {
    bytes = utf8Length(value);
    pieces = Math.ceil(bytes / PIECE_BYTES);
  } else if (utf8Length(value) !== value.length) {
    // The store keeps such strings as UTF-16.
    bytes = value.length * 2;
  }
  const keyBytes = keyLength * (1 + pieces) + 9 * pieces;
  // The store counts each key twice against the whole. 48 bytes hold the
  // wrapping of a value, its expiry included.
  return { pieces, keyBytes, bytes: bytes + 2 * keyBytes + 48 };
}

/** The latest date that there is, in milliseconds since the epoch. */
const LATEST_DATE = 8.64e15;

/**
 * Gives the moment from which a value is gone.
 *
 * @param ttl Seconds, fractions allowed, or undefined for never.
 * @returns Milliseconds since the epoch, or undefined for never.
 * @throws {McpError} `validationError` when `ttl` is no positive finite number.
 */
export function expiryOf(
  ttl: number | undefined,
  now: number,
): number | undefined {
  if (ttl === undefined) return undefined;
  if (typeof ttl !== "number" || !Number.isFinite(ttl) || ttl <= 0) {
    throw validationError(
      `The ttl is ${
        typeof ttl === "number" ? ttl : `of type ${typeof ttl}`
      }; it takes a positive number of seconds`,
    );
  }
  return Math.min(LATEST_DATE, Math.ceil(now + ttl * 1_000));
}
