/**
 * The server that is put under load: one of everything that can leak. It says
 * on stdout where it is, and where it tells of itself.
 */
import { putForward, timers } from "./_instrument.ts";
import { createApp, kvState, tool, z } from "../../mod.ts";

const [file = ":memory:"] = Deno.args;
const state = kvState(file);
const faults: string[] = [];

addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  faults.push(`unhandled rejection: ${event.reason?.stack ?? event.reason}`);
});

const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done);
  });

const Text = z.object({ text: z.string() });

const app = createApp({
  name: "soak",
  version: "1.0.0",
  state,
  logLevel: "emergency",
  callTimeoutMs: 60_000,
  limits: { concurrentCalls: 10_000, openStreams: 10_000 },
  tools: [
    tool("echo", {
      input: Text,
      output: Text,
      handler: ({ text }) => ({ text }),
    }),
    tool("count", {
      input: z.object({ key: z.string() }),
      async handler({ key }, { state }) {
        await state.set(`note/${key}`, { at: Date.now() }, { ttl: 30 });
        const next = await state.update<number>(
          `count/${key}`,
          (n) => (n ?? 0) + 1,
          { ttl: 30 },
        );
        return String(next);
      },
    }),
    tool("progress", {
      input: z.object({ steps: z.number(), size: z.number() }),
      async handler({ steps, size }, ctx) {
        for (let step = 1; step <= steps; step++) {
          ctx.progress(step, steps, "x".repeat(size));
          await sleep(1);
        }
        return `${steps} steps`;
      },
    }),
    tool("wait", {
      input: z.object({ ms: z.number() }),
      async handler({ ms }, { signal, progress }) {
        progress(1);
        await sleep(ms, signal);
        return signal.aborted ? "stopped" : "waited";
      },
    }),
    tool("ask", {
      async handler(_args, ctx) {
        const { name } = await ctx.ask("name", {
          message: "Name?",
          schema: z.object({ name: z.string() }),
        });
        const { size } = await ctx.ask("size", {
          message: "Size?",
          schema: z.object({ size: z.number() }),
        });
        return `${name} ${size}`;
      },
    }),
    tool("wipe", {
      input: z.object({ path: z.string() }),
      async handler({ path }, ctx) {
        await ctx.consent("sure", {
          message: `Wipe ${path}?`,
          schema: z.object({ sure: z.boolean() }),
          target: path,
          content: { path },
          ttl: 30,
        });
        return `wiped ${path}`;
      },
    }),
    tool("fail", {
      handler() {
        throw new Error("as it should");
      },
    }),
    tool("change", {
      handler(_args, ctx) {
        ctx.notifyToolListChanged();
        return "changed";
      },
    }),
  ],
});

const listener = await app.listen({ port: 0, onListen() {} });

/** How many entries a part of the store has, and how many of them stay for ever. */
async function entries(area: string): Promise<[number, number]> {
  let after: string | undefined;
  let all = 0;
  let lasting = 0;
  for (;;) {
    const page = await state.list({
      prefix: ["parley", area],
      limit: 1_000,
      ...(after !== undefined && { after }),
    });
    all += page.length;
    lasting += page.filter(({ expiresAt }) => expiresAt === undefined).length;
    if (page.length < 1_000) return [all, lasting];
    after = page.at(-1)?.key.at(-1);
  }
}

function openFiles(): number {
  try {
    return [...Deno.readDirSync("/proc/self/fd")].length;
  } catch {
    // Only Linux tells.
    return 0;
  }
}

const collect = Reflect.get(globalThis, "gc") as (() => void) | undefined;

/** Tells of this process, on a port that is not under load. */
const control = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/forward") putForward(Number(searchParams.get("ms")));
    if (pathname === "/close") {
      await app.close();
      queueMicrotask(() => control.shutdown());
    }
    collect?.();
    await sleep(10);
    collect?.();
    const { heapUsed, rss, external } = Deno.memoryUsage();
    const sessions = pathname === "/close" ? [0, 0] : await entries("session");
    return Response.json({
      heap: heapUsed + external,
      rss,
      timers: timers(),
      files: openFiles(),
      sessions: sessions[0],
      lastingSessions: sessions[1],
      faults,
    });
  },
);

console.log(
  JSON.stringify({ url: listener.url, control: control.addr.port }),
);
