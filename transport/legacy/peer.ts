import type { LogLevel } from "../../context/log/levels.ts";
import type { InputRequests } from "../../types.ts";
import type { Exchange } from "../exchange.ts";

/** The client of a 2025-era request, as far as methods deal with it. */
export interface LegacyPeer {
  /** The revision it speaks. */
  readonly version: string;
  /** Remembers the level from which it wants log messages. */
  setLogLevel(level: LogLevel): Promise<void>;
  /** Remembers that it wants to hear of changes of a resource. */
  subscribe(uri: string): Promise<void>;
  /** Forgets it again. */
  unsubscribe(uri: string): Promise<void>;
  /**
   * Asks it everything at once.
   *
   * @returns The results, by the key of the question.
   * @throws When an answer is an error, or does not come.
   */
  ask(
    exchange: Exchange,
    requests: InputRequests,
  ): Promise<Record<string, unknown>>;
}
