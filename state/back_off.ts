import { conflict } from "../errors.ts";

/** How often a contended operation is tried. */
const ATTEMPTS = 100;

/**
 * Waits a random time that grows with the attempts made, up to 50 ms, so that
 * rivals for one entry fall out of step.
 *
 * @param attempt How many attempts came before, 0 for none.
 */
export function backOff(attempt: number): Promise<void> {
  const longest = Math.min(50, 2 ** attempt);
  return new Promise((resolve) => {
    setTimeout(resolve, Math.random() * longest);
  });
}

/**
 * Repeats `step` until it gives something else than `undefined`, which it does
 * when it lost a race.
 *
 * @param what What the race is for, as the subject of a sentence.
 * @throws {McpError} `conflict` after 100 lost races.
 */
export async function untilDone<T>(
  what: string,
  step: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await step();
    if (result !== undefined) return result;
    await backOff(attempt);
  }
  throw conflict(`${what} kept changing; gave up after ${ATTEMPTS} attempts`);
}
