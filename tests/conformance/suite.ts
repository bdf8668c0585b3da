import { SUITE } from "./revisions.ts";

/** One check of a scenario, as the suite writes it down. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What came of one scenario. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly checks: readonly Check[];
}

/**
 * Runs the official suite against a server, at one revision.
 *
 * @throws {Error} When it wrote nothing down; carries what it printed.
 */
export async function runSuite(
  url: string,
  revision: string,
): Promise<ScenarioResult[]> {
  const directory = await Deno.makeTempDir({ prefix: "conformance-" });
  try {
    const command = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-lock",
        "-A",
        SUITE,
        "server",
        "--url",
        url,
        "--requirements",
        revision,
        "-o",
        directory,
      ],
      stdin: "null",
    });
    // The exit code says nothing of warnings and of what is not scored.
    const { stdout, stderr } = await command.output();
    const results = await readResults(directory);
    if (results.length === 0) {
      const decoder = new TextDecoder();
      throw new Error(
        `The suite wrote no results:\n${decoder.decode(stdout)}${
          decoder.decode(stderr)
        }`,
      );
    }
    return results;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

/** Reads `server-<scenario>-<time>/checks.json` of every scenario. */
async function readResults(directory: string): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = [];
  for await (const { name } of Deno.readDir(directory)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const file = `${directory}/${name}/checks.json`;
    const checks: Check[] = JSON.parse(await Deno.readTextFile(file));
    results.push({ scenario, checks });
  }
  return results.sort((a, b) => a.scenario < b.scenario ? -1 : 1);
}
