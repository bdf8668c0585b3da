/** Writes a time as ISO 8601 text. */
export type IsoTime = (ms: number) => string;

/**
 * Makes an {@linkcode IsoTime} that remembers the last text: many requests
 * begin in the same millisecond, and writing a date takes longer than all
 * else that is known of them.
 */
export function createIsoTime(): IsoTime {
  let last = NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) {
      text = new Date(ms).toISOString();
      last = ms;
    }
    return text;
  };
}
