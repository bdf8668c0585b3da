import { validationError } from "../errors.ts";

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
