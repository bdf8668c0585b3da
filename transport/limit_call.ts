import type { LimitCall } from "./limits.ts";
import type { Quota } from "./quota.ts";

/**
 * Makes calls count against the quotas of their callers while their handlers
 * run. The rounds after the first are not refused: someone has answered
 * questions for them.
 */
export function limitCall(quota: Quota): LimitCall {
  return (auth, call) => {
    let admitted = false;
    return {
      ...call,
      async run() {
        const release = quota.take(auth, admitted);
        admitted = true;
        try {
          return await call.run();
        } finally {
          release();
        }
      },
    };
  };
}
