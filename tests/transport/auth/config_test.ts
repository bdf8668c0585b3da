import assert from "node:assert/strict";
import type { AuthenticatorConfig } from "../../../transport/auth/authenticator.ts";
import {
  authOptionsFromEnv,
  createAuthenticator,
} from "../../../transport/auth/create_authenticator.ts";
import type { AuthOptions } from "../../../transport/auth/options.ts";
import { SECRET } from "./_support.ts";

const OAUTH = {
  mode: "oauth",
  issuer: "https://auth.example.com/t1",
  audience: "https://mcp.example.com/mcp",
};
const JWT = { mode: "jwt", secret: SECRET };
const VERIFY = { verify: () => null };

function create(options: unknown, config: AuthenticatorConfig = {}) {
  return createAuthenticator(options as AuthOptions | undefined, config);
}

Deno.test("createAuthenticator() gives nothing when authentication is off", () => {
  assert.equal(create(undefined), undefined);
  assert.equal(create({ mode: "none" }), undefined);
});

Deno.test("createAuthenticator() takes every mode with its least options", () => {
  assert.equal(create(OAUTH)?.mode, "oauth");
  assert.equal(create(JWT)?.mode, "jwt");
  assert.equal(create(VERIFY)?.mode, "verify");
  assert.equal(create({ ...VERIFY, mode: "verify" })?.mode, "verify");
  const local = { ...OAUTH, issuer: "http://127.0.0.1:3000" };
  assert.equal(create(local)?.mode, "oauth");
});

Deno.test("createAuthenticator() refuses settings that cannot work, naming them", () => {
  const table: [unknown, RegExp][] = [
    [{}, /^auth names no mode/],
    [{ mode: "verify" }, /verify function/],
    [{ mode: "jtw", secret: SECRET }, /^auth\.mode is "jtw", wanted none, jwt/],
    [{ mode: "jwt" }, /^auth\.secret has 0 characters, wanted at least 32$/],
    [{ mode: "jwt", secret: "short" }, /^auth\.secret has 5 characters/],
    [{ mode: "jwt", secret: SECRET.slice(1) }, /^auth\.secret has 31/],
    [{ mode: "jwt", secret: 7 }, /^auth\.secret/],
    [{ ...JWT, audience: "" }, /^auth\.audience/],
    [{ ...JWT, audience: [] }, /^auth\.audience/],
    [{ ...JWT, issuer: "" }, /^auth\.issuer/],
    [
      { ...JWT, clockToleranceSeconds: -1 },
      /^auth\.clockToleranceSeconds is -1/,
    ],
    [{ ...JWT, clockToleranceSeconds: 301 }, /0 to 300$/],
    [{ ...JWT, clockToleranceSeconds: NaN }, /^auth\.clockToleranceSeconds/],
    [{ ...JWT, clockToleranceSeconds: "30" }, /^auth\.clockToleranceSeconds/],
    [{ ...OAUTH, audience: undefined }, /^auth\.audience/],
    [{ ...OAUTH, audience: "" }, /^auth\.audience/],
    [{ ...OAUTH, audience: ["a", ""] }, /^auth\.audience/],
    [{ ...OAUTH, issuer: undefined }, /^auth\.issuer/],
    [{ ...OAUTH, issuer: "auth.example.com" }, /^auth\.issuer is "auth\.ex/],
    [
      { ...OAUTH, issuer: "http://auth.example.com" },
      /wanted an absolute https/,
    ],
    [
      { ...OAUTH, issuer: "https://a.example?x=1" },
      /^auth\.issuer has a query/,
    ],
    [{ ...OAUTH, issuer: "https://a.example#x" }, /^auth\.issuer/],
    [{ ...OAUTH, jwksUri: "keys.json" }, /^auth\.jwksUri/],
    [{ ...OAUTH, jwksUri: "http://keys.example.com" }, /^auth\.jwksUri/],
    [{ ...OAUTH, jwksUri: "file:///keys.json" }, /^auth\.jwksUri/],
    [{ ...OAUTH, algorithms: [] }, /^auth\.algorithms/],
    [{ ...OAUTH, algorithms: ["RS256", "HS256"] }, /^auth\.algorithms/],
    [{ ...OAUTH, algorithms: ["none"] }, /asymmetric/],
    [
      { ...VERIFY, requiredScopes: ["a b"] },
      /^auth\.requiredScopes holds "a b"/,
    ],
    [{ ...VERIFY, requiredScopes: "a" }, /^auth\.requiredScopes/],
    [{ ...VERIFY, scopesSupported: ['a"'] }, /^auth\.scopesSupported/],
    [{ ...VERIFY, scopesSupported: ["é"] }, /^auth\.scopesSupported/],
    [{ ...VERIFY, scopeHierarchy: { a: [""] } }, /^auth\.scopeHierarchy/],
    [{ ...VERIFY, authorizationServers: ["x"] }, /^auth\.authorizationServers/],
    [{ ...VERIFY, tenant: "always" }, /^auth\.tenant/],
    [{ ...VERIFY, tenant: { default: "" } }, /^auth\.tenant/],
    [{ ...VERIFY, tenant: null }, /^auth\.tenant/],
  ];
  for (const [options, message] of table) {
    assert.throws(() => create(options), (error) => {
      assert(error instanceof Error);
      assert.match(error.message, message);
      assert.equal(Reflect.get(error, "code"), 500);
      return true;
    }, JSON.stringify(options));
  }
});

Deno.test("createAuthenticator() refuses a public URL that clients could not use, in every mode", () => {
  for (
    const publicUrl of [
      "example.com/mcp",
      "localhost:8000/mcp",
      "/mcp",
      "",
      " https://mcp.example.com/mcp",
      "https://mcp.example.com/mcp\n",
      "https://mcp.example.com/a b",
      "http://mcp.example.com/mcp",
      "http://10.0.0.5:8000/mcp",
      "http://localhost.evil.example/mcp",
      "https://mcp.example.com/mcp#fragment",
      "https://mcp.example.com/mcp#",
      "https://user:hunter2-secret@mcp.example.com/mcp",
      "ftp://mcp.example.com/mcp",
      "javascript:alert(1)",
      "https://",
      'https://mcp.example.com/"mcp',
      "https:\\\\mcp.example.com\\mcp",
    ]
  ) {
    for (const options of [OAUTH, JWT, VERIFY, { mode: "none" }]) {
      assert.throws(() => create(options, { publicUrl }), (error) => {
        assert(error instanceof Error);
        assert.match(
          error.message,
          /^publicUrl is ".*wanted an absolute https/s,
        );
        assert(!error.message.includes("hunter2-secret"));
        return true;
      });
    }
  }
});

Deno.test("messages about settings never hold the secret", () => {
  const secret = "my-short-secret";
  for (
    const attempt of [
      () => create({ mode: "jwt", secret }),
      () =>
        authOptionsFromEnv((name) =>
          ({ MCP_AUTH_MODE: "jwt", MCP_AUTH_SECRET_KEY: secret })[name]
        ),
    ]
  ) {
    assert.throws(attempt, (error) => {
      assert(error instanceof Error);
      assert(!error.message.includes(secret));
      return true;
    });
  }
});

Deno.test("authOptionsFromEnv() reads the variables of the chosen mode", () => {
  const table: [Record<string, string>, unknown][] = [
    [{}, undefined],
    [{ MCP_AUTH_MODE: "" }, undefined],
    [{ MCP_AUTH_SECRET_KEY: SECRET }, undefined],
    [{ MCP_AUTH_MODE: "none" }, { mode: "none" }],
    [{ MCP_AUTH_MODE: "jwt", MCP_AUTH_SECRET_KEY: SECRET }, JWT],
    [
      {
        MCP_AUTH_MODE: "oauth",
        OAUTH_ISSUER_URL: "https://a.example",
        OAUTH_AUDIENCE: "api",
        OAUTH_JWKS_URI: "",
      },
      {
        mode: "oauth",
        issuer: "https://a.example",
        audience: "api",
        jwksUri: undefined,
      },
    ],
    [
      {
        MCP_AUTH_MODE: "oauth",
        OAUTH_ISSUER_URL: "https://a.example",
        OAUTH_AUDIENCE: "api",
        OAUTH_JWKS_URI: "https://a.example/keys",
      },
      {
        mode: "oauth",
        issuer: "https://a.example",
        audience: "api",
        jwksUri: "https://a.example/keys",
      },
    ],
  ];
  for (const [env, expected] of table) {
    const options = authOptionsFromEnv((name) => env[name]);
    assert.deepEqual(options, expected);
    createAuthenticator(options);
  }
});

Deno.test("authOptionsFromEnv() refuses wrong and missing variables, naming them", () => {
  const oauth = {
    MCP_AUTH_MODE: "oauth",
    OAUTH_ISSUER_URL: "https://a.example",
    OAUTH_AUDIENCE: "api",
  };
  const table: [Record<string, string>, RegExp][] = [
    [
      { MCP_AUTH_MODE: "basic" },
      /^MCP_AUTH_MODE is "basic", wanted none, jwt or oauth$/,
    ],
    [{ MCP_AUTH_MODE: "JWT" }, /^MCP_AUTH_MODE/],
    [{ MCP_AUTH_MODE: " " }, /^MCP_AUTH_MODE/],
    [{ MCP_AUTH_MODE: "jwt" }, /^MCP_AUTH_SECRET_KEY is not set.*32/],
    [
      { MCP_AUTH_MODE: "jwt", MCP_AUTH_SECRET_KEY: "x".repeat(31) },
      /^MCP_AUTH_SECRET_KEY has 31 characters, wanted at least 32$/,
    ],
    [{ ...oauth, OAUTH_ISSUER_URL: "" }, /^OAUTH_ISSUER_URL is not set/],
    [{ ...oauth, OAUTH_ISSUER_URL: "a.example" }, /^OAUTH_ISSUER_URL is "a/],
    [{ ...oauth, OAUTH_ISSUER_URL: "http://a.example" }, /^OAUTH_ISSUER_URL/],
    [{ ...oauth, OAUTH_AUDIENCE: "" }, /^OAUTH_AUDIENCE is not set/],
    [{ ...oauth, OAUTH_JWKS_URI: "keys" }, /^OAUTH_JWKS_URI is "keys"/],
  ];
  for (const [env, message] of table) {
    assert.throws(
      () => authOptionsFromEnv((name) => env[name]),
      { name: "McpError", code: 500, message },
      JSON.stringify(env),
    );
  }
});
