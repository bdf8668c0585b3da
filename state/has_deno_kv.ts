/** Whether this runtime has Deno KV, and it is switched on. */
export function hasDenoKv(): boolean {
  // Reading the function would load the client of the database.
  return globalThis.Deno !== undefined && "openKv" in Deno;
}
