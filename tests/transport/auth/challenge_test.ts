import assert from "node:assert/strict";
import { extractWWWAuthenticateParams } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { unauthorized } from "../../../errors.ts";
import { challengeHeader } from "../../../transport/auth/_refusal.ts";
import {
  assertCaller,
  assertRefused,
  makeRequest,
  parseChallenge,
  start,
} from "./_support.ts";

/** RFC 6750, section 3. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/;

Deno.test("challengeHeader() names what it was given, each once", () => {
  const header = challengeHeader({
    error: "insufficient_scope",
    description: "Needs more",
    scopes: ["files:read", "files:write"],
    resourceMetadata: "https://a.example/.well-known/oauth-protected-resource",
  });
  assert.equal(
    header,
    'Bearer error="insufficient_scope", error_description="Needs more", ' +
      'scope="files:read files:write", ' +
      'resource_metadata="https://a.example/.well-known/oauth-protected-resource"',
  );
});

Deno.test("challengeHeader() puts a parameter behind the scheme even when there is nothing to say", () => {
  assert.deepEqual(parseChallenge(challengeHeader({})), { realm: "mcp" });
});

Deno.test("challengeHeader() is one well-formed challenge for any text", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      '", error="invalid_request',
      "\\",
      '\\"',
      "\r\nset-cookie: a=b",
      "\n",
      "\0",
      "世界",
      "\ud800",
      "é",
      '", Basic realm="x',
    ),
  );
  fc.assert(fc.property(
    text,
    fc.array(text, { maxLength: 3 }),
    (description, scopes) => {
      const header = challengeHeader({
        error: "invalid_token",
        description,
        scopes,
      });
      const parsed = parseChallenge(header);
      assert.match(parsed.error_description ?? "", DESCRIPTION);
      assert.match(parsed.scope ?? "", DESCRIPTION);
      const names = ["error", "error_description", "scope"];
      assert(Object.keys(parsed).every((name) => names.includes(name)));
      assert.equal(parsed.error, "invalid_token");
      new Headers({ "www-authenticate": header });
    },
  ));
});

Deno.test("hostile error text reaches the header harmless and the body unchanged", async () => {
  const text = 'bad "token" \\ for\r\nset-cookie: x=1\r\n世界 \u0000 done';
  const authenticator = start({
    verify: () => {
      throw unauthorized(text);
    },
  });
  const outcome = await authenticator.authenticate(makeRequest());
  const refusal = await assertRefused(outcome);
  assert.equal(refusal.status, 401);
  assert.equal(
    refusal.challenge?.error_description,
    "bad 'token' / for set-cookie: x=1 ? done",
  );
  assert.equal(refusal.headers.get("set-cookie"), null);
  assert.equal(refusal.message, text);
});

Deno.test("an error text without end is cut in the header, and scopes are not", () => {
  const scopes = Array.from({ length: 100 }, (_, at) => `scope-number-${at}`);
  const parsed = parseChallenge(challengeHeader({
    error: "insufficient_scope",
    description: "x".repeat(100_000),
    scopes,
  }));
  assert.equal(parsed.error_description?.length, 200);
  assert.equal(parsed.scope, scopes.join(" "));
});

Deno.test("the official client reads the challenge as it was meant", () => {
  const resourceMetadata =
    "https://pub.example.com/.well-known/oauth-protected-resource/api/mcp";
  const response = new Response(null, {
    status: 403,
    headers: {
      "www-authenticate": challengeHeader({
        error: "insufficient_scope",
        description: 'Needs "files:write", at least',
        scopes: ["files:read", "files:write"],
        resourceMetadata,
      }),
    },
  });
  const params = extractWWWAuthenticateParams(response);
  assert.equal(params.resourceMetadataUrl?.href, resourceMetadata);
  assert.equal(params.scope, "files:read files:write");
  assert.equal(params.error, "insufficient_scope");
  assert.equal(params.errorDescription, "Needs 'files:write', at least");
});

Deno.test("forbidden() names every scope the operation needs, with the request's id", async () => {
  const authenticator = start({
    verify: () => ({ clientId: "app", scopes: ["base"] }),
    requiredScopes: ["base"],
  });
  assert.equal(authenticator.forbidden(makeRequest(), ["x"]), undefined);
  // Only who was let in can lack scopes.
  assertCaller(await authenticator.authenticate(makeRequest()));
  const refusal = await assertRefused(
    authenticator.forbidden(makeRequest(), ["files:read", "files:write"], {
      id: 7,
      data: { requestId: "r-1" },
    })!,
  );
  assert.equal(refusal.status, 403);
  assert.equal(refusal.challenge?.error, "insufficient_scope");
  assert.equal(refusal.challenge?.scope, "base files:read files:write");
  assert.deepEqual(refusal.body, {
    jsonrpc: "2.0",
    id: 7,
    error: {
      code: 403,
      message: "This needs the scopes: base files:read files:write",
      data: {
        reason: "insufficient_scope",
        requiredScopes: ["base", "files:read", "files:write"],
        requestId: "r-1",
      },
    },
  });
  const zero = await assertRefused(
    authenticator.forbidden(makeRequest(), ["x"], { id: 0, message: "No" })!,
  );
  assert.equal(zero.body.id, 0);
  assert.equal(zero.message, "No");
});
