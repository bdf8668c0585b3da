/** The Lua script that tells `wrk` what to send. */

import { type Load, STATE_MARK } from "./load_job.ts";

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
 * A first round for every state that is not there to go on with. The script
 * has one thread, so one list of states serves every connection.
 */
function rounds(second: string): string {
  const [before, after] = second.split(STATE_MARK) as [string, string];
  return `
local states, count = {}, 0
local before, after = ${quote(before)}, ${quote(after)}
local first
function request()
  if count == 0 then
    first = first or wrk.format()
    return first
  end
  local state = states[count]
  states[count] = nil
  count = count - 1
  return wrk.format(nil, nil, nil, before .. state .. after)
end
function response(status, headers, body)
  local state = string.match(body, '"requestState":"([^"]+)"')
  if state then
    count = count + 1
    states[count] = state
  elseif string.find(body, '"structuredContent"', 1, true) then
    flows = flows + 1
  end
end`;
}

/** The script for a load. */
export function wrkScript(load: Load): string {
  return `
flows = 0
wrk.method = "POST"
${headerLines(load.first.headers)}
wrk.body = ${quote(load.first.body)}
local threads = {}
function setup(thread) table.insert(threads, thread) end
${load.second === undefined ? "" : rounds(load.second.body)}
function done(summary, latency)
  local e = summary.errors
  local flows = threads[1]:get("flows")
  io.write(string.format("${WRK_DONE}%d %d %d %d %d\\n",
    summary.requests, summary.duration,
    e.status + e.connect + e.read + e.write + e.timeout,
    latency:percentile(99), flows))
end
`;
}
