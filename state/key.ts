import { invalidParams, validationError } from "../errors.ts";
import { StateLimits } from "./limits.ts";

const DEFAULT_PAGE_SIZE = 100;
const CHARSET = /^[a-zA-Z0-9_.\-/]+$/;

/**
 * Refuses a key that is against the rules: 1 to 1,024 of the characters
 * `a-z A-Z 0-9 _ . - /`, with no `..` among them.
 *
 * @throws {McpError} `validationError` naming the key and the rule.
 */
export function checkKey(key: unknown): asserts key is string {
  check(key, "key");
}

/**
 * Refuses a list prefix that is against the rules for keys. The empty prefix is
 * allowed and stands for all keys.
 *
 * @throws {McpError} `validationError` naming the prefix and the rule.
 */
export function checkPrefix(prefix: unknown): asserts prefix is string {
  if (prefix !== "") check(prefix, "prefix");
}

/**
 * Gives the page size to use for the one asked for.
 *
 * @throws {McpError} `validationError` when it is not a whole number from 1 to 1,000.
 */
export function checkPageSize(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_PAGE_SIZE;
  if (Number.isInteger(limit) && limit >= 1 && limit <= StateLimits.pageSize) {
    return limit;
  }
  const shown = typeof limit === "number" ? limit : `of type ${typeof limit}`;
  throw validationError(
    `The list limit is ${shown}; it takes a whole number from 1 to ${StateLimits.pageSize}`,
  );
}

function check(key: unknown, what: string): void {
  const broken = brokenRule(key);
  if (broken === undefined) return;
  const shown = show(key);
  throw validationError(`The state ${what} ${shown} ${broken}`, {
    [what]: shown,
  });
}

function brokenRule(key: unknown): string | undefined {
  if (typeof key !== "string") return "is not a string";
  if (key === "") return "is empty; it takes at least one character";
  if (key.length > StateLimits.keyLength) {
    return `has ${key.length} characters, over the limit of ${StateLimits.keyLength}`;
  }
  if (!CHARSET.test(key)) {
    return 'may hold only letters, digits, "_", ".", "-" and "/"';
  }
  if (key.includes("..")) return 'may not hold ".."';
  return undefined;
}

/** The key in quotes, shortened, and with nothing but printable ASCII in it. */
function show(key: unknown): string {
  if (typeof key !== "string") return `of type ${typeof key}`;
  const short = key.length > 64 ? key.slice(0, 64) + "..." : key;
  return JSON.stringify(short).replace(
    /[^\x20-\x7e]/g,
    (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

/** How many bytes of the digest a cursor carries. */
const DIGEST_BYTES = 12;

/**
 * Writes a cursor: the key a page ended at, and a digest of the list it is of.
 * It is a position only. Whatever it says, a page holds keys of the caller's own
 * tenant and prefix.
 */
export async function formatCursor(
  scope: string,
  key: string,
): Promise<string> {
  const digest = await digestOf(scope);
  const text = String.fromCharCode(...digest) + key;
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_")
    .replace(/=+$/, "");
}

/**
 * Reads a cursor.
 *
 * @throws {McpError} `invalidParams` when it is not one of this list.
 */
export async function parseCursor(
  scope: string,
  cursor: unknown,
): Promise<string> {
  const text = decode(cursor);
  const digest = String.fromCharCode(...await digestOf(scope));
  if (!text.startsWith(digest) || text.length === DIGEST_BYTES) refuse();
  return text.slice(DIGEST_BYTES);
}

function decode(cursor: unknown): string {
  if (typeof cursor !== "string" || !/^[\w-]+$/.test(cursor)) refuse();
  try {
    return atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    refuse();
  }
}

function refuse(): never {
  throw invalidParams(
    "The cursor is not one that this list gave; start again without a cursor",
  );
}

async function digestOf(scope: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(scope);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return new Uint8Array(digest, 0, DIGEST_BYTES);
}
