import { mock } from "node:test";

/** A clock that stands still until it is told otherwise. */
export interface FakeClock extends Disposable {
  /** Sets the clock, in seconds since the Unix epoch. */
  set(seconds: number): void;
}

/** Stops `Date` until the clock is disposed. Timers go on. */
export function fakeClock(seconds: number): FakeClock {
  mock.timers.enable({ apis: ["Date"], now: seconds * 1000 });
  return {
    set: (seconds) => mock.timers.setTime(seconds * 1000),
    [Symbol.dispose]: () => mock.timers.reset(),
  };
}
