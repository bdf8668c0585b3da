/** Asks Parley for an answer, so that the bare server can send the same bytes. */

import type { HttpMessage } from "./messages.ts";
import type { Plan } from "./plan.ts";
import { startServer } from "./server_process.ts";
import { type Offer, parley } from "./server_spec.ts";
import { type Result, resultOf, sendTo } from "./verify.ts";

/** Writes a bare server's answer to a file of the run, and gives the file. */
export async function answerFile(
  plan: Plan,
  name: string,
  answer: Result,
): Promise<string> {
  const file = `${plan.directory}/${name}.json`;
  await Deno.writeTextFile(file, JSON.stringify(answer));
  return file;
}

/**
 * Gives the file with Parley's result for a message, or nothing when Parley
 * has none, which its own row then tells.
 */
export async function parleyAnswer(
  plan: Plan,
  offer: Offer,
  message: HttpMessage,
): Promise<string | undefined> {
  try {
    await using server = await startServer(parley(offer));
    const result = await resultOf(sendTo(server.url), message);
    const name = `${offer.kit ?? "echo"}_${offer.tools ?? 1}_${offer.mode}`;
    return await answerFile(plan, name, result);
  } catch {
    return undefined;
  }
}
