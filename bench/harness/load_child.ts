/** The built-in load generator: runs in a process of its own and prints one JSON line. */

import {
  CONNECTIONS,
  type Load,
  type LoadResult,
  STATE_MARK,
} from "./load_job.ts";
import { RawConnection, requestBytes } from "./raw_http.ts";

interface Job {
  port: number;
  load: Load;
  seconds: number;
}

async function run({ port, load, seconds }: Job): Promise<LoadResult> {
  const first = requestBytes(port, load.first);
  const start = performance.now();
  const end = start + seconds * 1000;
  const latencies: number[] = [];
  const states: string[] = [];
  let failures = 0;
  let flows = 0;

  function next(): Uint8Array {
    const state = states.pop();
    if (state === undefined) return first;
    const body = load.second!.body.replace(STATE_MARK, state);
    return requestBytes(port, { headers: load.second!.headers, body });
  }

  function note(body: string): void {
    const state = /"requestState":"([^"]+)"/.exec(body);
    if (state !== null) states.push(state[1]!);
    else if (body.includes('"structuredContent"')) flows++;
  }

  async function work(): Promise<void> {
    using connection = await RawConnection.open(port);
    while (performance.now() < end) {
      const sent = performance.now();
      const { status, body } = await connection.exchange(next());
      latencies.push(performance.now() - sent);
      if (status !== 200) failures++;
      else if (load.second !== undefined) note(body);
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const requests = latencies.length;
  return {
    perSecond: requests / ((performance.now() - start) / 1000),
    requests,
    failures,
    flows,
    p99: latencies.sort((a, b) => a - b)[Math.floor(requests * 0.99)] ?? 0,
  };
}

console.log(JSON.stringify(await run(JSON.parse(Deno.args[0]!) as Job)));
