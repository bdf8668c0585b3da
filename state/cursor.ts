import { invalidParams } from "../errors.ts";

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
