/** Measures servers without a network: each module in a process of its own. */

import { emptyRow, reason } from "./http_table.ts";
import type { HttpMessage } from "./messages.ts";
import { benchPath, configFor } from "./paths.ts";
import { interleave, type Plan } from "./plan.ts";
import type { ServerSpec } from "./server_spec.ts";
import type { Row, Table } from "./table.ts";
import { checkEcho, messagesOf, type Result, WrongAnswer } from "./verify.ts";

/** One server module and the message it is given. */
export interface InProcessContender {
  /** The server. */
  spec: ServerSpec;
  /** The message. */
  message: HttpMessage;
}

/** What a table of called modules needs to know. */
export interface InProcessTableOptions {
  /** The group it belongs to. */
  group: string;
  /** What the table says. */
  title: string;
  /** The modules. */
  contenders: InProcessContender[];
  /** A remark. */
  note?: string;
}

/** What the child prints for each line that it is sent. */
interface Report {
  answer?: string;
  type?: string;
  perSecond?: number;
}

/** A module that is loaded and waits for orders, one JSON line each. */
class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(spec: ServerSpec) {
    this.#process = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--quiet",
        "--no-check",
        "--config",
        configFor(spec.entry),
        benchPath("harness/in_process_child.ts"),
        benchPath(spec.entry),
        ...spec.args,
      ],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#process.stdin.getWriter();
    this.#reader = this.#process.stdout
      .pipeThrough(new TextDecoderStream()).getReader();
  }

  async ask(order: unknown): Promise<Report> {
    const line = JSON.stringify(order) + "\n";
    await this.#writer.write(new TextEncoder().encode(line));
    while (!this.#rest.includes("\n")) {
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("The measured process ended");
      this.#rest += value;
    }
    const at = this.#rest.indexOf("\n");
    const report = this.#rest.slice(0, at);
    this.#rest = this.#rest.slice(at + 1);
    return JSON.parse(report) as Report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGKILL");
    } catch {
      // It has ended by itself, and what it said about that is in the row.
    }
    await this.#process.status;
    await this.#reader.cancel();
    await this.#writer.abort().catch(() => {});
  }
}

async function check(child: Child, contender: InProcessContender) {
  const { answer, type } = await child.ask({ message: contender.message });
  const [message] = messagesOf(type ?? "", answer ?? "") as Result[];
  if (message?.result === undefined) {
    throw new WrongAnswer(`wrong answer: ${answer?.slice(0, 160)}`);
  }
  checkEcho(message.result as Result, contender.spec.structured ?? true);
}

/** Loads every module, checks its answer, warms it up, and measures all in turn. */
export async function inProcessTable(
  plan: Plan,
  options: InProcessTableOptions,
): Promise<Table> {
  await using stack = new AsyncDisposableStack();
  const rows: Row[] = [];
  const runners: { row: Row; child: Child; message: HttpMessage }[] = [];
  for (const contender of options.contenders) {
    const row = emptyRow(contender.spec);
    rows.push(row);
    try {
      const child = stack.use(new Child(contender.spec));
      await check(child, contender);
      runners.push({ row, child, message: contender.message });
    } catch (error) {
      row.failure = reason(error);
    }
  }
  const ms = plan.seconds * 500;
  for (const { child, message } of runners) await child.ask({ message, ms });
  await interleave(runners, plan.samples, async (runner, round) => {
    plan.say(`${options.group}: ${runner.row.name}, sample ${round + 1}`);
    const { child, message, row } = runner;
    const { perSecond } = await child.ask({ message, ms });
    row.samples.push(perSecond!);
  });
  return {
    group: options.group,
    title: options.title,
    unit: "calls/s",
    better: "more",
    rows,
    ...(options.note === undefined ? {} : { note: options.note }),
  };
}
