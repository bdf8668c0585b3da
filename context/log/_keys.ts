/**
 * Tells keys and other random values by their looks.
 *
 * @module
 */

// Each is followed by the key itself.
const PREFIX =
  /^(?:sk|rk|gh[opsur]|github_pat|glpat|gsk|xai|pplx|xox[a-z]|xapp|npm|pypi|hf|r8|sbp|do[op]_v1|dd[opw]|shp(?:at|ca|pa|ss)|whsec|figd|tskey|sq0(?:atp|csp)|lin_api|ntn|AGE-SECRET-KEY)[-_]/;
const AMAZON = /^(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}$/;
const GOOGLE = /^AIza[\w-]{16,}$/;
const DOTTED = /^(?:ya29|hvs|SG|eyJ[\w-]*)$/;

/** Whether a word is a key by the prefix that its issuer gives it. */
export function isPrefixedKey(word: string): boolean {
  if (AMAZON.test(word) || GOOGLE.test(word)) return true;
  const prefix = PREFIX.exec(word);
  if (prefix === null) return false;
  return word.slice(prefix[0].length).split(/[-_]/).some(isKeyPart);
}

/** Whether a word starts a key of several words that dots join. */
export function isDottedKeyStart(word: string): boolean {
  return DOTTED.test(word);
}

function isKeyPart(part: string): boolean {
  if (part.length >= 16) return true;
  return part.length >= 6 && /\d/.test(part);
}

const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;

/**
 * Whether a run of letters, digits and the signs of Base64 looks random: long,
 * of mixed kinds, and changing between them as often as chance would. Words,
 * UUIDs, trace ids and version numbers do not.
 */
export function looksRandom(run: string): boolean {
  if (run.length < 32) return false;
  let changes = 0;
  let digits = 0;
  let lowers = 0;
  let uppers = 0;
  let hex = 0;
  // Capitals that stand next to each other.
  let pairs = 0;
  let before = 0;
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    let kind = 0;
    if (code >= 48 && code <= 57) {
      kind = DIGIT;
      digits++;
      hex++;
    } else if (code >= 97 && code <= 122) {
      kind = LOWER;
      lowers++;
      if (code <= 102) hex++;
    } else if (code >= 65 && code <= 90) {
      kind = UPPER;
      uppers++;
      if (before === UPPER) pairs++;
      if (code <= 70) hex++;
    }
    if (kind !== before) changes++;
    before = kind;
  }
  const length = run.length;
  if (hex === length) {
    return length >= 40 && digits >= 4 && lowers + uppers >= 4;
  }
  if (digits > 0 && lowers > 0 && uppers > 0) {
    // A long camelCase name changes often too, from word to word.
    const isCamel = pairs === 0 && digits < length * 0.1;
    return changes >= length * (isCamel ? 0.5 : 0.4);
  }
  // Base32 and base36 have one case.
  return length >= 40 && digits + lowers + uppers === length &&
    changes >= length * 0.3;
}
