/**
 * Steps over a text that several masks share. Each looks at a character a
 * bounded number of times, so that masking stays linear.
 *
 * @module
 */

import { REDACTED } from "./redact.ts";

const WORD = new Uint8Array(128);
const SPACE = new Uint8Array(128);
const HARD = new Uint8Array(128);
const SOFT = new Uint8Array(128);
mark(
  WORD,
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-",
);
mark(SPACE, " \t\n\r\f\v");
mark(HARD, " \t\n\r\f\v\"'`<>|&\0");
mark(SOFT, ",;:.!?)]}");

function mark(table: Uint8Array, characters: string): void {
  for (const character of characters) table[character.charCodeAt(0)] = 1;
}

/** Whether a code unit is an ASCII letter, a digit, `_` or `-`. */
export function isWord(code: number): boolean {
  return code < 128 && WORD[code] === 1;
}

/** Whether a code unit is white space, or `NaN`, which is the text's end. */
export function isSpace(code: number): boolean {
  return code < 128 ? SPACE[code] === 1 : !(code > 160) || code === 0x2028;
}

/** Whether nothing that is written in one piece goes on past a code unit. */
export function isBoundary(code: number): boolean {
  return isSpace(code) || HARD[code] === 1;
}

/** Gives the end of the word that starts at an index. */
export function wordEnd(text: string, start: number): number {
  let at = start;
  while (isWord(text.charCodeAt(at))) at++;
  return at;
}

/** Gives the first index that holds no blank, at most eight further on. */
export function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < start + 8) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9) break;
    at++;
  }
  return at;
}

/**
 * Gives the end of what is written in one piece from an index on: it ends
 * before white space, quotes and angle brackets, and before punctuation that
 * these follow.
 */
export function pieceEnd(text: string, start: number): number {
  // A mask is one piece, whatever follows its bracket.
  let at = text.startsWith(REDACTED, start) ? start + REDACTED.length : start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isBoundary(code)) return at;
    if (code === 92 && isQuote(text.charCodeAt(at + 1))) return at;
    if (code < 128 && SOFT[code] === 1) {
      let end = at + 1;
      while (SOFT[text.charCodeAt(end)] === 1) end++;
      const next = text.charCodeAt(end);
      if (isBoundary(next)) return at;
      if (next === 92 && isQuote(text.charCodeAt(end + 1))) return at;
      at = end;
    } else {
      at++;
    }
  }
}

/** Whether a code unit is `"`, `'` or a backtick. */
export function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96;
}

/** Whether a letter ends an escape: `\n`, `\r` or `\t`, as text in text has. */
export function isEscape(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 92 && "nrt".includes(text.charAt(at));
}

/** Finds the next place of a string, remembering it for the next question. */
export class Finder {
  readonly #text: string;
  #places: Map<string, number> | undefined;

  /**
   * Prepares to search one text.
   *
   * @param text The text to search.
   */
  constructor(text: string) {
    this.#text = text;
  }

  /** Gives the first place at or after an index; the text's end if none. */
  next(wanted: string, from: number): number {
    const known = this.#places?.get(wanted);
    if (known !== undefined && known >= from) {
      // Asked in rising order, so nothing lies between.
      return known;
    }
    const found = this.#text.indexOf(wanted, from);
    const place = found < 0 ? this.#text.length : found;
    this.#places ??= new Map();
    this.#places.set(wanted, place);
    return place;
  }
}
