/** Why an app serves no requests. */
export type Refusal = "not_started" | "shutting_down";

/** Whether an app can serve requests now. */
export interface ServingStatus {
  /** Why it cannot; `undefined` while it can. */
  readonly refusal: Refusal | undefined;
}
