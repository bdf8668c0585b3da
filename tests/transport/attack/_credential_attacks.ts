import { hmacToken, now, rawToken, SECRET } from "../auth/_support.ts";
import {
  type Attack,
  callWith,
  goodClaims,
  METADATA,
  token,
} from "./_target.ts";

const bare = { scope: "mcp", resource_metadata: METADATA };

function invalid(description: string): Record<string, string> {
  return {
    error: "invalid_token",
    error_description: description,
    ...bare,
  };
}

const MALFORMED = invalid("The access token is malformed");
const TWO_WORDS = invalid(
  "The Authorization header must be the word Bearer, a space and one token",
);
const SIGNATURE = invalid("The access token's signature is wrong");
const ALGORITHM = invalid("The access token's algorithm is not accepted");

/** A request with this `Authorization` header. */
function authorized(value: string): () => Request {
  return () => callWith({ authorization: value });
}

/** A request with a token made from these parts. */
function withToken(
  make: () => string | Promise<string>,
): () => Promise<Request> {
  return async () => callWith({ authorization: `Bearer ${await make()}` });
}

function refused(
  name: string,
  request: Attack["request"],
  challenge: Readonly<Record<string, string>>,
): Attack {
  return { name, request, status: 401, code: 401, challenge };
}

function withClaims(claims: Record<string, unknown>): Attack["request"] {
  return withToken(() => token(claims));
}

/** Who tries to get in without the right token. */
export const credentialAttacks: readonly Attack[] = [
  refused("no credentials at all", () => callWith({}), bare),
  refused("an empty Authorization header", authorized(""), bare),
  refused("another scheme", authorized("Basic YWxpY2U6aHVudGVyMg=="), bare),
  refused("a scheme that begins alike", authorized("Bearerx abc"), bare),
  refused("the scheme without a token", authorized("Bearer"), TWO_WORDS),
  refused("a word for a token", authorized("Bearer anything"), MALFORMED),
  refused("two tokens", authorized("Bearer a.b.c d.e.f"), TWO_WORDS),
  refused("a token behind a comma", authorized("Bearer a.b.c, d"), TWO_WORDS),
  refused(
    "a header as long as the server's patience",
    authorized(`Bearer ${"a".repeat(20_000)}`),
    invalid("The access token is longer than 16384 characters"),
  ),
  refused("a token in the query string", async () => {
    const url = `http://localhost/mcp?access_token=${await token()}`;
    return new Request(url, callWith({}));
  }, bare),
  refused(
    "a token in a cookie",
    async () => callWith({ cookie: `token=${await token()}` }),
    bare,
  ),
  refused(
    "a token in a header of another name",
    async () => callWith({ "x-authorization": `Bearer ${await token()}` }),
    bare,
  ),
  refused(
    "a token without a signature",
    withToken(() => rawToken({ alg: "none" }, goodClaims())),
    ALGORITHM,
  ),
  refused(
    "a token without a signature, in other capitals",
    withToken(() => rawToken({ alg: "None" }, goodClaims())),
    ALGORITHM,
  ),
  refused(
    "a token of another algorithm of the same secret",
    withToken(() =>
      hmacToken({ alg: "HS512" }, goodClaims(), SECRET, "SHA-512")
    ),
    ALGORITHM,
  ),
  refused(
    "a token signed with another secret",
    withToken(() => token({}, {}, SECRET.toUpperCase())),
    SIGNATURE,
  ),
  refused(
    "a token whose claims were changed",
    withToken(async () => {
      const [header, , signature] = (await token()).split(".");
      const [, changed] = (await token({ sub: "root" })).split(".");
      return `${header}.${changed}.${signature}`;
    }),
    SIGNATURE,
  ),
  refused(
    "a token with its signature cut off",
    withToken(async () => (await token()).replace(/\.[^.]+$/, ".")),
    SIGNATURE,
  ),
  refused(
    "a token that is no JSON inside",
    withToken(() => rawToken("{", "}", "c2ln")),
    MALFORMED,
  ),
  refused(
    "a token with a critical extension",
    withToken(() => token({}, { crit: ["exp"] })),
    invalid(
      "The access token uses an algorithm or extension that is not supported",
    ),
  ),
  refused(
    "a token of another type",
    withToken(() => token({}, { typ: "dpop+jwt" })),
    invalid("The token is not an access token"),
  ),
  refused(
    "an expired token, which also lacks scopes",
    withClaims({ exp: now() - 3_600, scope: "" }),
    invalid("The access token has expired"),
  ),
  refused(
    "a token that never expires",
    withClaims({ exp: undefined }),
    invalid("The access token lacks the claim exp"),
  ),
  refused(
    "an expiry that is text",
    withClaims({ exp: "9999999999" }),
    invalid("The access token's claim exp is not acceptable"),
  ),
  refused(
    "a token from the future",
    withClaims({ nbf: now() + 3_600 }),
    invalid("The access token's claim nbf is not acceptable"),
  ),
  refused(
    "a token for another server",
    withClaims({ aud: "https://other.example.com/mcp" }),
    invalid("The access token is not meant for this server"),
  ),
  refused(
    "a token for a server whose name begins alike",
    withClaims({ aud: "https://pub.example.com/mcp2" }),
    invalid("The access token is not meant for this server"),
  ),
  refused(
    "a token for everyone",
    withClaims({ aud: undefined }),
    invalid("The access token is not meant for this server"),
  ),
  refused(
    "a token of another issuer",
    withClaims({ iss: "https://issuer.example.com.evil.net" }),
    invalid("The access token's claim iss is not acceptable"),
  ),
  refused(
    "a token that is bound to a key",
    withClaims({ cnf: { jkt: "x" } }),
    invalid(
      "The access token is sender-constrained and cannot be used as a bearer token",
    ),
  ),
  refused(
    "a token of nobody",
    withClaims({ client_id: undefined, sub: undefined }),
    invalid(
      "The access token names no caller: it needs a claim cid, client_id, azp or sub",
    ),
  ),
  refused(
    "a token whose subject is no text",
    withClaims({ sub: { $ne: null } }),
    invalid("The access token's claim sub must be a non-empty string"),
  ),
  refused(
    "a token without a tenant",
    withClaims({ tid: undefined }),
    invalid("The access token names no tenant"),
  ),
  refused(
    "a session of a stranger, without credentials",
    () => callWith({ "mcp-session-id": crypto.randomUUID() }),
    bare,
  ),
  refused(
    "a stream without credentials",
    () =>
      new Request("http://localhost/mcp", {
        headers: { accept: "text/event-stream" },
      }),
    bare,
  ),
  refused(
    "the end of a session without credentials",
    () =>
      new Request("http://localhost/mcp", {
        method: "DELETE",
        headers: { "mcp-session-id": crypto.randomUUID() },
      }),
    bare,
  ),
  refused(
    "a large body without credentials",
    () => new Request(callWith({}), { body: " ".repeat(2_097_152) }),
    bare,
  ),
  refused(
    "another content type without credentials",
    () => callWith({ "content-type": "text/plain" }),
    bare,
  ),
  refused(
    "another HTTP method without credentials",
    () => new Request("http://localhost/mcp", { method: "PUT" }),
    bare,
  ),
];
