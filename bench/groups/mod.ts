/** Every group, in the order in which they are measured. */

import type { Group } from "../harness/group.ts";
import { callGroup } from "./call.ts";
import { contextGroup } from "./context.ts";
import { sessionGroup, statelessGroup } from "./legacy.ts";
import { listGroup } from "./list.ts";
import { memoryGroup } from "./memory.ts";
import { roundsGroup } from "./rounds.ts";
import { startupGroup } from "./startup.ts";
import { stateGroup } from "./state.ts";
import { stdioGroup } from "./stdio.ts";
import { streamsGroup } from "./streams.ts";

/** The groups by the names that the command line takes. */
export const GROUPS: Readonly<Record<string, Group>> = {
  call: callGroup,
  session: sessionGroup,
  stateless: statelessGroup,
  list: listGroup,
  rounds: roundsGroup,
  state: stateGroup,
  stdio: stdioGroup,
  streams: streamsGroup,
  startup: startupGroup,
  memory: memoryGroup,
  context: contextGroup,
};
