import { limitCall } from "./limit_call.ts";
import { limitStream } from "./limit_stream.ts";
import type { LimitOptions, Limits } from "./limits.ts";
import { Quota } from "./quota.ts";

/** Makes the limits of an app. */
export function createLimits(options: LimitOptions): Limits {
  const { concurrentCalls, openStreams } = options;
  return {
    calls: concurrentCalls === undefined
      ? undefined
      : limitCall(new Quota(concurrentCalls, "running calls")),
    streams: openStreams === undefined
      ? undefined
      : limitStream(new Quota(openStreams, "open streams")),
  };
}
