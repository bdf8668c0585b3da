/**
 * Puts a server under mixed load for a while: clients of both eras that call,
 * answer, listen, leave, cancel, read slowly and send nonsense. Fails when a call
 * stays without its answer, or when anything is left over.
 *
 * ```sh
 * deno run -A tests/soak/soak.ts --seconds=300
 * deno run -A tests/soak/soak.ts --short
 * ```
 *
 * The short form, of 15 seconds, does not judge memory. `--clients=`, `--seed=`
 * and `--era=2025` or `--era=2026` help to find the cause of a failure.
 */
import { LegacyClient } from "./_legacy_client.ts";
import { type Deed, ModernClient } from "./_modern_client.ts";
import { Random } from "./_random.ts";
import { ServerProcess, type Stats } from "./_server_process.ts";
import { sleep, Tally } from "./_tally.ts";

/** How long an answer may take, ms. */
const PATIENCE_MS = 30_000;
/** How much memory may grow after it was first looked at. */
const GROWTH = 1.2;
/** Shorter runs see the process still growing into its work. */
const MEMORY_SECONDS = 120;
/** After how long every session has expired, ms. */
const EXPIRY_MS = 32 * 60_000;

interface Options {
  readonly seconds: number;
  readonly clients: number;
  readonly seed: number;
  /** The era of the clients; both without it. */
  readonly era: string | undefined;
}

function readOptions(args: readonly string[]): Options {
  const short = args.includes("--short");
  const number = (name: string, otherwise: number) => {
    const given = args.find((arg) => arg.startsWith(`--${name}=`));
    const value = Number(given?.split("=")[1] ?? otherwise);
    if (Number.isInteger(value) && value > 0) return value;
    console.error(`--${name} takes a whole number of 1 or more`);
    Deno.exit(2);
  };
  return {
    seconds: number("seconds", short ? 15 : 300),
    clients: number("clients", 64),
    seed: number("seed", 1 + Math.floor(Math.random() * 1_000_000)),
    era: args.find((arg) => arg.startsWith("--era="))?.slice(6),
  };
}

function choose(deeds: readonly Deed[], random: Random): Deed {
  let left = random.next() *
    deeds.reduce((sum, [, weight]) => sum + weight, 0);
  return deeds.find(([, weight]) => (left -= weight) < 0) ?? deeds[0]!;
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), PATIENCE_MS);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** One client, until the time is up. */
async function act(
  era: string,
  deeds: readonly Deed[],
  random: Random,
  tally: Tally,
  until: number,
): Promise<void> {
  while (Date.now() < until) {
    const [name, , deed] = choose(deeds, random);
    const what = `${era}: ${name}`;
    try {
      await inTime(deed());
      tally.count(what);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      tally.violate(`${what}: ${why}`);
      await sleep(100);
    }
    await sleep(random.int(1, 60));
  }
}

async function load(
  url: string,
  { clients, seed, seconds, era: only }: Options,
  tally: Tally,
): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const random = new Random(seed * 1_000 + index);
      const modern = only === undefined ? index % 2 === 0 : only === "2026";
      const [era, client] = modern
        ? ["2026", new ModernClient(url, random)] as const
        : ["2025", new LegacyClient(url, random)] as const;
      await act(era, client.deeds(), random, tally, until);
      await client.end().catch((error) => tally.violate(`${era}: ${error}`));
    }),
  );
}

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`;

/**
 * Timers that a server has while there are sessions to come back to, however
 * many: the look at the store, the pulse, and the sweep of streams left behind.
 */
const STANDING_TIMERS = 3;

/** Waits for what is on its way out, and gives what is there then. */
async function calm(server: ServerProcess, before: Stats): Promise<Stats> {
  for (let attempt = 1;; attempt++) {
    const now = await server.stats();
    const left = now.timers > STANDING_TIMERS || now.files > before.files;
    if (!left || attempt === 40) return now;
    await sleep(250);
  }
}

async function run(options: Options): Promise<boolean> {
  const tally = new Tally();
  await using server = await ServerProcess.start();
  server.status.then(({ code }) => {
    if (code !== 0) tally.violate(`the server ended with ${code}`);
  });
  // What it needs from the first call on is no leak.
  await load(server.url, { ...options, clients: 2, seconds: 1 }, new Tally());
  const before = await server.stats();

  const warm = Math.min(60, Math.ceil(options.seconds / 3));
  let early = before;
  const measured = sleep(warm * 1_000).then(async () => {
    early = await server.stats();
  });
  let late = before;
  const measuredAgain = sleep((options.seconds - 1) * 1_000).then(async () => {
    late = await server.stats();
  });
  await load(server.url, options, tally);
  await Promise.all([measured, measuredAgain]);
  const after = await calm(server, before);
  const expired = await server.putForward(EXPIRY_MS);
  // What has expired is let go when there is something new.
  await load(server.url, { ...options, seconds: 5 }, tally);
  const fresh = await calm(server, before);
  const closed = await server.close();
  const { code } = await server.status;

  const hold = (condition: boolean, what: string) => {
    if (!condition) tally.violate(what);
  };
  for (const fault of closed.faults) tally.violate(fault);
  hold(code === 0, `the server ended with ${code}`);
  hold(
    after.timers <= STANDING_TIMERS,
    `${after.timers} timers are left, at most ${STANDING_TIMERS} may be`,
  );
  hold(
    after.files <= before.files,
    `${after.files} files are open, there were ${before.files}`,
  );
  hold(closed.timers <= 0, `${closed.timers} timers outlive the app`);
  hold(after.lastingSessions === 0, "there are sessions that never expire");
  hold(
    expired.sessions === 0,
    `${expired.sessions} sessions are there after their expiry`,
  );
  if (options.seconds >= MEMORY_SECONDS) {
    hold(
      late.rss <= early.rss * GROWTH,
      `the process grew from ${megabytes(early.rss)} to ${megabytes(late.rss)}`,
    );
    hold(
      fresh.heap <= early.heap * GROWTH,
      `of ${megabytes(early.heap)} of objects ${
        megabytes(fresh.heap)
      } are left after their expiry`,
    );
  }

  const table = [...tally.done].sort(([a], [b]) => a.localeCompare(b));
  for (const [what, count] of table) console.log(`${count}`.padStart(8), what);
  console.log(`
${options.clients} clients, ${options.seconds} s, seed ${options.seed}: ${tally.total} things done, ${
    Math.round(tally.total / options.seconds)
  } a second
memory   after ${warm} s: heap ${megabytes(early.heap)}, process ${
    megabytes(early.rss)
  }
         at the end: heap ${megabytes(late.heap)}, process ${
    megabytes(late.rss)
  }
         when all was calm: heap ${
    megabytes(after.heap)
  }, after all expired: heap ${megabytes(fresh.heap)}
timers   ${before.timers} before, ${after.timers} after, ${closed.timers} when closed
files    ${before.files} before, ${after.files} after
sessions ${after.sessions} left behind, ${expired.sessions} after their expiry`);
  for (const violation of tally.violations) {
    console.log(`VIOLATION ${violation}`);
  }
  console.log(tally.violations.length === 0 ? "passed" : "FAILED");
  return tally.violations.length === 0;
}

if (!await run(readOptions(Deno.args))) Deno.exit(1);
