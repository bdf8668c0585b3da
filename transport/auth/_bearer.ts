import { TokenRejected } from "./_failure.ts";

/** Longer tokens are refused before they cost anything. */
const MAX_TOKEN_CHARACTERS = 16_384;

/**
 * The bearer token of a request (RFC 6750, section 2.1), `undefined` when there are no
 * bearer credentials. Only the `Authorization` header counts: a token in the query
 * string or in a form body is not looked at.
 *
 * Two headers reach us as one value joined by a comma, which no token holds, so
 * they are refused as malformed.
 *
 * @throws {TokenRejected} when the header names the scheme and holds no single token.
 */
export function readBearerToken(headers: Headers): string | undefined {
  const value = headers.get("authorization");
  if (value === null) return undefined;
  if (!/^bearer(?: |$)/i.test(value)) return undefined;
  const token = value.slice("bearer".length).replace(/^ +/, "");
  if (token.length > MAX_TOKEN_CHARACTERS) {
    throw new TokenRejected(
      `The access token is longer than ${MAX_TOKEN_CHARACTERS} characters`,
    );
  }
  if (!/^[A-Za-z0-9\-._~+/]+=*$/.test(token)) {
    throw new TokenRejected(
      "The Authorization header must be the word Bearer, a space and one token",
    );
  }
  return token;
}
