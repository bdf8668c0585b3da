/** What a load generator is asked for, and what it gives. */

import type { HttpMessage } from "./messages.ts";

/** Where a second round's body takes the state that the first one gave. */
export const STATE_MARK = "@@STATE@@";

/** Connections that are kept busy. */
export const CONNECTIONS = 16;

/** What is sent: the same message over and over, or flows of two rounds. */
export interface Load {
  /** The message, or the first round of each flow. */
  first: HttpMessage;
  /** The second round, with {@linkcode STATE_MARK} where the state belongs. */
  second?: HttpMessage;
}

/** What came of it. */
export interface LoadResult {
  /** Answers a second. */
  perSecond: number;
  /** Answers in all. */
  requests: number;
  /** Answers with another status than 200, and broken connections. */
  failures: number;
  /** Flows of two rounds that came to their end. */
  flows: number;
  /** 99th percentile of the latency in milliseconds. */
  p99: number;
}
