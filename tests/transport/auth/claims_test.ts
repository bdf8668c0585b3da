import assert from "node:assert/strict";
import type { AuthContext } from "../../../context/auth_context.ts";
import type { CommonAuthOptions } from "../../../transport/auth/options.ts";
import {
  assertCaller,
  assertRefused,
  bearer,
  claims,
  hmacToken,
  hs256,
  SECRET,
  start,
} from "./_support.ts";

async function callerOf(
  overrides: Record<string, unknown>,
  options: CommonAuthOptions = {},
): Promise<AuthContext | number> {
  const authenticator = start({ mode: "jwt", secret: SECRET, ...options });
  const outcome = await authenticator.authenticate(
    bearer(await hs256(overrides)),
  );
  if (outcome instanceof Response) return (await assertRefused(outcome)).status;
  return outcome;
}

async function served(
  overrides: Record<string, unknown>,
  options?: CommonAuthOptions,
): Promise<AuthContext> {
  const caller = await callerOf(overrides, options);
  assert(typeof caller === "object", JSON.stringify(overrides));
  return caller;
}

Deno.test("the client is the first of cid, client_id and azp, and else the subject", async () => {
  const table: [Record<string, unknown>, string][] = [
    [{ cid: "a", client_id: "b", azp: "c" }, "a"],
    [{ client_id: "b", azp: "c" }, "b"],
    [{ client_id: undefined, azp: "c" }, "c"],
    [{ client_id: undefined }, "alice"],
    [{ cid: 7, client_id: "b" }, "b"],
    [{ cid: "", client_id: "b" }, "b"],
    [{ cid: null, client_id: ["x"], azp: "c" }, "c"],
    [{ client_id: undefined, appid: "z" }, "alice"],
  ];
  for (const [overrides, expected] of table) {
    const { clientId, sub } = await served(overrides);
    assert.equal(clientId, expected, JSON.stringify(overrides));
    assert.equal(sub, "alice");
  }
  const { sub, clientId } = await served({ sub: undefined });
  assert.equal(sub, undefined);
  assert.equal(clientId, "app");
});

Deno.test("a token that names nobody, or names somebody unusably, is 401", async () => {
  for (
    const overrides of [
      { client_id: undefined, sub: undefined },
      { client_id: "", sub: undefined },
      { client_id: 7, sub: undefined },
      { sub: 7 },
      { sub: "" },
      { sub: ["alice"] },
      { sub: { id: "alice" } },
      { sub: true },
      { tid: "" },
      { tid: 7 },
      { tid: ["acme"] },
      { iss: 7 },
      { iss: "" },
    ]
  ) {
    assert.equal(await callerOf(overrides), 401, JSON.stringify(overrides));
  }
});

Deno.test("identifiers of ill-formed Unicode are 401, because stores fold them together", async () => {
  for (const name of ["sub", "tid", "iss"]) {
    const text = JSON.stringify({ ...claims(), [name]: "x" })
      .replace('"x"', '"\\ud800"');
    const authenticator = start({ mode: "jwt", secret: SECRET });
    const token = await hmacToken({ alg: "HS256" }, text);
    const refusal = await assertRefused(
      await authenticator.authenticate(bearer(token)),
    );
    assert.equal(refusal.status, 401, name);
  }
});

Deno.test("null stands for a claim that is not there", async () => {
  const caller = await served({ sub: null, tid: null, iss: null });
  assert(!("sub" in caller) && !("tenantId" in caller));
  assert(!("issuer" in caller));
});

Deno.test("scopes of scope, scp and mcp_tool_scopes add up, each once", async () => {
  const table: [Record<string, unknown>, string[]][] = [
    [{ scope: "a b" }, ["a", "b"]],
    [{ scope: "  a   b  " }, ["a", "b"]],
    [{ scope: ["a", "b"] }, ["a", "b"]],
    [{ scope: "" }, []],
    [{ scope: undefined }, []],
    [{ scope: undefined, scp: ["a", "b"] }, ["a", "b"]],
    [{ scope: undefined, scp: "a b" }, ["a", "b"]],
    [{ scope: undefined, mcp_tool_scopes: "a b" }, ["a", "b"]],
    [{ scope: undefined, mcp_tool_scopes: ["a"] }, ["a"]],
    [
      { scope: "a b", scp: ["b", "c"], mcp_tool_scopes: "c d" },
      ["a", "b", "c", "d"],
    ],
    [{ scope: "a", scp: ["b", 7] }, ["a"]],
    [{ scope: { a: true } }, []],
    [{ scope: 7 }, []],
    [{ scope: ["", "a"] }, ["a"]],
    [{ scope: ["a b"] }, ["a b"]],
    [{ scope: "a,b" }, ["a,b"]],
    [{ scope: "a a a" }, ["a"]],
    [{ scope: "__proto__ constructor" }, ["__proto__", "constructor"]],
    [{ scope: undefined, roles: ["admin"], permissions: ["x"] }, []],
  ];
  for (const [overrides, expected] of table) {
    const { scopes } = await served(overrides);
    assert.deepEqual(scopes, expected, JSON.stringify(overrides));
  }
});

Deno.test("a broader scope brings along those it implies, through any number of steps", async () => {
  const options = {
    requiredScopes: ["files:read"],
    scopeHierarchy: {
      admin: ["files:write"],
      "files:write": ["files:read"],
      "files:read": ["admin:loop"],
      "admin:loop": ["files:read"],
    },
  };
  const admin = await served({ scope: "admin" }, options);
  assert.deepEqual(admin.scopes, [
    "admin",
    "files:write",
    "files:read",
    "admin:loop",
  ]);
  const reader = await served({ scope: "files:read" }, options);
  assert(!reader.scopes.includes("files:write"));
  assert.equal(await callerOf({ scope: "toString" }, options), 403);
});

Deno.test("a caller without a tenant is served, refused or given one, as the policy says", async () => {
  const none = { tid: undefined };
  assert.equal((await served(none)).tenantId, undefined);
  assert.equal(
    (await served(none, { tenant: "optional" })).tenantId,
    undefined,
  );
  assert.equal(await callerOf(none, { tenant: "required" }), 401);
  const fixed = { tenant: { default: "main" } };
  assert.equal((await served(none, fixed)).tenantId, "main");
  assert.equal((await served({ tid: "acme" }, fixed)).tenantId, "acme");
  const required = { tenant: "required" } as const;
  assert.equal((await served({ tid: "acme" }, required)).tenantId, "acme");
});

Deno.test("the tenant policy also holds for callers of verify()", async () => {
  const verify = () => ({ clientId: "a", scopes: ["wide"] });
  const refused = start({ verify, tenant: "required" });
  const request = bearer("x");
  const refusal = await assertRefused(await refused.authenticate(request));
  assert.equal(refusal.status, 401);
  const fixed = start({
    verify,
    tenant: { default: "main" },
    scopeHierarchy: { wide: ["narrow"] },
  });
  const caller = assertCaller(await fixed.authenticate(request));
  assert.equal(caller.tenantId, "main");
  assert.deepEqual(caller.scopes, ["wide", "narrow"]);
});
