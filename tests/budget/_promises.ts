type Hook = (() => void) | undefined;

interface Core {
  setPromiseHooks(init: Hook, before: Hook, after: Hook, resolve: Hook): void;
}

/** Deno's own core, where V8 tells of promises; no standard interface does. */
function denoCore(): Core {
  const key = Reflect.get(Deno, "internal") as symbol;
  return (Reflect.get(Deno, key) as { core: Core }).core;
}

/** Runs something, and tells how many promises were made, the runtime's own included. */
export async function countPromises<T>(
  run: () => Promise<T>,
): Promise<{ made: number; value: T }> {
  const core = denoCore();
  let made = 0;
  core.setPromiseHooks(() => void made++, undefined, undefined, undefined);
  try {
    const value = await run();
    return { made, value };
  } finally {
    core.setPromiseHooks(undefined, undefined, undefined, undefined);
  }
}
