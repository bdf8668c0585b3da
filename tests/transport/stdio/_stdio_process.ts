import { fileURLToPath } from "node:url";
import { StreamClient } from "./_stream_client.ts";

const STDIO = new URL("../../../stdio.ts", import.meta.url).href;

/** The path of the server that the tests run. */
export const FIXTURE: string = fileURLToPath(
  new URL("../../fixtures/stdio_server.ts", import.meta.url),
);

/** The arguments that serve a file over stdio. */
export function serveArgs(...args: readonly string[]): string[] {
  return ["run", "--quiet", "-A", STDIO, ...args];
}

/** How a server process ended. */
export interface Ending {
  readonly code: number;
  readonly stderr: string;
}

/** A server process, and a client on its pipes. */
export class StdioProcess {
  readonly child: Deno.ChildProcess;
  readonly client: StreamClient;
  readonly #errors: ReadableStreamDefaultReader<string>;
  #stderr = "";

  constructor(file: string = FIXTURE) {
    this.child = new Deno.Command(Deno.execPath(), {
      args: serveArgs(file),
      env: { NO_COLOR: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.client = new StreamClient(this.child.stdin, this.child.stdout);
    this.#errors = this.child.stderr.pipeThrough(new TextDecoderStream())
      .getReader();
  }

  /** Waits until something is on stderr. */
  async printed(text: string): Promise<void> {
    while (!this.#stderr.includes(text)) {
      const { done, value } = await this.#errors.read();
      if (done) throw new Error(`Not on stderr: ${text}\n${this.#stderr}`);
      this.#stderr += value;
    }
  }

  /** Waits for the end. */
  async ended(): Promise<Ending> {
    for (;;) {
      const { done, value } = await this.#errors.read();
      if (done) break;
      this.#stderr += value;
    }
    const { code } = await this.child.status;
    return { code, stderr: this.#stderr };
  }
}
