const EVERYTHING = new URL("../../examples/everything.ts", import.meta.url);

/** A server process with one of everything. */
export interface EverythingServer extends AsyncDisposable {
  /** The URL of its endpoint. */
  readonly url: string;
}

/**
 * Starts `examples/everything.ts` on a free port.
 *
 * @throws {Error} When it ends before it listens; carries what it printed.
 */
export async function startEverything(): Promise<EverythingServer> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", EVERYTHING.href],
    env: { PORT: "0" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = process.stderr.pipeThrough(new TextDecoderStream())
    .getReader();
  let printed = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The server did not start:\n${printed}`);
    printed += value;
    const url = /^Listening on (\S+)$/m.exec(printed)?.[1];
    if (url === undefined) continue;
    // What it prints from now on must not fill the pipe.
    const drained = drain(reader);
    return {
      url,
      async [Symbol.asyncDispose]() {
        // Streams that clients left open would hold a graceful end up.
        process.kill("SIGKILL");
        await process.status;
        await drained;
      },
    };
  }
}

async function drain(
  reader: ReadableStreamDefaultReader<string>,
): Promise<void> {
  while (!(await reader.read()).done);
}
