/**
 * Prints by how many bytes the heap grows with 10,000 calls of each era, once
 * the calls before have warmed it up. Run with `--v8-flags=--expose-gc`.
 */

import {
  echoApp,
  legacyEcho,
  modernEcho,
  openSession,
  SERVED,
} from "./_echo_app.ts";

const CALLS = 10_000;
const WARM_UP = 3_000;
const collect = Reflect.get(globalThis, "gc") as () => void;

const app = echoApp();
const session = await openSession(app);

async function calls(count: number, request: () => Request): Promise<void> {
  for (let i = 0; i < count; i++) {
    await (await app.fetch(request(), SERVED)).text();
  }
}

/** The bytes in use, after what is no longer needed was collected. */
async function heapUsed(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
  }
  return Deno.memoryUsage().heapUsed;
}

async function growth(request: () => Request): Promise<number> {
  await calls(WARM_UP, request);
  const before = await heapUsed();
  await calls(CALLS, request);
  return await heapUsed() - before;
}

const modern = await growth(modernEcho);
const legacy = await growth(() => legacyEcho(session));
await app.close();
console.log(JSON.stringify({ modern, legacy }));
