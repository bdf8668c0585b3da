/** How a benchmark server is told what to be, on its command line. */

/** Which tool a server offers: see {@linkcode ServerOptions.kit}. */
export type Kit = "echo" | "confirm" | "count";

/** Which protocol era, and which of its shapes, a server is set up for. */
export type Mode = "modern" | "session" | "stateless";

/** What a benchmark server reads from its arguments. */
export interface ServerOptions {
  /**
   * `echo` answers its argument, `confirm` asks for one confirmation first,
   * `count` sends 100 progress events.
   */
  kit: Kit;
  /** How many tools it registers; all but the first are never called. */
  tools: number;
  /** The protocol era. */
  mode: Mode;
  /** File holding the JSON result that a bare server answers with. */
  answer: string | undefined;
  /** File of the Deno KV store to keep sessions in; memory when absent. */
  kv: string | undefined;
  /** Whether a server that is built for each request shares its schemas. */
  shared: boolean;
}

/** Reads `--kit=`, `--tools=`, `--mode=`, `--answer=`, `--kv=` and `--shared=`. */
export function serverOptions(args: readonly string[]): ServerOptions {
  const given = new Map<string, string>();
  for (const arg of args) {
    const match = /^--(\w+)=(.*)$/.exec(arg);
    if (match !== null) given.set(match[1]!, match[2]!);
  }
  return {
    kit: (given.get("kit") ?? "echo") as Kit,
    tools: Number(given.get("tools") ?? "1"),
    mode: (given.get("mode") ?? "modern") as Mode,
    answer: given.get("answer"),
    kv: given.get("kv"),
    shared: given.get("shared") === "true",
  };
}

/** The names a server registers: the called tool, then the idle ones. */
export function toolNames(options: ServerOptions): string[] {
  const idle = Array.from(
    { length: options.tools - 1 },
    (_, index) => `idle_${index + 1}`,
  );
  return [options.kit, ...idle];
}

/** The description every measured tool carries. */
export const TOOL_DESCRIPTION =
  "Answers with the message that it was given, unchanged.";
