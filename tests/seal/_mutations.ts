/** A token that was changed, and how. */
export interface Mutation {
  /** What was done, with the place where it was done. */
  readonly name: string;
  /** The changed token. Never the one that it was made from. */
  readonly token: string;
}

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const PREFIXES = [
  "",
  "v",
  "v1",
  "v1..",
  "v0.",
  "v2.",
  "v1e.",
  "v1E.",
  "V1.",
  "v11.",
  "v1.v1.",
  " v1.",
  "\ufeffv1.",
  "ｖ1.",
  ".v1.",
];

const SUFFIXES = [
  "=",
  "==",
  ".",
  "..",
  ".A",
  "A",
  "AA",
  "AAAA",
  " ",
  "\n",
  "\r\n",
  "\0",
  "%00",
  ";",
  "tampered",
  "\ufeff",
  "\ud800",
];

/** Characters that lenient decoders skip, or take for others. */
const STRAY = ["=", " ", "\n", "\t", "\0", "+", "/", "%", "\u200b", "\ud800"];

/**
 * Changes a token of dot-separated base64url segments in every way that a
 * verifier is known to overlook: bits, length, alphabet, padding, white space,
 * prefix, suffix, order of segments, and the JSON within. The same token gives
 * the same mutations, some 25 for each of its characters. None of them may be
 * accepted.
 *
 * @param token A token that is accepted.
 */
export function* mutations(token: string): Iterable<Mutation> {
  const seen = new Set([token]);
  for (const mutation of candidates(token)) {
    if (seen.has(mutation.token)) continue;
    seen.add(mutation.token);
    yield mutation;
  }
}

/**
 * Puts the segments of one token into another of the same form. Where the
 * tokens share a segment, that splice is left out.
 */
export function* splices(a: string, b: string): Iterable<Mutation> {
  const left = a.split(".");
  const right = b.split(".");
  for (let i = 0; i < left.length; i++) {
    const token = left.with(i, right[i] ?? "").join(".");
    if (token !== a && token !== b) {
      yield { name: `segment ${i} of another token`, token };
    }
  }
  for (let i = 1; i < Math.min(a.length, b.length); i++) {
    const token = a.slice(0, i) + b.slice(i);
    if (token !== a && token !== b) {
      yield { name: `another token from character ${i} on`, token };
    }
  }
}

function* candidates(token: string): Iterable<Mutation> {
  for (let i = 0; i < token.length; i++) yield* atCharacter(token, i);
  yield* lengths(token);
  yield* wholes(token);
  yield* segments(token);
  yield* payloads(token);
}

function* atCharacter(token: string, i: number): Iterable<Mutation> {
  const before = token.slice(0, i);
  const after = token.slice(i + 1);
  const char = token.charAt(i);
  const value = ALPHABET.indexOf(char);
  for (let bit = 0; value >= 0 && bit < 6; bit++) {
    const flipped = ALPHABET.charAt(value ^ (1 << bit));
    yield {
      name: `bit ${bit} flipped at ${i}`,
      token: before + flipped + after,
    };
  }
  for (const stray of STRAY) {
    const code = stray.charCodeAt(0).toString(16);
    yield {
      name: `U+${code} put in at ${i}`,
      token: before + stray + char + after,
    };
  }
  yield { name: `removed at ${i}`, token: before + after };
  yield { name: `doubled at ${i}`, token: before + char + char + after };
  yield { name: `cut before ${i}`, token: before };
  yield { name: `cut up to ${i}`, token: token.slice(i + 1) };
  yield {
    name: `swapped at ${i}`,
    token: before + token.slice(i, i + 2).split("").reverse().join("") +
      token.slice(i + 2),
  };
  const other = char === char.toLowerCase()
    ? char.toUpperCase()
    : char.toLowerCase();
  yield { name: `other case at ${i}`, token: before + other + after };
  yield {
    name: `full width at ${i}`,
    token: before + String.fromCharCode(char.charCodeAt(0) + 0xfee0) + after,
  };
  yield {
    name: `percent-encoded at ${i}`,
    token: `${before}%${char.charCodeAt(0).toString(16)}${after}`,
  };
}

function* lengths(token: string): Iterable<Mutation> {
  for (const suffix of SUFFIXES) {
    yield {
      name: `suffix ${JSON.stringify(suffix)}`,
      token: token + suffix,
    };
  }
  yield { name: "twice", token: token + token };
  yield { name: "a megabyte of A behind", token: token + "A".repeat(2 ** 20) };
  yield { name: "a megabyte of A", token: "A".repeat(2 ** 20) };
  yield {
    name: "a megabyte of A with the prefix",
    token: `v1.${"A".repeat(2 ** 20)}.A`,
  };
  yield { name: "a megabyte of dots", token: ".".repeat(2 ** 20) };
}

function* wholes(token: string): Iterable<Mutation> {
  yield { name: "upper case", token: token.toUpperCase() };
  yield { name: "lower case", token: token.toLowerCase() };
  yield { name: "reversed", token: token.split("").reverse().join("") };
  yield { name: "encoded again", token: btoa(token) };
  yield { name: "URL-encoded", token: token.replaceAll(".", "%2E") };
  yield { name: "in quotes", token: JSON.stringify(token) };
  yield { name: "in JSON", token: JSON.stringify({ requestState: token }) };
  yield { name: "a bearer token", token: `Bearer ${token}` };
  for (const name of ["null", "undefined", "{}", "[]", "0", "true", "."]) {
    yield { name, token: name };
  }
}

function* segments(token: string): Iterable<Mutation> {
  const parts = token.split(".");
  const rest = parts.slice(1).join(".");
  for (const prefix of PREFIXES) {
    yield { name: `prefix ${JSON.stringify(prefix)}`, token: prefix + rest };
  }
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] ?? "";
    for (const [name, changed] of respellings(part)) {
      yield {
        name: `segment ${i} ${name}`,
        token: parts.with(i, changed).join("."),
      };
    }
    yield {
      name: `segment ${i} left out`,
      token: parts.toSpliced(i, 1).join("."),
    };
    yield {
      name: `segment ${i} given twice`,
      token: parts.toSpliced(i, 0, part).join("."),
    };
    yield {
      name: `segment ${i} moved to the end`,
      token: [...parts.toSpliced(i, 1), part].join("."),
    };
  }
}

function respellings(part: string): [string, string][] {
  const padding = "=".repeat((4 - part.length % 4) % 4);
  return [
    ["in the standard alphabet", part.replace(/-/g, "+").replace(/_/g, "/")],
    ["with padding", part + padding],
    ["with one padding character", `${part}=`],
    ["with padding in front", `=${part}`],
    ["broken into lines", part.replace(/(.{76})/g, "$1\r\n")],
    ["with a trailing zero byte", `${part}AA`],
    ["with a leading zero byte", `AA${part}`],
    ["empty", ""],
    ["of zero bytes", "A".repeat(part.length)],
    ["halved", part.slice(0, part.length / 2)],
    ["encoded again", base64Url(part)],
    ["in hexadecimal", hex(part)],
  ];
}

/** Where a segment holds JSON in clear, changes it and leaves the rest. */
function* payloads(token: string): Iterable<Mutation> {
  const parts = token.split(".");
  for (let i = 0; i < parts.length; i++) {
    const fields = jsonObject(parts[i] ?? "");
    if (fields === undefined) continue;
    const forged: unknown[] = [
      { ...fields, exp: 2 ** 40 },
      { ...fields, exp: "never" },
      { ...fields, exp: null },
      { ...fields, p: "forged" },
      { ...fields, p: null },
      { ...fields, b: undefined },
      { ...fields, b: "AAAAAAAAAAAAAAAAAAAAAA" },
      { ...fields, extra: 1 },
      Object.fromEntries(Object.entries(fields).reverse()),
      [fields],
      null,
      {},
    ];
    for (const payload of forged) {
      const json = JSON.stringify(payload);
      yield {
        name: `segment ${i} says ${json}`,
        token: parts.with(i, base64Url(json)).join("."),
      };
      yield { name: `nothing but ${json}`, token: json };
      yield {
        name: `unsigned ${json}`,
        token: `${parts.slice(0, i).join(".")}.${base64Url(json)}.`,
      };
    }
    yield {
      name: `segment ${i} with white space in its JSON`,
      token: parts.with(i, base64Url(JSON.stringify(fields, null, 1))).join(
        ".",
      ),
    };
  }
}

function jsonObject(segment: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(
      atob(segment.replaceAll("-", "+").replaceAll("_", "/")),
    );
    return typeof value === "object" && value !== null
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}

function base64Url(text: string): string {
  return btoa(utf8AsLatin1(text)).replaceAll("+", "-").replaceAll("/", "_")
    .replaceAll("=", "");
}

function utf8AsLatin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function hex(text: string): string {
  return Array.from(
    new TextEncoder().encode(text),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}
