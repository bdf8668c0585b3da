/** Counts uses of a function while `run` runs, and puts the function back. */
export async function countUses<K extends string>(
  target: { [key in K]: unknown },
  name: K,
  run: () => Promise<unknown>,
): Promise<number> {
  const original = target[name] as (...args: unknown[]) => unknown;
  let uses = 0;
  target[name] = new Proxy(original, {
    apply(wrapped, self, args) {
      uses++;
      return Reflect.apply(wrapped, self, args);
    },
    construct(wrapped, args) {
      uses++;
      return Reflect.construct(wrapped, args);
    },
  });
  try {
    await run();
  } finally {
    target[name] = original;
  }
  return uses;
}
