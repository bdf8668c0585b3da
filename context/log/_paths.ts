/**
 * Finds absolute file paths in free text.
 *
 * @module
 */

import {
  type Finder,
  isBoundary,
  isEscape,
  isQuote,
  isSpace,
  isWord,
  pieceEnd,
} from "./_text.ts";

const ROOTS: ReadonlySet<string> = new Set([
  "Applications",
  "Library",
  "System",
  "Users",
  "Volumes",
  "bin",
  "data",
  "dev",
  "etc",
  "home",
  "lib",
  "media",
  "mnt",
  "nix",
  "opt",
  "private",
  "proc",
  "root",
  "run",
  "sbin",
  "srv",
  "sys",
  "tmp",
  "usr",
  "var",
]);
// Routes that an HTTP message is likely to name.
const ROUTE = /^(?:api|\.well-known|v\d+)$/;
const METHODS = /(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) $/;
const EXTENSION = /^[^/]+\.[A-Za-z]\w*(?::\d+)*$/;
const NO_START = /[\p{L}\p{N}_./~%)}\]\\-]/u;
const MAX_PATH = 4096;

/**
 * Gives the end of the POSIX path whose first slash is at an index; -1 if
 * there is none.
 */
export function posixPathEnd(
  text: string,
  slash: number,
  finder: Finder,
): number {
  let first = slash + 1;
  const next = text.charCodeAt(first);
  if (isSpace(next)) return -1;
  if (!startsPiece(text, slash)) {
    // After other signs only what can hardly be anything else.
    return slash > 0 && NO_START.test(text[slash - 1]!) || !isRoot(text, first)
      ? -1
      : pathEnd(text, slash, first, finder);
  }
  if (next === 47) {
    // `//host/path` is a URL without its scheme, unless it is a known root.
    first++;
    if (!isRoot(text, first)) return -1;
  }
  if (!startsSegment(text.charCodeAt(first))) return -1;
  const end = pathEnd(text, slash, first, finder);
  return isPath(text, slash, first, end) ? end : -1;
}

/**
 * Gives the end of the path in a URL without authority, as in
 * `sqlite:///home/me/notes.db`, whose first slash is at an index; -1 unless it
 * starts at a known root.
 */
export function rootedPathEnd(
  text: string,
  slash: number,
  finder: Finder,
): number {
  return isRoot(text, slash + 1) ? pathEnd(text, slash, slash + 1, finder) : -1;
}

/**
 * Gives the end of the Windows path whose drive letter is at an index; -1 if
 * there is none.
 */
export function drivePathEnd(
  text: string,
  letter: number,
  finder: Finder,
): number {
  const slash = text.charCodeAt(letter + 2);
  if (slash !== 92 && slash !== 47) return -1;
  if (slash === 47 && text.charCodeAt(letter + 3) === 47) return -1;
  let first = letter + 3;
  while (text.charCodeAt(first) === 92) first++;
  if (!startsSegment(text.charCodeAt(first))) return -1;
  return pathEnd(text, letter, first, finder);
}

/**
 * Gives the end of the UNC path (`\\server\share`) whose first backslash is at
 * an index; -1 if there is none.
 */
export function uncPathEnd(
  text: string,
  slash: number,
  finder: Finder,
): number {
  if (!startsPiece(text, slash) || text.charCodeAt(slash + 1) !== 92) return -1;
  let first = slash + 2;
  while (text.charCodeAt(first) === 92) first++;
  if (!isWord(text.charCodeAt(first)) && text.charCodeAt(first) !== 63) {
    return -1;
  }
  const end = pathEnd(text, slash, first, finder);
  return text.slice(first, end).includes("\\") ? end : -1;
}

/** Gives the end of the path `~/…` at an index; -1 if there is none. */
export function homePathEnd(
  text: string,
  tilde: number,
  finder: Finder,
): number {
  if (!startsPiece(text, tilde) || text.charCodeAt(tilde + 1) !== 47) return -1;
  if (!startsSegment(text.charCodeAt(tilde + 2))) return -1;
  return pathEnd(text, tilde, tilde + 2, finder);
}

/** Gives the end of the `file:` URL whose scheme starts at an index. */
export function fileUrlEnd(
  text: string,
  start: number,
  finder: Finder,
): number {
  return pathEnd(text, start, start + "file://".length, finder);
}

/** In quotes a path ends with them; else with the piece it is written in. */
function pathEnd(
  text: string,
  start: number,
  first: number,
  finder: Finder,
): number {
  if (start > 0 && isQuote(text.charCodeAt(start - 1))) {
    const quote = text.slice(
      text.charCodeAt(start - 2) === 92 ? start - 2 : start - 1,
      start,
    );
    const end = finder.next(quote, first);
    const line = finder.next("\n", first);
    if (end < text.length && end < line && end - start <= MAX_PATH) {
      return end;
    }
  }
  let end = pieceEnd(text, first);
  // A name with a blank: `/Users/Jane Doe/app.ts`, `C:\Program Files\x`.
  for (let blanks = 0; blanks < 4 && text[end] === " "; blanks++) {
    const next = pieceEnd(text, end + 1);
    if (next - end > 256 || !continuesPath(text.slice(end + 1, next))) break;
    end = next;
  }
  return end;
}

function continuesPath(piece: string): boolean {
  return /^[^/\\:=]+[/\\]/.test(piece) && !piece.includes("://");
}

function isPath(
  text: string,
  slash: number,
  first: number,
  end: number,
): boolean {
  const second = text.indexOf("/", first);
  const isDeep = second >= 0 && second < end - 1;
  if (!isDeep) {
    return end - first < 256 && EXTENSION.test(text.slice(first, end));
  }
  if (isRoot(text, first)) return true;
  if (second - first <= 16 && ROUTE.test(text.slice(first, second))) {
    return false;
  }
  return !METHODS.test(text.slice(Math.max(0, slash - 8), slash));
}

function isRoot(text: string, first: number): boolean {
  const second = text.indexOf("/", first);
  return second > first && second - first <= 12 &&
    ROOTS.has(text.slice(first, second));
}

/** Whether a path may start here, and is not the rest of a longer word. */
function startsPiece(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  return isBoundary(before) || "([{=:,;?".includes(text[at - 1]!) ||
    isEscape(text, at - 1);
}

function startsSegment(code: number): boolean {
  return isWord(code) || code === 46 || code === 64 || code === 36 ||
    code === 37 || code === 126 || code === 43 ||
    (code > 127 && !isSpace(code));
}
