/** What a load generator is asked for, and what it gives. */

import type { HttpMessage } from "./messages.ts";

/** Connections that are kept busy. */
export const CONNECTIONS = 16;

/** What is sent: the same message over and over, or first and second rounds in turn. */
export interface Load {
  /** The message, or the first round of each flow. */
  first: HttpMessage;
  /**
   * The second round, with a state that a first one gave: it is sent again and
   * again, and is opened and verified each time.
   */
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
  /** 99th percentile of the latency in milliseconds. */
  p99: number;
}
