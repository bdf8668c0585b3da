/**
 * What one call of `ctx.state` may write. They are the limits of Deno KV with
 * room for keys, and hold on every backend so that code written against one
 * runs on the others.
 */
export const StateLimits = {
  /** The longest key, in characters. */
  keyLength: 1_024,
  /** The largest value, in bytes of its JSON text. */
  valueBytes: 768_000,
  /** The most values in one write; a value over 32,000 characters counts once for each 64 KiB more. */
  writes: 1_000,
  /** The most bytes in one write, values and keys together. */
  writeBytes: 819_200,
  /** The most bytes of keys in one write. */
  writeKeyBytes: 81_920,
  /** The most checks in one write. */
  checks: 100,
  /** The most items on one page of a list. */
  pageSize: 1_000,
} as const;
