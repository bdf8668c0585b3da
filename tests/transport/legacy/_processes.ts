/** A server in a process of its own. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Ends it without a warning. */
  kill(): Promise<void>;
}

const PROGRAM = new URL("./programs/server.ts", import.meta.url).pathname;

/** Starts the server program, and waits until it listens. */
export async function startServer(
  args: readonly string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: args.map((arg) => arg === "PROGRAM" ? PROGRAM : arg),
    env,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let printed = "";
  let url: string | undefined;
  while (url === undefined) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`The server did not start:\n${printed}`);
    printed += value;
    url = /Listening on (http:\S+)/.exec(printed)?.[1];
  }
  const drained = drain(reader);
  async function kill(): Promise<void> {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended.
    }
    await child.status;
    await drained;
  }
  return {
    url: url.replace("0.0.0.0", "127.0.0.1"),
    pid: child.pid,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function drain(
  reader: ReadableStreamDefaultReader<string>,
): Promise<void> {
  while (!(await reader.read()).done);
}

/** A proxy that gives each request to the next server. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string;
  /** Gives no more requests to a server. */
  leaveOut(server: ServerProcess): void;
}

/** Starts a proxy in front of servers. */
export function startProxy(servers: readonly ServerProcess[]): RoundRobin {
  let targets = servers.map(({ url }) => url);
  let next = 0;
  const stop = new AbortController();
  const proxy = Deno.serve(
    { port: 0, hostname: "127.0.0.1", signal: stop.signal, onListen() {} },
    async (request) => {
      const target = targets[next++ % targets.length]!;
      const headers = new Headers(request.headers);
      headers.delete("host");
      try {
        const response = await fetch(target, {
          method: request.method,
          headers,
          body: request.body,
        });
        return new Response(response.body, response);
      } catch {
        return new Response(null, { status: 502 });
      }
    },
  );
  return {
    url: `http://127.0.0.1:${proxy.addr.port}/mcp`,
    leaveOut(server) {
      targets = targets.filter((url) => url !== server.url);
    },
    async [Symbol.asyncDispose]() {
      // Streams whose clients have left must not hold it up.
      stop.abort();
      await proxy.finished;
    },
  };
}
