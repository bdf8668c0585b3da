import type { PairsPart, TemplatePart } from "./uri_template.ts";

/**
 * Reads the variables of a template out of a URI, percent-decoded. A value
 * takes as much as it can. The time it takes grows with the length of the URI
 * and no faster, whatever the URI: clients choose it.
 *
 * @returns `undefined` when the URI is not one of the template's.
 */
export function matchTemplate(
  parts: readonly TemplatePart[],
  uri: string,
): Record<string, string> | undefined {
  const [head] = parts;
  if (head?.kind === "literal" && !uri.startsWith(head.text)) return undefined;
  const ends = findEnds(parts, uri);
  const values: Record<string, string> = {};
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const end = ends[index]![at]!;
    if (end === NO_MATCH) return undefined;
    const found = readPart(part, uri.slice(at, end));
    if (found === undefined) return undefined;
    for (const [name, value] of found) {
      // A variable may have any name, "__proto__" included.
      Object.defineProperty(values, name, { value, enumerable: true });
    }
    at = end;
  }
  return at === uri.length ? values : undefined;
}

const NO_MATCH = -1;

/**
 * For every part and position: where the part ends, if it begins there and
 * all that follows is to match. Found from the last part to the first.
 */
function findEnds(
  parts: readonly TemplatePart[],
  uri: string,
): readonly Int32Array[] {
  const tables: Int32Array[] = [];
  // What comes after the last part matches at the end of the URI alone.
  let next: Int32Array = new Int32Array(uri.length + 1).fill(NO_MATCH);
  next[uri.length] = uri.length;
  for (const part of parts.toReversed()) {
    next = endsOf(part, uri, next);
    tables.unshift(next);
  }
  return tables;
}

function endsOf(
  part: TemplatePart,
  uri: string,
  next: Int32Array,
): Int32Array {
  const ends = new Int32Array(uri.length + 1).fill(NO_MATCH);
  if (part.kind === "literal") {
    const { text } = part;
    let at = uri.indexOf(text);
    for (; at !== -1; at = uri.indexOf(text, at + 1)) {
      const end = at + text.length;
      if (next[end] !== NO_MATCH) ends[at] = end;
    }
    return ends;
  }
  const last = lastMatches(next);
  let limit = uri.length;
  for (let at = uri.length; at >= 0; at--) {
    if (at < uri.length && part.stop.includes(uri[at]!)) limit = at;
    if (part.kind === "value") {
      const end = last[limit]!;
      if (end - at >= (part.mayBeEmpty ? 0 : 1)) ends[at] = end;
    } else {
      // Pairs are all that stands there, or nothing.
      const end = uri.startsWith(part.first, at)
        ? Math.max(limit, at + part.first.length)
        : at;
      if (next[end] !== NO_MATCH) ends[at] = end;
    }
  }
  return ends;
}

/** For every position, the last one up to it from which the rest matches. */
function lastMatches(next: Int32Array): Int32Array {
  const last = new Int32Array(next.length);
  let found = NO_MATCH;
  for (let at = 0; at < next.length; at++) {
    if (next[at] !== NO_MATCH) found = at;
    last[at] = found;
  }
  return last;
}

/** The variables of one part, by name; `undefined` when they cannot be read. */
function readPart(
  part: TemplatePart,
  text: string,
): ReadonlyMap<string, string> | undefined {
  if (part.kind === "literal") return NONE;
  if (part.kind === "pairs") return readPairs(part, text);
  const value = decode(text);
  const tooLong = part.maxLength !== undefined && value !== undefined &&
    [...value].length > part.maxLength;
  return value === undefined || tooLong
    ? undefined
    : new Map([[part.name, value]]);
}

const NONE: ReadonlyMap<string, string> = new Map();

function readPairs(
  { first, separator, names }: PairsPart,
  text: string,
): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>();
  if (text === "") return values;
  for (const pair of text.slice(first.length).split(separator)) {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? "" : decode(pair.slice(equals + 1));
    const mayRepeat = names.get(name);
    if (mayRepeat === undefined || value === undefined) return undefined;
    const earlier = values.get(name);
    if (earlier !== undefined && !mayRepeat) return undefined;
    values.set(name, earlier === undefined ? value : `${earlier},${value}`);
  }
  return values;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
