import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type AuthContext,
  checkScopes,
  principalOf,
} from "../../../context/auth_context.ts";
import { assertCaller, bearer, hs256, now, SECRET, start } from "./_support.ts";

Deno.test("principalOf() is the same for a refreshed token and differs for every other caller", async () => {
  const authenticator = start({ mode: "jwt", secret: SECRET });
  const principal = async (overrides: Record<string, unknown>) =>
    principalOf(
      assertCaller(
        await authenticator.authenticate(bearer(await hs256(overrides))),
      ),
    );
  const iss = "https://i.example";
  const first = await principal({ iss });
  const refreshed = {
    iss,
    exp: now() + 900,
    jti: "2",
    scope: "files:read files:write",
  };
  assert.equal(await principal(refreshed), first);
  const others = [
    { iss: "https://j.example" },
    {},
    { iss, sub: "bob" },
    { iss, sub: undefined },
    { iss, tid: "other" },
    { iss, tid: undefined },
    { iss, client_id: "other" },
    { iss, client_id: undefined },
  ];
  const all = new Set([first, principalOf(undefined)]);
  for (const one of others) all.add(await principal(one));
  assert.equal(all.size, others.length + 2);
});

Deno.test("principalOf() keeps identities apart, whatever characters they hold", () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('"', ",", '","', "null", "[", "\\", ""),
  );
  const optional = fc.option(part, { nil: undefined });
  const identity = fc.tuple(optional, part, optional, optional);
  const context = (
    [issuer, clientId, sub, tenantId]: [
      string | undefined,
      string,
      string | undefined,
      string | undefined,
    ],
  ): AuthContext => ({
    clientId,
    scopes: [],
    ...(issuer === undefined ? {} : { issuer }),
    ...(sub === undefined ? {} : { sub }),
    ...(tenantId === undefined ? {} : { tenantId }),
  });
  fc.assert(fc.property(identity, identity, (one, other) => {
    const same = one.every((value, at) => value === other[at]);
    assert.equal(
      principalOf(context(one)) === principalOf(context(other)),
      same,
    );
  }));
});

Deno.test("checkScopes() passes callers with the scopes, and everybody when authentication is off", () => {
  const auth = { clientId: "a", scopes: ["read", "write"] };
  checkScopes({ auth }, []);
  checkScopes({ auth }, ["write", "read"]);
  checkScopes({}, ["anything"]);
  checkScopes({ auth: undefined }, ["anything"]);
});

Deno.test("checkScopes() throws forbidden with what is needed and what is missing", () => {
  const auth = { clientId: "a", scopes: ["read"] };
  assert.throws(() => checkScopes({ auth }, ["read", "write", "admin"]), {
    name: "McpError",
    code: 403,
    message: "Missing scope: write admin",
    data: {
      reason: "insufficient_scope",
      requiredScopes: ["read", "write", "admin"],
      missingScopes: ["write", "admin"],
    },
  });
});
