/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  /** The URL it said it listens on. */
  readonly url: string;
  /** Ends it, and gives all that it wrote to stderr. */
  stop(): Promise<string>;
}

/**
 * Runs `deno` with these arguments, and waits until it says where it listens.
 *
 * @throws {Error} When it ends before; carries what it printed.
 */
export async function startServer(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServerProcess> {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = process.stderr.pipeThrough(new TextDecoderStream())
    .getReader();
  let printed = "";
  let url: string | undefined;
  while (url === undefined) {
    const { done, value } = await reader.read();
    if (done) {
      await process.status;
      throw new Error(`The server did not start:\n${printed}`);
    }
    printed += value;
    url = /Listening on (http\S+)\s/.exec(printed)?.[1];
  }
  async function drain(): Promise<void> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      printed += value;
    }
  }
  const drained = drain();
  let stopped: Promise<string> | undefined;
  async function stop(): Promise<string> {
    process.kill("SIGKILL");
    await process.status;
    await drained;
    return printed;
  }
  const server = { url, stop: () => stopped ??= stop() };
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server.stop();
    },
  };
}
