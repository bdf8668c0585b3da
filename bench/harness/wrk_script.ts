/** The Lua script that tells `wrk` what to send. */

import type { Load } from "./load_job.ts";

/** How the line with the figures begins. */
export const WRK_DONE = "PARLEY_BENCH ";

function quote(text: string): string {
  return `[==[${text}]==]`;
}

function headerLines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `wrk.headers[ ${quote(name)} ] = ${quote(value)}`)
    .join("\n");
}

/**
 * First and second rounds in turn. Nothing is made or read while the load runs:
 * whoever did would be slower than the fastest server.
 */
function rounds(second: string): string {
  return `
local bodies, texts, turn = { wrk.body, ${quote(second)} }, nil, 0
function request()
  if texts == nil then
    texts = { wrk.format(nil, nil, nil, bodies[1]),
      wrk.format(nil, nil, nil, bodies[2]) }
  end
  turn = turn % 2 + 1
  return texts[turn]
end`;
}

/** The script for a load. */
export function wrkScript(load: Load): string {
  return `
wrk.method = "POST"
${headerLines(load.first.headers)}
wrk.body = ${quote(load.first.body)}
${load.second === undefined ? "" : rounds(load.second.body)}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("${WRK_DONE}%d %d %d %d\\n",
    summary.requests, summary.duration,
    e.status + e.connect + e.read + e.write + e.timeout,
    latency:percentile(99)))
end
`;
}
