/** The benchmark's command line. */

/** What `--help` prints. */
export const USAGE = `deno task bench [options]

  --group=a,b   only these groups (all by default): call, session, stateless,
                list, rounds, state, stdio, streams, startup, memory, context
  --samples=N   samples a row (5)
  --seconds=N   seconds a sample of a loaded server (3)
  --quick       3 samples of 1 second
  --json        machine-readable output
  --help        this text`;

/** What the arguments said. */
export interface Arguments {
  /** The groups to measure, in order. */
  groups: string[];
  /** Samples a row. */
  samples: number;
  /** Seconds a sample. */
  seconds: number;
  /** Whether everything is kept short. */
  quick: boolean;
  /** Whether the output is JSON. */
  json: boolean;
}

function positive(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw new RangeError(
      `Cannot use --${name}=${value}: a whole number of at least 1 is wanted`,
    );
  }
  return number;
}

function groupsOf(value: string, known: readonly string[]): string[] {
  const groups = value.split(",");
  for (const group of groups) {
    if (known.includes(group)) continue;
    throw new RangeError(
      `Cannot measure "${group}": the groups are ${known.join(", ")}`,
    );
  }
  return groups;
}

/**
 * Reads the command line.
 *
 * @throws {RangeError} When an option, a group or a number is not known.
 */
export function parseArguments(
  args: readonly string[],
  known: readonly string[],
): Arguments | "help" {
  const quick = args.includes("--quick");
  const parsed: Arguments = {
    groups: [...known],
    samples: quick ? 3 : 5,
    seconds: quick ? 1 : 3,
    quick,
    json: false,
  };
  for (const arg of args) {
    const [name, value = ""] = arg.replace(/^--/, "").split("=", 2);
    switch (name) {
      case "help":
        return "help";
      case "quick":
        break;
      case "json":
        parsed.json = true;
        break;
      case "group":
        parsed.groups = groupsOf(value, known);
        break;
      case "samples":
        parsed.samples = positive("samples", value);
        break;
      case "seconds":
        parsed.seconds = positive("seconds", value);
        break;
      default:
        throw new RangeError(`Cannot use ${arg}: see --help`);
    }
  }
  return parsed;
}
