/**
 * Compares two texts, of which one may be a guess, in a time that does not tell
 * where they differ.
 */
export function sameText(right: string, given: string): boolean {
  if (given.length !== right.length) return false;
  let difference = 0;
  for (let i = 0; i < right.length; i++) {
    difference |= right.charCodeAt(i) ^ given.charCodeAt(i);
  }
  return difference === 0;
}
