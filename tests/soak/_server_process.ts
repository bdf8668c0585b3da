/** What the server says of itself. */
export interface Stats {
  /** Bytes of objects that are in use. */
  readonly heap: number;
  /** Bytes of memory the process has. */
  readonly rss: number;
  /** Timers that wait. */
  readonly timers: number;
  /** Files and sockets that are open; 0 where the system does not tell. */
  readonly files: number;
  /** Sessions in the store. */
  readonly sessions: number;
  /** Sessions in the store that will not expire. */
  readonly lastingSessions: number;
  /** What went wrong inside. */
  readonly faults: readonly string[];
}

/** The server under load, in a process of its own. */
export class ServerProcess implements AsyncDisposable {
  readonly url: string;
  readonly #process: Deno.ChildProcess;
  readonly #control: string;
  readonly #folder: string;

  private constructor(
    process: Deno.ChildProcess,
    folder: string,
    { url, control }: { url: string; control: number },
  ) {
    this.#process = process;
    this.#folder = folder;
    this.url = url;
    this.#control = `http://127.0.0.1:${control}`;
  }

  static async start(): Promise<ServerProcess> {
    const folder = await Deno.makeTempDir();
    const server = new URL("./server.ts", import.meta.url).href;
    const process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--v8-flags=--expose-gc",
        server,
        `${folder}/state.db`,
      ],
      stdout: "piped",
      stdin: "null",
    }).spawn();
    const reader = process.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    const { value } = await reader.read();
    reader.releaseLock();
    if (value === undefined) throw new Error("The server did not start");
    return new ServerProcess(process, folder, JSON.parse(value));
  }

  /** How the process ended. */
  get status(): Promise<Deno.CommandStatus> {
    return this.#process.status;
  }

  stats(): Promise<Stats> {
    return this.#ask("/");
  }

  /** Puts the server's clock forward. */
  putForward(ms: number): Promise<Stats> {
    return this.#ask(`/forward?ms=${ms}`);
  }

  /** Closes the app; the process has then nothing left to do. */
  close(): Promise<Stats> {
    return this.#ask("/close");
  }

  async #ask(path: string): Promise<Stats> {
    // A connection of its own, which does not count as one of the clients'.
    const response = await fetch(this.#control + path, {
      headers: { connection: "close" },
    });
    return await response.json();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await this.#process.status;
    await Deno.remove(this.#folder, { recursive: true });
  }
}
