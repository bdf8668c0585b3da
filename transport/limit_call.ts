import type { AuthContext } from "../context/auth_context.ts";
import type { Quota } from "./limits.ts";
import type { HandlerCall } from "./run/handler_call.ts";

/**
 * Makes a call count against the quota of its caller while its handler runs.
 * The rounds after the first are not refused: someone has answered questions
 * for them.
 */
export function limitCall(
  quota: Quota,
  auth: AuthContext | undefined,
  call: HandlerCall,
): HandlerCall {
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
}
