/**
 * Where the time of a modern call goes: the processor time of a server under
 * load, shared out among the steps of a call as its CPU profile says.
 *
 *     deno run -A bench/budget.ts [--seconds=N]
 */

import { modernEchoLoad } from "./harness/echo_load.ts";
import { stepOf, STEPS } from "./harness/call_steps.ts";
import { type CpuProfile, sumUp } from "./harness/cpu_profile.ts";
import { httpTable } from "./harness/http_table.ts";
import { type LoadGenerator, loadGenerator } from "./harness/load.ts";
import { modernEcho } from "./harness/messages.ts";
import { parleyAnswer } from "./harness/parley_answer.ts";
import type { Plan } from "./harness/plan.ts";
import { startServer } from "./harness/server_process.ts";
import { bare, type Offer, parley } from "./harness/server_spec.ts";
import { layOut, median } from "./harness/table.ts";
import { sendTo } from "./harness/verify.ts";

const OFFER: Offer = { mode: "modern" };
const PROFILED = "--cpu-prof-interval=100";

/** Processor microseconds of an answer: of the bare server, and of Parley. */
async function cpuOf(
  plan: Plan,
  load: LoadGenerator,
): Promise<{ bare: number; parley: number }> {
  const answer = await parleyAnswer(plan, OFFER, modernEcho());
  const { rows } = await httpTable(plan, load, {
    group: "budget",
    title: "",
    contenders: [bare(OFFER, answer), parley(OFFER)].map((spec) => ({
      spec,
      prepare: modernEchoLoad,
    })),
  });
  const [base, ours] = rows.map(({ cpu, failure }) => {
    const value = median(cpu ?? []);
    if (value === null) throw new Error(failure ?? "The system tells no CPU");
    return value;
  });
  return { bare: base!, parley: ours! };
}

/** The profile of a server that is loaded for some seconds, and its answers. */
async function profile(
  { directory, seconds }: Plan,
  load: LoadGenerator,
): Promise<{ profile: CpuProfile; answers: number }> {
  const spec = parley(OFFER);
  const flags = ["--cpu-prof", `--cpu-prof-dir=${directory}`, PROFILED];
  let answers = 0;
  {
    await using server = await startServer({ ...spec, flags });
    const echo = await modernEchoLoad(sendTo(server.url), spec);
    answers += (await load.run(server.port, echo, seconds)).requests;
    await server.end();
  }
  for (const { name } of Deno.readDirSync(directory)) {
    if (!name.endsWith(".cpuprofile")) continue;
    const text = await Deno.readTextFile(`${directory}/${name}`);
    return { profile: JSON.parse(text) as CpuProfile, answers };
  }
  throw new Error("The server left no profile");
}

async function main(): Promise<void> {
  const [given = "--seconds=8"] = Deno.args;
  const seconds = Number(/^--seconds=(\d+)$/.exec(given)?.[1]);
  if (!(seconds > 0)) throw new RangeError(`Cannot use ${given}`);
  const directory = await Deno.makeTempDir({ prefix: "parley-budget-" });
  try {
    const load = await loadGenerator(directory);
    const plan = { samples: 5, seconds: 2, quick: false, directory, say() {} };
    const cpu = await cpuOf(plan, load);
    const taken = await profile({ ...plan, seconds }, load);
    const sums = sumUp(taken.profile, stepOf);
    const each = (step: string) => (sums.get(step) ?? 0) / taken.answers;
    const known = STEPS.reduce((sum, [step]) => sum + each(step), 0);
    const line = (name: string, us: number, what = "") => [
      name,
      us.toFixed(2),
      `${(us / cpu.parley * 100).toFixed(0)} %`,
      what,
    ];
    console.log(layOut([
      ["step", "us", "share", ""],
      ...STEPS.map(([step, what]) => line(step, each(step), what)),
      line(
        "runtime, native",
        cpu.parley - known,
        "sockets and HTTP, in and out, outside JavaScript",
      ),
      line("a call", cpu.parley),
      line("the bare server", cpu.bare, "reads the body, answers the same"),
    ]));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

await main();
