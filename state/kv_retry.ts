import { databaseError, McpError, serviceUnavailable } from "../errors.ts";
import { validationError } from "../errors.ts";
import { backOff } from "./back_off.ts";

/**
 * Runs one store operation. Busy and throttled answers, which say that nothing
 * was done, are tried again with jittered waits while `limit` milliseconds last.
 * Any other failure is not: a write whose fate is unknown must not be repeated,
 * or a value could be taken twice.
 *
 * @throws {McpError} `serviceUnavailable` when the store stays busy,
 *   `validationError` when the write is too large for it, `databaseError` otherwise.
 */
export async function withRetry<T>(
  run: () => Promise<T>,
  limit: number,
): Promise<T> {
  const start = performance.now();
  for (let attempt = 0;; attempt++) {
    const left = limit - (performance.now() - start);
    try {
      return await within(run(), left, () => unanswered(limit));
    } catch (error) {
      if (!isBusy(error)) throw toStateError(error);
      if (performance.now() - start >= limit) throw stillBusy(limit, error);
    }
    await backOff(attempt);
  }
}

/**
 * Waits for `promise` for at most `limit` milliseconds.
 *
 * @throws What `late` makes, when the time is over first.
 */
export async function within<T>(
  promise: Promise<T>,
  limit: number,
  late: () => Error,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late()), limit);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Whether the store said that it was busy and did nothing. Deno KV gives these
 * as plain `TypeError`s, so the text is all there is to go by.
 */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && !(error instanceof McpError) &&
    /(?:database|table|schema)(?: \S+)? is locked|status=429/.test(
      error.message,
    );
}

function toStateError(error: unknown): McpError {
  if (error instanceof McpError) return error;
  const message = error instanceof Error ? error.message : String(error);
  if (/ too large \(max \d+ bytes\)|^Too many /.test(message)) {
    return validationError(
      `The state store cannot take this: ${message}`,
      undefined,
      { cause: error },
    );
  }
  if (/Bad resource ID|[Dd]atabase is closed/.test(message)) {
    return databaseError("The state store is closed", undefined, {
      cause: error,
    });
  }
  return databaseError("The state store failed", undefined, { cause: error });
}

function stillBusy(limit: number, cause: unknown): McpError {
  return serviceUnavailable(
    `The state store stayed busy for ${limit} ms`,
    undefined,
    { cause },
  );
}

function unanswered(limit: number): McpError {
  return databaseError(
    `The state store did not answer within ${limit} ms; a write may still happen`,
  );
}
