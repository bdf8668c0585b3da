/** A clock that stands still until it is moved. */
export class Clock {
  /** Milliseconds since the epoch. */
  time: number = Date.now();

  /** The clock as the state takes it. */
  readonly now = (): number => this.time;
}
