/** The signals that end a server, and the exit codes that go with them. */
const SIGNALS: readonly (readonly [Deno.Signal, number])[] = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
];

/**
 * Ends the process in good order on SIGINT and SIGTERM: the first one calls
 * `stop`, the second one ends the process at once. When `stop` is done and
 * something else still keeps the process alive, it is ended after `lingerMs`.
 *
 * @returns What stops watching.
 */
export function watchSignals(
  stop: () => Promise<void>,
  lingerMs: number,
): () => void {
  let stopping = false;
  const unwatch = SIGNALS.map(([signal, code]) =>
    watch(signal, () => {
      if (stopping) Deno.exit(code);
      stopping = true;
      stop().finally(() => {
        Deno.unrefTimer(setTimeout(() => Deno.exit(code), lingerMs));
      });
    })
  );
  return () => {
    for (const each of unwatch) each();
  };
}

/** Ends this process, under Deno. */
export function exitProcess(code: number): never {
  Deno.exit(code);
}

function watch(signal: Deno.Signal, listener: () => void): () => void {
  try {
    Deno.addSignalListener(signal, listener);
  } catch {
    // Windows has no SIGTERM.
    return () => {};
  }
  return () => Deno.removeSignalListener(signal, listener);
}
