/** Where the benchmark's own files are. */

import { fileURLToPath } from "node:url";

/** Path of a file under `bench/`. */
export function benchPath(relative: string): string {
  return fileURLToPath(new URL(`../${relative}`, import.meta.url));
}

/**
 * The configuration that a server's file runs under: the peers have one of
 * their own, so that their packages never enter this project's import map.
 */
export function configFor(entry: string): string {
  return entry.startsWith("peers/")
    ? benchPath("peers/deno.json")
    : benchPath("../deno.json");
}
