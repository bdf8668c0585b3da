/**
 * Finds what looks like a secret in free text.
 *
 * @module
 */

import { isDottedKeyStart, isPrefixedKey, looksRandom } from "./_keys.ts";
import {
  type Finder,
  isBoundary,
  isQuote,
  isSpace,
  isWord,
  pieceEnd,
  skipBlanks,
  wordEnd,
} from "./_text.ts";
import { createSensitiveTest, type SensitiveTest } from "./redact.ts";

/** A stretch of text to mask. */
export interface Span {
  /** Its first index. */
  readonly start: number;
  /** The index after its last. */
  readonly end: number;
}

const QUERY_NAME = /^(?:key|sig|signature|auth|pass|hmac|code_verifier)$/i;
const COUNT_NAME = /tokens$|tokens?[-_]?(?:count|limit|usage)$/i;
const PASSWORD_NAME = /pass|pwd|secret/i;
const LITERAL = /^(?:null|undefined|true|false|none)$/i;
const PLAIN_WORD = /^[A-Za-z]?[a-z]*(?:[-'’][a-z]+)*$/;
const SCHEME = /^(?:bearer|basic|digest|token|negotiate|apikey|hmac)$/i;
// What follows "bearer" where it is a word and no credential.
const PROSE =
  /^(?:tokens?|auth|authentication|authorization|credentials?|schemes?|headers?|challenge|realm|scope|error|access|security|prefix|format|method|type|value|string|is|was|are|has|had|and|or|of|on|to|in|for|from|with|must|not|only|required|missing|expected|invalid|expired|failed|rejected|requires|needed)$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{6,}={0,2}$/;

// Shared, so that what it remembers about a name serves every text.
const isSensitive: SensitiveTest = createSensitiveTest();
const DOT = 46;
const COLON = 58;

// A name is never longer, and a longer one is judged by its end.
const MAX_NAME = 64;

/** Finds secrets at the words of one text, asked from its start to its end. */
export class SecretFinder {
  readonly #text: string;
  readonly #finder: Finder;
  #runEnd = 0;

  /**
   * Prepares to search one text.
   *
   * @param text The text to search.
   * @param finder Searches the same text.
   */
  constructor(text: string, finder: Finder) {
    this.#text = text;
    this.#finder = finder;
  }

  /** Finds the secret that a word is, or that it announces. */
  atWord(start: number, end: number): Span | undefined {
    const length = end - start;
    const next = this.#text.charCodeAt(end);
    if (length >= 8 || next === DOT) {
      const key = this.#key(start, end);
      if (key !== undefined) return key;
    }
    if (length === 6 || length === 5) {
      const credentials = this.#credentials(start, end);
      if (credentials !== undefined) return credentials;
    }
    if (mayName(next)) {
      const value = this.#namedValue(start, end);
      if (value !== undefined) return value;
    }
    return length >= 32 || isBase64Sign(next)
      ? this.#randomRun(start, end)
      : undefined;
  }

  /** Finds the user and password of the URL whose scheme ends at an index. */
  atUrl(schemeEnd: number): Span | undefined {
    const text = this.#text;
    const start = schemeEnd + "://".length;
    let end = start;
    let at = -1;
    let isHost = true;
    while (end - start < 512) {
      const code = text.charCodeAt(end);
      if (isBoundary(code)) break;
      if (code === 64) at = end;
      else if (code === COLON && text.startsWith("//", end + 1)) break;
      else if (isHost && (code === 47 || code === 63 || code === 35)) {
        // A password may hold these, and shows where a port would stand.
        if (at >= 0 || !/:(?!\d*$)/.test(text.slice(start, end))) break;
        isHost = false;
      }
      end++;
    }
    if (at <= start) return undefined;
    const isWeb = /https?$/i.test(text.slice(schemeEnd - 5, schemeEnd));
    // `ssh://git@host` names a user and no secret.
    if (!isWeb && !text.slice(start, at).includes(":")) return undefined;
    return { start, end: at };
  }

  /** Finds the PEM block whose first dash is at an index. */
  atDashes(start: number): Span | undefined {
    const text = this.#text;
    if (!text.startsWith("-----BEGIN ", start)) return undefined;
    const closing = this.#finder.next("-----END ", start);
    if (closing === text.length) return { start, end: closing };
    const dashes = text.indexOf("-----", closing + "-----END ".length);
    const isNear = dashes >= 0 && dashes - closing < 80;
    return { start, end: isNear ? dashes + 5 : closing + 9 };
  }

  #key(start: number, end: number): Span | undefined {
    if (end - start > 512) return undefined;
    const text = this.#text;
    if (text[end] === "." && end - start < 512) {
      if (isDottedKeyStart(text.slice(start, end))) {
        let last = end;
        for (let part = 0; part < 4 && text[last] === "."; part++) {
          const next = wordEnd(text, last + 1);
          if (next === last + 1) break;
          last = next;
        }
        if (last - end >= 16) return { start, end: last };
      }
    }
    if (end - start < 8) return undefined;
    return isPrefixedKey(text.slice(start, end)) ? { start, end } : undefined;
  }

  /** `Bearer …` and `Basic …`. */
  #credentials(start: number, end: number): Span | undefined {
    const length = end - start;
    if (length !== 6 && length !== 5) return undefined;
    const scheme = this.#text.slice(start, end).toLowerCase();
    if (scheme !== "bearer" && scheme !== "basic") return undefined;
    const from = skipBlanks(this.#text, end);
    if (from === end) return undefined;
    const to = pieceEnd(this.#text, from);
    if (to === from || to - from > 65536) return undefined;
    const value = this.#text.slice(from, to);
    if (value.endsWith("=") && isQuote(this.#text.charCodeAt(to))) {
      return undefined;
    }
    const isSecret = scheme === "bearer"
      ? !PROSE.test(value)
      : BASE64.test(value) && /\d|=$|.[A-Z]/.test(value);
    return isSecret ? { start: from, end: to } : undefined;
  }

  /** `name=value`, `name: value`, `"name":"value"`, `--name value`. */
  #namedValue(start: number, end: number): Span | undefined {
    const text = this.#text;
    let at = end;
    if (isWord(text.charCodeAt(at + 1)) && text[at] === " ") {
      // Two words of prose, as nearly all are.
      if (text[start - 1] !== "-") return undefined;
    }
    if (text.charCodeAt(at) === 92 && isQuote(text.charCodeAt(at + 1))) at++;
    if (isQuote(text.charCodeAt(at))) at++;
    if (text[at] === "]") at++;
    at = skipBlanks(text, at);
    const sign = text[at];
    const isFlag = sign !== "=" && sign !== ":" && at > end &&
      text.startsWith("--", start - 2);
    if (!isFlag && sign !== "=" && sign !== ":") return undefined;
    const name = this.#name(start, end);
    if (name === undefined) return undefined;
    if (isFlag) return this.#value(at, name, "=");
    at++;
    if (text[at] === "=" || text[at] === ">") at++;
    const from = skipBlanks(text, at);
    return this.#value(from, name, from > at && sign === ":" ? ": " : "=");
  }

  /** The name that ends with a word, if it stands for a secret. */
  #name(start: number, end: number): string | undefined {
    const text = this.#text;
    const name = text.slice(Math.max(start, end - MAX_NAME), end);
    const before = text[start - 1];
    if ((before === "?" || before === "&") && QUERY_NAME.test(name)) {
      return name;
    }
    if (isSensitive(name)) return name;
    // "API key: …" is one name in two words.
    if (!/^keys?$/i.test(name) || before !== " ") return undefined;
    const two = text.slice(Math.max(0, start - 12), end);
    return isSensitive(two) ? two : undefined;
  }

  #value(start: number, name: string, sign: "=" | ": "): Span | undefined {
    const text = this.#text;
    const isEscaped = text[start] === "\\" &&
      isQuote(text.charCodeAt(start + 1));
    const open = isEscaped ? start + 1 : start;
    if (isQuote(text.charCodeAt(open))) return this.#quoted(open, isEscaped);
    if (/cookie/i.test(name)) {
      const end = this.#lineEnd(start);
      return end > start ? { start, end } : undefined;
    }
    const end = pieceEnd(text, start);
    if (end === start) return undefined;
    const value = text.slice(start, Math.min(end, start + 65));
    if (LITERAL.test(value)) return undefined;
    if (/^\d{1,9}$/.test(value) && COUNT_NAME.test(name)) return undefined;
    if (/^[{[(]/.test(value) && !value.startsWith("[REDACTED]")) {
      return undefined;
    }
    const next = skipBlanks(text, end);
    if (SCHEME.test(value) && next > end) {
      const last = /^digest$/i.test(value)
        ? this.#lineEnd(next)
        : pieceEnd(text, next);
      if (last > next) return { start, end: last };
    }
    if (sign === ": " && PLAIN_WORD.test(value)) {
      // "Wrong password: must be long" is prose, "password: hunter" is not.
      if (!PASSWORD_NAME.test(name)) return undefined;
      if (next > end && !isSpace(text.charCodeAt(next))) return undefined;
    }
    return { start, end };
  }

  #quoted(open: number, isEscaped: boolean): Span | undefined {
    const text = this.#text;
    const quote = isEscaped ? `\\${text[open]}` : text[open]!;
    const line = this.#finder.next("\n", open + 1);
    let end = this.#finder.next(quote, open + 1);
    // A quote after a backslash belongs to the value.
    while (!isEscaped && end < line && text[end - 1] === "\\") {
      end = this.#finder.next(quote, end + 1);
    }
    end = Math.min(end, line);
    return end > open + 1 ? { start: open + 1, end } : undefined;
  }

  #lineEnd(start: number): number {
    let end = this.#finder.next("\n", start);
    for (const quote of ['"', "'", "`"]) {
      end = Math.min(end, this.#finder.next(quote, start));
    }
    while (end > start && isSpace(this.#text.charCodeAt(end - 1))) end--;
    return end;
  }

  /** A long run that may hold `+`, `/` and `=`, as Base64 does. */
  #randomRun(start: number, end: number): Span | undefined {
    const text = this.#text;
    if (end - start >= 32 && looksRandom(text.slice(start, end))) {
      return { start, end };
    }
    if (start < this.#runEnd) return undefined;
    let last = end;
    while (isBase64Sign(text.charCodeAt(last))) last = wordEnd(text, last + 1);
    this.#runEnd = last;
    if (last === end || last - start < 40) return undefined;
    return looksRandom(text.slice(start, last))
      ? { start, end: last }
      : undefined;
  }
}

/** Whether what follows a word can make it the name of a value. */
function mayName(next: number): boolean {
  return next === 32 || next === 9 || next === COLON || next === 61 ||
    next === 92 || next === 93 || isQuote(next);
}

/** `+`, `/` or `=`. */
function isBase64Sign(code: number): boolean {
  return code === 43 || code === 47 || code === 61;
}
