/** Loads with calls of the `echo` tool, each checked once. */

import type { Load } from "./load_job.ts";
import { legacyEcho, modernEcho } from "./messages.ts";
import type { ServerSpec } from "./server_spec.ts";
import { checkEcho, openSession, resultOf, type Send } from "./verify.ts";

/** A modern call. */
export async function modernEchoLoad(
  send: Send,
  spec: ServerSpec,
): Promise<Load> {
  const first = modernEcho();
  checkEcho(await resultOf(send, first), spec.structured ?? true);
  return { first };
}

/** A legacy call outside any session. */
export async function statelessEchoLoad(
  send: Send,
  spec: ServerSpec,
): Promise<Load> {
  const first = legacyEcho();
  checkEcho(await resultOf(send, first), spec.structured ?? true);
  return { first };
}

/** A legacy call in a session that is opened for it. */
export async function sessionEchoLoad(
  send: Send,
  spec: ServerSpec,
): Promise<Load> {
  const first = legacyEcho(await openSession(send));
  checkEcho(await resultOf(send, first), spec.structured ?? true);
  return { first };
}
