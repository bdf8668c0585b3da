/**
 * Masks what must not leave the process in free text: values that look like
 * secrets, and absolute file paths.
 *
 * @module
 */

import {
  drivePathEnd,
  fileUrlEnd,
  homePathEnd,
  posixPathEnd,
  rootedPathEnd,
  uncPathEnd,
} from "./_paths.ts";
import { SecretFinder } from "./_secrets.ts";
import { Finder, isEscape, isWord, wordEnd } from "./_text.ts";
import { REDACTED } from "./redact.ts";

/** What stands in place of an absolute file path. */
export const MASKED_PATH = "[path]";

/**
 * Masks secret-looking values and absolute file paths in a text, and drops
 * the frames of a stack trace. For every text that reaches a client. Takes
 * time in proportion to the length; masking twice changes nothing more.
 *
 * Masked as `[REDACTED]`: bearer and basic credentials, values of fields with
 * sensitive names (`password=…`, `?api_key=…`, `"token":"…"`), user and
 * password in URLs, JSON Web Tokens, keys with well-known prefixes, PEM
 * blocks, long random runs. Masked as `[path]`: POSIX and Windows paths and
 * `file:` URLs, with their line and column. The paths of other URLs stay.
 */
export function maskText(text: string): string {
  return mask(text, true);
}

/**
 * Masks secret-looking values in a text as {@linkcode maskText} does, and
 * keeps paths and stack traces. For the process log.
 */
export function maskSecrets(text: string): string {
  return mask(text, false);
}

// A short word of letters and digits holds no secret and no path.
const PLAIN = /^[A-Za-z0-9]{0,15}$/;

function mask(text: string, forClient: boolean): string {
  if (PLAIN.test(text)) return text;
  let masked = text;
  // A mask can show what it hid before, as a frame that ended in a secret.
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const before = masked;
    masked = new Masker(before, forClient).run();
    if (masked === before) break;
  }
  return masked;
}

const MAX_PASSES = 4;
const FRAME = /^[ \t]+at .*(?::\d+:\d+|<anonymous>|\(native\))\)?[ \t\r]*$/;
const MAX_FRAME = 2048;

class Masker {
  readonly #text: string;
  readonly #forClient: boolean;
  readonly #finder: Finder;
  readonly #secrets: SecretFinder;
  #masked = "";
  #copied = 0;
  #at = 0;

  constructor(text: string, forClient: boolean) {
    this.#text = text;
    this.#forClient = forClient;
    this.#finder = new Finder(text);
    this.#secrets = new SecretFinder(text, this.#finder);
  }

  run(): string {
    const text = this.#text;
    if (this.#forClient) this.#dropFrames();
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (isWord(code) && code !== 45) this.#word();
      else if (code === 45 && this.#mask(this.#secrets.atDashes(this.#at))) {
        continue;
      } else if (!this.#forClient || !this.#path(code)) this.#at++;
    }
    if (this.#copied === 0) return text;
    return this.#masked + text.slice(this.#copied);
  }

  #word(): void {
    const text = this.#text;
    const start = isEscape(text, this.#at) ? this.#at + 1 : this.#at;
    const end = wordEnd(text, start);
    if (text.charCodeAt(end) === 58) {
      if (text.startsWith("//", end + 1)) return this.#url(start, end);
      if (this.#forClient && end === start + 1) {
        const last = drivePathEnd(text, start, this.#finder);
        if (last > 0) return this.#hide(start, last, MASKED_PATH);
      }
    }
    if (!this.#mask(this.#secrets.atWord(start, end))) this.#at = end;
  }

  #url(start: number, end: number): void {
    const text = this.#text;
    const slash = end + "://".length;
    if (this.#forClient) {
      if (/^file$/i.test(text.slice(start, end))) {
        const last = fileUrlEnd(text, start, this.#finder);
        return this.#hide(start, last, MASKED_PATH);
      }
      if (text[slash] === "/") {
        const last = rootedPathEnd(text, slash, this.#finder);
        if (last > 0) return this.#hide(slash, last, MASKED_PATH);
      }
    }
    if (!this.#mask(this.#secrets.atUrl(end))) this.#at = slash;
  }

  /** Masks the path or drops the stack frames at this place, if there are. */
  #path(code: number): boolean {
    const start = this.#at;
    let end = -1;
    if (code === 47) end = posixPathEnd(this.#text, start, this.#finder);
    else if (code === 92) end = uncPathEnd(this.#text, start, this.#finder);
    else if (code === 126) end = homePathEnd(this.#text, start, this.#finder);
    else if (code === 10) return this.#dropFrames();
    if (end < 0) return false;
    this.#hide(start, end, MASKED_PATH);
    return true;
  }

  /** Drops the lines after this place that are frames of a stack trace. */
  #dropFrames(): boolean {
    const text = this.#text;
    let start = this.#at;
    while (start < text.length) {
      const line = text[start] === "\n" ? start + 1 : start;
      const first = text.charCodeAt(line);
      if (first !== 32 && first !== 9) break;
      const end = this.#finder.next("\n", line);
      if (end - line > MAX_FRAME || !FRAME.test(text.slice(line, end))) break;
      start = end;
    }
    if (start === this.#at) return false;
    this.#hide(this.#at, start, "");
    return true;
  }

  #mask(span: { start: number; end: number } | undefined): boolean {
    if (span === undefined) return false;
    this.#hide(span.start, span.end, REDACTED);
    return true;
  }

  #hide(start: number, end: number, mark: string): void {
    this.#masked += this.#text.slice(this.#copied, start) + mark;
    this.#copied = end;
    this.#at = end;
  }
}
