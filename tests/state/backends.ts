import { join } from "node:path";
import { sqliteState } from "../../examples/sqlite_backend.ts";
import { kvState, memoryState, type StateBackend } from "../../state/mod.ts";

/** A backend to test, and what it leaves behind. */
export interface MadeBackend {
  readonly backend: StateBackend;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Makes one of the backends, empty; the clock is the real one by default. */
export type MakeBackend = (now?: () => number) => Promise<MadeBackend>;

/** Every backend that the shared tests hold to the same behaviour. */
export const BACKENDS: Readonly<Record<string, MakeBackend>> = {
  "memory": (now) => made(memoryState(clock(now))),
  "KV in memory": (now) => made(kvState(":memory:", clock(now))),
  "KV file": (now) => inFolder((path) => kvState(path, clock(now))),
  "SQLite": (now) => inFolder((path) => sqliteState(path, clock(now))),
};

function clock(now: (() => number) | undefined): { now?: () => number } {
  return now === undefined ? {} : { now };
}

function made(backend: StateBackend, folder?: string): Promise<MadeBackend> {
  return Promise.resolve({
    backend,
    async [Symbol.asyncDispose]() {
      await backend.close();
      if (folder !== undefined) await Deno.remove(folder, { recursive: true });
    },
  });
}

async function inFolder(
  make: (path: string) => StateBackend,
): Promise<MadeBackend> {
  const folder = await Deno.makeTempDir();
  return made(make(join(folder, "state")), folder);
}

/** Registers one test for each backend. */
export function testEachBackend(
  name: string,
  run: (make: MakeBackend) => Promise<void>,
): void {
  for (const [backend, make] of Object.entries(BACKENDS)) {
    Deno.test(`${name} [${backend}]`, () => run(make));
  }
}
