/** Runs a command to its end. */

/**
 * Gives what a command printed.
 *
 * @throws {Error} When the command fails, with what it said.
 */
export async function outputOf(
  command: string,
  args: string[],
): Promise<string> {
  const { stdout, stderr, success } = await new Deno.Command(command, { args })
    .output();
  const decoder = new TextDecoder();
  if (!success) {
    throw new Error(`Cannot run ${command}: ${decoder.decode(stderr)}`);
  }
  return decoder.decode(stdout);
}
