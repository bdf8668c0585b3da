/** The benchmark: one command, one table a question, everything of a table in one run. */

import { parseArguments, USAGE } from "./harness/arguments.ts";
import { goalsText } from "./harness/goals.ts";
import { GROUPS } from "./groups/mod.ts";
import { loadGenerator } from "./harness/load.ts";
import { report } from "./harness/report.ts";
import { formatTable, type Table } from "./harness/table.ts";

async function main(): Promise<void> {
  const options = parseArguments(Deno.args, Object.keys(GROUPS));
  if (options === "help") {
    console.log(USAGE);
    return;
  }
  const directory = await Deno.makeTempDir({ prefix: "parley-bench-" });
  try {
    const load = await loadGenerator(directory);
    const plan = { ...options, directory, say };
    const tables: Table[] = [];
    for (const name of options.groups) {
      for (const table of await GROUPS[name]!({ plan, load })) {
        tables.push(table);
        if (!options.json) console.log(formatTable(table));
      }
    }
    const goals = goalsText(tables);
    if (options.json) console.log(JSON.stringify(report(tables), null, 2));
    else if (goals !== "") console.log(goals);
  } finally {
    say("");
    await Deno.remove(directory, { recursive: true });
  }
}

/** Shows on a terminal what is being measured, in one line that is overwritten. */
function say(text: string): void {
  if (!Deno.stderr.isTerminal()) return;
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${text}`));
}

await main();
