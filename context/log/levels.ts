/**
 * The log levels of MCP, their order, and the floor below which nothing is
 * logged.
 *
 * @module
 */

import type { LogLevel as LogTapeLevel } from "@logtape/logtape";

/**
 * How severe a log line is: the eight names of RFC 5424 section 6.2.1, as MCP
 * spells them, from the least to the most severe.
 */
export type LogLevel =
  | "debug"
  | "info"
  | "notice"
  | "warning"
  | "error"
  | "critical"
  | "alert"
  | "emergency";

/** Every {@linkcode LogLevel}, from the least to the most severe. */
export const LOG_LEVELS: readonly LogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
];

const RANKS: ReadonlyMap<unknown, number> = new Map(
  LOG_LEVELS.map((level, rank) => [level, rank]),
);

/** Whether a value is one of the eight level names, in lower case. */
export function isLogLevel(value: unknown): value is LogLevel {
  return RANKS.has(value);
}

/**
 * Gives the place of a level in the order of severity: 0 for `debug`, 7 for
 * `emergency`.
 *
 * @throws {RangeError} If the level is none of the eight.
 */
export function levelRank(level: LogLevel): number {
  const rank = RANKS.get(level);
  if (rank === undefined) throw unknownLevel(level);
  return rank;
}

/** The least severe level that an app logs. It gates both sinks. */
export interface LogFloor {
  /** The level that holds now. */
  readonly level: LogLevel;
  /**
   * Changes this app's floor, from now on.
   *
   * @throws {RangeError} If the level is none of the eight.
   */
  set(level: LogLevel): void;
  /** Whether a line of this level is logged now. */
  allows(level: LogLevel): boolean;
}

// The one process-wide value: what `setLogLevel` last said, and how often it
// has spoken, so that whichever of it and `LogFloor.set` came last holds.
const processWide: { level: LogLevel | undefined; turn: number } = {
  level: undefined,
  turn: 0,
};

/**
 * Sets the floor of every app in this process, at once and for apps made
 * later too. It holds over `MCP_LOG_LEVEL` and the `logLevel` option.
 * `undefined` gives each app its own floor back.
 *
 * @throws {RangeError} If the level is none of the eight.
 */
export function setLogLevel(level: LogLevel | undefined): void {
  if (level !== undefined) levelRank(level);
  processWide.level = level;
  processWide.turn++;
}

/** Gives what {@linkcode setLogLevel} last set; `undefined` if nothing holds. */
export function getLogLevel(): LogLevel | undefined {
  return processWide.level;
}

/**
 * Makes the floor of one app.
 *
 * @param initial The level until it is changed at run time.
 * @throws {RangeError} If the level is none of the eight.
 */
export function createLogFloor(initial: LogLevel): LogFloor {
  return new Floor(initial);
}

class Floor implements LogFloor {
  #own: LogLevel;
  #rank: number;
  #turn = 0;

  constructor(initial: LogLevel) {
    this.#own = initial;
    this.#rank = levelRank(initial);
  }

  get level(): LogLevel {
    return this.#overruled() ?? this.#own;
  }

  set(level: LogLevel): void {
    this.#rank = levelRank(level);
    this.#own = level;
    this.#turn = processWide.turn;
  }

  allows(level: LogLevel): boolean {
    const overruled = this.#overruled();
    const floor = overruled === undefined ? this.#rank : levelRank(overruled);
    return levelRank(level) >= floor;
  }

  #overruled(): LogLevel | undefined {
    return processWide.turn > this.#turn ? processWide.level : undefined;
  }
}

function unknownLevel(level: unknown): RangeError {
  return new RangeError(
    `Cannot use the log level ${JSON.stringify(String(level))}: ` +
      `must be one of ${LOG_LEVELS.join(", ")}`,
  );
}

const LOGTAPE_LEVELS: readonly LogTapeLevel[] = [
  "debug",
  "info",
  "info",
  "warning",
  "error",
  "fatal",
  "fatal",
  "fatal",
];

const SEVERITIES: readonly LogTapeLevel[] = [
  "trace",
  "debug",
  "info",
  "warning",
  "error",
  "fatal",
];

/** Whether a floor lets a line of LogTape pass; `setLogLevel` overrules it. */
export function passes(level: LogTapeLevel, floor: LogLevel): boolean {
  const least = LOGTAPE_LEVELS[levelRank(getLogLevel() ?? floor)]!;
  return SEVERITIES.indexOf(level) >= SEVERITIES.indexOf(least);
}
