import { fileURLToPath } from "node:url";

/** How {@linkcode runProgram} starts a program. */
export interface RunOptions {
  /** Arguments of the program. */
  readonly args?: readonly string[];
  /** Arguments of `deno run`, in place of all permissions and KV. */
  readonly flags?: readonly string[];
  /** Whether the configuration of this repository holds, for imports by name. */
  readonly config?: boolean;
  /** Variables of the environment. */
  readonly env?: Record<string, string>;
  /** A command to run Deno through, and its arguments. */
  readonly through?: readonly string[];
}

/** The command that runs one of the programs beside the tests. */
export function program(name: string, options: RunOptions = {}): Deno.Command {
  const {
    args = [],
    flags = ["--allow-all", "--unstable-kv"],
    config = false,
    env = {},
    through = [],
  } = options;
  const path = fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
  // Without a configuration file, KV is on or off as the flags say.
  const all = ["run", "--quiet", "--no-prompt", ...flags];
  if (!config) all.push("--no-config");
  const [command, ...rest] = [...through, Deno.execPath(), ...all, path];
  return new Deno.Command(command!, {
    args: [...rest, ...args],
    env: { NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs one of the programs beside the tests to its end. */
export async function runProgram(
  name: string,
  options?: RunOptions,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await program(name, options).output();
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}
