/** Loads a server and counts its answers: `wrk` where there is one, else our own. */

import { WRK_DONE, wrkScript } from "./wrk_script.ts";
import { CONNECTIONS, type Load, type LoadResult } from "./load_job.ts";
import { outputOf } from "./output.ts";
import { benchPath } from "./paths.ts";

/** Something that loads a server. */
export interface LoadGenerator {
  /** What it is called in the report. */
  readonly name: string;
  /** Loads the server on a port for some seconds. */
  run(port: number, load: Load, seconds: number): Promise<LoadResult>;
}

class Wrk implements LoadGenerator {
  readonly name = `wrk -t1 -c${CONNECTIONS}`;
  readonly #directory: string;
  #scripts = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async run(port: number, load: Load, seconds: number): Promise<LoadResult> {
    const script = `${this.#directory}/load_${this.#scripts++}.lua`;
    await Deno.writeTextFile(script, wrkScript(load));
    const text = await outputOf("wrk", [
      "-t1",
      `-c${CONNECTIONS}`,
      `-d${Math.max(1, Math.round(seconds))}s`,
      "-s",
      script,
      `http://127.0.0.1:${port}/mcp`,
    ]);
    await Deno.remove(script);
    const line = text.split("\n").find((line) => line.startsWith(WRK_DONE));
    if (line === undefined) {
      throw new Error(`Cannot read wrk's output: ${text}`);
    }
    const [requests, us, failures, p99] = line.slice(WRK_DONE.length)
      .trim().split(" ").map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
    return {
      perSecond: requests / (us / 1e6),
      requests,
      failures,
      p99: p99 / 1000,
    };
  }
}

class OwnGenerator implements LoadGenerator {
  readonly name =
    `the built-in generator, ${CONNECTIONS} connections (no wrk found: the figures of the fastest servers are its own limit)`;

  async run(port: number, load: Load, seconds: number): Promise<LoadResult> {
    const job = JSON.stringify({ port, load, seconds });
    const text = await outputOf(Deno.execPath(), [
      "run",
      "-A",
      "--quiet",
      "--no-check",
      benchPath("harness/load_child.ts"),
      job,
    ]);
    return JSON.parse(text) as LoadResult;
  }
}

async function hasWrk(): Promise<boolean> {
  try {
    await new Deno.Command("wrk", { args: ["--version"] }).output();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Finds out what this machine can load a server with. */
export async function loadGenerator(directory: string): Promise<LoadGenerator> {
  return await hasWrk() ? new Wrk(directory) : new OwnGenerator();
}
