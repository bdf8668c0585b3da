import type { RetryLaterError } from "./retry_later.ts";

/** Whether an app can serve requests now. */
export interface ServingStatus {
  /** Why it cannot; `undefined` while it can. */
  readonly refusal: RetryLaterError | undefined;
}
