/** Ends this process, under Deno. */
export function exitProcess(code: number): never {
  Deno.exit(code);
}
