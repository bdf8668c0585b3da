/** What happened under load. */
export class Tally {
  /** How often each thing was done. */
  readonly done = new Map<string, number>();
  /** What should not have happened. */
  readonly violations: string[] = [];

  /** Takes note that something was done, and went as it should. */
  count(what: string): void {
    this.done.set(what, (this.done.get(what) ?? 0) + 1);
  }

  /** Takes note of something that should not have happened. */
  violate(what: string): void {
    // The first ones tell enough.
    if (this.violations.length < 20) this.violations.push(what);
  }

  /** How much was done. */
  get total(): number {
    let sum = 0;
    for (const count of this.done.values()) sum += count;
    return sum;
  }
}

/** Fails when a condition does not hold. */
export function expect(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
