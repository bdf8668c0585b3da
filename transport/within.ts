/**
 * Waits for a promise, but no longer than `ms`.
 *
 * @returns Whether it settled in time.
 */
export async function settledWithin(
  ms: number,
  promise: Promise<unknown>,
): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = promise.then(() => true as const, () => true as const);
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
