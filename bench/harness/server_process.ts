/** Starts a measured server in a process of its own, and ends it. */

import { benchPath, configFor } from "./paths.ts";
import { pause } from "./plan.ts";
import type { ServerSpec } from "./server_spec.ts";

/** A server that answers. */
export interface RunningServer extends AsyncDisposable {
  /** Its process id. */
  readonly pid: number;
  /** The port it listens on, on 127.0.0.1. */
  readonly port: number;
  /** Its endpoint. */
  readonly url: string;
  /** Asks it to end, and waits until it has. */
  end(): Promise<void>;
}

const START_MS = 30_000;

/** A port that nobody listened on a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** The command that serves a file over HTTP on a port. */
export function serveCommand(spec: ServerSpec, port: number): Deno.Command {
  const run = spec.standalone === true
    ? ["run"]
    : ["serve", "--host", "127.0.0.1", "--port", String(port)];
  return new Deno.Command(Deno.execPath(), {
    args: [
      ...run,
      "-A",
      "--quiet",
      "--no-check",
      ...spec.flags ?? [],
      "--config",
      configFor(spec.entry),
      benchPath(spec.entry),
      ...spec.args,
    ],
    env: { ...spec.env, MCP_HTTP_PORT: String(port) },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  });
}

/** The last words of a process, kept short. */
async function lastWords(
  stderr: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<string> {
  let text = "";
  for await (const chunk of stderr.pipeThrough(new TextDecoderStream())) {
    text = (text + chunk).slice(-2000);
  }
  return text;
}

async function accepts(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}

/** Starts a server and waits until it accepts connections. */
export async function startServer(spec: ServerSpec): Promise<RunningServer> {
  const port = freePort();
  const child = serveCommand(spec, port).spawn();
  const words = lastWords(child.stderr);
  let ended = false;
  const end = child.status.then(() => ended = true);
  const deadline = Date.now() + START_MS;
  while (!await accepts(port)) {
    if (ended || Date.now() > deadline) {
      if (!ended) child.kill("SIGKILL");
      throw new Error(`Cannot start ${spec.name}: ${(await words).trim()}`);
    }
    await pause(5);
  }
  return {
    pid: child.pid,
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    async end() {
      if (!ended) child.kill("SIGINT");
      await end;
    },
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGKILL");
      await end;
      await words;
    },
  };
}
