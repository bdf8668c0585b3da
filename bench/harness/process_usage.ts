/** What a process has used so far, as the system counts it. */

import { readFileSync } from "node:fs";

/** Linux counts CPU in hundredths of a second, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

/** CPU seconds used by a process so far, or null where the system does not tell. */
export function cpuSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the command in parentheses and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return null;
  }
}

/** Resident memory of a process in KiB. */
export async function residentKib(pid: number): Promise<number> {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)![1]);
  } catch {
    const { stdout } = await new Deno.Command("ps", {
      args: ["-o", "rss=", "-p", String(pid)],
    }).output();
    return Number(new TextDecoder().decode(stdout).trim());
  }
}
