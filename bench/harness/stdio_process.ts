/** A measured server on the other end of two pipes. */

import { benchPath, configFor } from "./paths.ts";
import { median } from "./table.ts";

/** How a stdio server is started. */
export interface StdioCommand {
  /** The file to run, relative to `bench/`. */
  entry: string;
  /** Its arguments. */
  args: string[];
  /** Environment variables. */
  env?: Record<string, string>;
}

const NEWLINE = 10;
const encoder = new TextEncoder();

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0;) {
    count++;
    at = bytes.indexOf(NEWLINE, at + 1);
  }
  return count;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** One server that speaks over its standard input and output. */
export class StdioProcess implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(command: StdioCommand) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--quiet",
        "--no-check",
        "--config",
        configFor(command.entry),
        benchPath(command.entry),
        ...command.args,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      ...(command.env === undefined ? {} : { env: command.env }),
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#reader = this.#process.stdout.getReader();
  }

  /** Its process id. */
  get pid(): number {
    return this.#process.pid;
  }

  async #read(): Promise<Uint8Array> {
    const { done, value } = await this.#reader.read();
    if (done) throw new Error("The server ended its output");
    return value;
  }

  /** Sends a line without waiting for an answer. */
  async notify(line: string): Promise<void> {
    await this.#writer.write(encoder.encode(line + "\n"));
  }

  /** Sends lines at once and gives as many answers, as text. */
  async ask(lines: readonly string[]): Promise<string[]> {
    const sent = this.#writer.write(encoder.encode(lines.join("\n") + "\n"));
    const parts: Uint8Array[] = [];
    for (let seen = 0; seen < lines.length;) {
      const chunk = await this.#read();
      seen += countNewlines(chunk);
      parts.push(chunk);
    }
    await sent;
    return new TextDecoder().decode(join(parts)).trim().split("\n");
  }

  /** One call after the other. Gives calls a second, and the 99th percentile in ms. */
  async sequential(
    lines: readonly Uint8Array[],
  ): Promise<{ perSecond: number; p99: number }> {
    const took: number[] = [];
    const start = performance.now();
    for (const line of lines) {
      const sent = performance.now();
      await this.#writer.write(line);
      while (countNewlines(await this.#read()) === 0);
      took.push(performance.now() - sent);
    }
    const seconds = (performance.now() - start) / 1000;
    took.sort((a, b) => a - b);
    return {
      perSecond: lines.length / seconds,
      p99: took[Math.floor(took.length * 0.99)] ?? median(took)!,
    };
  }

  /** Keeps some calls on their way. Gives calls a second. */
  async concurrent(
    lines: readonly Uint8Array[],
    inFlight: number,
  ): Promise<number> {
    const start = performance.now();
    let sent = Math.min(inFlight, lines.length);
    let writing = this.#writer.write(join(lines.slice(0, sent)));
    for (let seen = 0; seen < lines.length;) {
      const answered = countNewlines(await this.#read());
      seen += answered;
      if (answered === 0 || sent === lines.length) continue;
      await writing;
      const next = lines.slice(sent, sent + answered);
      sent += next.length;
      writing = this.#writer.write(join(next));
    }
    await writing;
    return lines.length / ((performance.now() - start) / 1000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended by itself, and its row says so.
    }
    await this.#process.status;
    await this.#reader.cancel();
    await this.#writer.abort().catch(() => {});
  }
}
