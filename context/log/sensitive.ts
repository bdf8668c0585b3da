/**
 * Which names stand for secrets.
 *
 * @module
 */

import { added, normalizeField } from "./sensitive_fields.ts";

const FIELDS: readonly string[] = [
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "pwd",
  "secret",
  "token",
  "jwt",
  "bearer",
  "authorization",
  "cookie",
  "credential",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "sharedkey",
  "masterkey",
  "sshkey",
  "otp",
  "cvv",
  "cvc",
  "ssn",
];

/** Tells whether a name stands for a secret. */
export type SensitiveTest = (name: string) => boolean;

/**
 * Makes a test for names: the built-in list, the given names, and whatever
 * `setSensitiveFields` adds, now or later.
 *
 * @param fields More names to mask.
 * @throws {TypeError} If a name holds no letter or digit.
 */
export function createSensitiveTest(
  fields: readonly string[] = [],
): SensitiveTest {
  const own = [...FIELDS, ...fields.map(normalizeField)];
  let turn = -1;
  let names = new Set<string>();
  let endings: string[] = [];
  let known = new Map<string, boolean>();
  return function isSensitive(name) {
    if (turn !== added.turn) {
      turn = added.turn;
      names = new Set([...own, ...added.fields]);
      endings = [...names].filter((field) => field.length >= 5);
      known = new Map();
    }
    const before = known.get(name);
    if (before !== undefined) return before;
    const answer = matches(name, names, endings);
    // Names may come from a client, so the memory must not grow with them.
    if (known.size >= 1000) known = new Map();
    if (name.length <= 64) known.set(name, answer);
    return answer;
  };
}

/** Any run of words may be a listed name: `x-api-key` holds `apikey`. */
function matches(
  name: string,
  names: ReadonlySet<string>,
  endings: readonly string[],
): boolean {
  const words = wordsOf(name);
  for (let start = 0; start < words.length; start++) {
    let run = "";
    for (let end = start; end < words.length && end < start + 6; end++) {
      run += words[end];
      if (isListed(run, names)) return true;
    }
    // Written in one piece, as in `accesstoken` or `dbpassword`.
    const word = singular(words[start]!);
    if (endings.some((ending) => word.endsWith(ending))) return true;
  }
  return false;
}

function isListed(run: string, names: ReadonlySet<string>): boolean {
  return names.has(run) || names.has(singular(run));
}

function singular(word: string): string {
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function wordsOf(name: string): string[] {
  if (/^[a-z_-]*$/.test(name)) return name.split(/[_-]+/);
  return name.slice(-256).normalize("NFKC")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== "");
}
