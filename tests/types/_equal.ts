/** Whether two types are the same, in both directions. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;

/** Compiles only for `true`. */
export function expectType<_T extends true>(): void {}
