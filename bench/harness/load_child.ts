/** The built-in load generator: runs in a process of its own and prints one JSON line. */

import { CONNECTIONS, type Load, type LoadResult } from "./load_job.ts";
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
  const second = load.second && requestBytes(port, load.second);
  let failures = 0;
  let turn = 0;

  function next(): Uint8Array {
    return second !== undefined && turn++ % 2 === 1 ? second : first;
  }

  async function work(): Promise<void> {
    using connection = await RawConnection.open(port);
    while (performance.now() < end) {
      const sent = performance.now();
      const { status } = await connection.exchange(next());
      latencies.push(performance.now() - sent);
      if (status !== 200) failures++;
    }
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const requests = latencies.length;
  return {
    perSecond: requests / ((performance.now() - start) / 1000),
    requests,
    failures,
    p99: latencies.sort((a, b) => a - b)[Math.floor(requests * 0.99)] ?? 0,
  };
}

console.log(JSON.stringify(await run(JSON.parse(Deno.args[0]!) as Job)));
