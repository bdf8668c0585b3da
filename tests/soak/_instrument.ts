/**
 * Counts the timers of this process and lets its clock be put forward. Must be
 * imported before whatever is to be watched.
 *
 * @module
 */

const running = new Set<number>();
let ahead = 0;

const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
const now = Date.now;

globalThis.setTimeout = ((
  callback: (...args: unknown[]) => void,
  ms?: number,
  ...args: unknown[]
) => {
  const id = setTimeout(() => {
    running.delete(Number(id));
    callback(...args);
  }, ms);
  running.add(Number(id));
  return id;
}) as typeof globalThis.setTimeout;

globalThis.setInterval = ((
  callback: (...args: unknown[]) => void,
  ms?: number,
  ...args: unknown[]
) => {
  const id = setInterval(callback, ms, ...args);
  running.add(Number(id));
  return id;
}) as typeof globalThis.setInterval;

globalThis.clearTimeout = (id) => {
  running.delete(Number(id));
  clearTimeout(id);
};

globalThis.clearInterval = (id) => {
  running.delete(Number(id));
  clearInterval(id);
};

Date.now = () => now() + ahead;

/** How many timers wait. */
export function timers(): number {
  return running.size;
}

/** Puts the clock forward. */
export function putForward(ms: number): void {
  ahead += ms;
}
