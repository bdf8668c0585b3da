/** A `deno` process that serves over HTTP. */
export interface Child extends AsyncDisposable {
  /** The URL it said it listens on. */
  readonly url: string;
  /** How it ended, once all that it printed was read. */
  readonly status: Promise<Deno.CommandStatus>;
  /** What it has printed so far. */
  printed(): string;
  /** Resolves when it has printed something that holds `text`. */
  prints(text: string | RegExp): Promise<void>;
  /** Sends it a signal. */
  kill(signal: Deno.Signal): void;
}

/** What a process that could not serve left behind. */
export class NotServing extends Error {
  override readonly name = "NotServing";

  constructor(readonly code: number, readonly printed: string) {
    super(`It ended with ${code}:\n${printed}`);
  }
}

/**
 * Runs `deno` with these arguments, until it says where it listens.
 *
 * @throws {NotServing} When it ends before.
 */
export async function startChild(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Child> {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let printed = "";
  let onPrint = Promise.withResolvers<void>();
  const read = (async () => {
    for await (
      const text of process.stderr.pipeThrough(new TextDecoderStream())
    ) {
      printed += text;
      onPrint.resolve();
      onPrint = Promise.withResolvers<void>();
    }
  })();
  const ended = read.then(async () => {
    const { code } = await process.status;
    throw new NotServing(code, printed);
  });
  ended.catch(() => {});

  async function prints(text: string | RegExp): Promise<void> {
    while (printed.search(text) === -1) {
      await Promise.race([onPrint.promise, ended]);
    }
  }

  const address = /Listening on (http\S+)\s/;
  await prints(address);
  return {
    url: address.exec(printed)![1]!.replace("//0.0.0.0:", "//127.0.0.1:"),
    status: read.then(() => process.status),
    printed: () => printed,
    prints,
    kill: (signal) => process.kill(signal),
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await process.status;
      await read;
    },
  };
}

/** A file beside the tests, as `deno` takes it. */
export function fileBeside(name: string): string {
  return decodeURIComponent(new URL(name, import.meta.url).pathname);
}

/** The configuration of the package, for servers that are not below it. */
export const CONFIG: string = fileBeside("../../deno.json");
