import assert from "node:assert/strict";
import { createApp, ErrorCode, McpError, memoryState } from "../../mod.ts";
import type { AppOptions } from "../../mod.ts";
import { resolveConfig } from "../../transport/config.ts";

const BASE = { name: "configured", version: "1.0.0", state: memoryState() };
const KEY = "0123456789abcdef0123456789abcdef";

function withOptions(options: Record<string, unknown>): AppOptions {
  // Also what no type checker has seen, such as a configuration file, arrives here.
  return { ...BASE, ...options } as AppOptions;
}

/** The error of a start that must not happen. */
function startError(run: () => unknown): McpError {
  try {
    run();
  } catch (error) {
    assert(error instanceof McpError, String(error));
    assert.equal(error.code, ErrorCode.ConfigurationError, error.message);
    assert(!error.message.endsWith("."), error.message);
    return error;
  }
  throw assert.fail("it started");
}

const badOptions: Record<string, readonly unknown[]> = {
  name: [undefined, "", "  ", 7, null],
  version: [undefined, "", 1],
  title: [7, null],
  description: [false],
  instructions: [["read", "me"]],
  websiteUrl: ["not a url", 7],
  icons: [{}, [{}], [{ src: "" }], "icon.png"],
  tools: [{}, "tool", [undefined], [null], ["tool"]],
  resources: [null, {}, [undefined]],
  prompts: [7, [false]],
  state: [{}, "kv", { get() {} }],
  eventBus: [{}, { publish() {} }],
  auth: ["jwt", null, 7],
  requestState: ["secret", null],
  "requestState.keys": [[], ["short"], [7], [KEY, KEY], "not an array"],
  "requestState.encrypt": ["yes"],
  "requestState.seal": [0],
  "requestState.ttlSeconds": [0, -1, NaN, Infinity, "900"],
  "requestState.verify": ["verify"],
  inputRequired: [true],
  "inputRequired.legacyShim": ["off"],
  sessionMode: ["sticky", "", 7, null],
  "sessionMode.default": [{ default: "sticky" }],
  "sessionMode.require": [{ require: "stateless" }, { require: true }],
  context: ["x"],
  "context.exposeStatelessSessionId": ["yes"],
  cacheHints: [{ "tools/call": { ttlMs: 1 } }, { "tools/list": 5 }, []],
  pageSize: [0, -1, 1.5, NaN, Infinity, "10"],
  listFilter: ["all", true],
  path: ["mcp", "", "/a?b", "/a#b", "/a/../b", "/ä", "/a b", 7],
  health: ["healthz", "", "/a?b", 7, "/mcp"],
  allowedHosts: ["example.com", ["https://example.com"], ["a/b"], [""], [7]],
  allowedOrigins: [
    "https://example.com",
    ["example.com"],
    ["https://example.com/"],
    ["https://example.com/path"],
    ["https://user@example.com"],
    [""],
    [7],
  ],
  publicUrl: [
    "example.com/mcp",
    "http://example.com/mcp",
    "https://user:pw@example.com/",
    "https://example.com/#mcp",
    "",
  ],
  maxBodyBytes: [-1, 1.5, NaN, "1mb", Infinity],
  keepAliveMs: [-1, NaN, Infinity, 2 ** 31, "15s"],
  callTimeoutMs: [-1, NaN, Infinity, 2 ** 31, "1s"],
  closeTimeoutMs: [-1, NaN, Infinity, "1s"],
  limits: [5, []],
  "limits.concurrentCalls": [0, -1, 1.5, "many"],
  "limits.openStreams": [0, NaN],
  logLevel: ["loud", "INFO", 3],
  setup: [{}, "setup"],
};

function nested(name: string, value: unknown): Record<string, unknown> {
  const [first = "", second] = name.split(".");
  if (second === undefined) return { [first]: value };
  // The session mode's members are given whole.
  return first === "sessionMode"
    ? { [first]: value }
    : { [first]: { [second]: value } };
}

for (const [name, values] of Object.entries(badOptions)) {
  Deno.test(`a wrong ${name} stops the start, and the error says what it takes`, () => {
    for (const value of values) {
      const options = withOptions(nested(name, value));
      const { message } = startError(() => createApp(options));
      assert(message.includes(name), message);
      assert.match(message, /it takes |wanted /);
    }
  });
}

Deno.test("an allowed origin or host may be any that browsers send", () => {
  createApp(withOptions({
    allowedOrigins: [
      "*",
      "null",
      "https://example.com",
      "http://localhost:5173",
      "http://[::1]:3000",
      "chrome-extension://abcdefgh",
    ],
    allowedHosts: ["*", "example.com", "EXAMPLE.com:8000", "[::1]", "10.0.0.1"],
  }));
});

Deno.test("a list that cannot be used is shown as it is", () => {
  const options = withOptions({ allowedOrigins: ["example.com"] });
  const { message } = startError(() => createApp(options));
  assert.match(message, /^Cannot use allowedOrigins \["example\.com"\]: /);
});

Deno.test("every option may be left undefined", () => {
  const names = Object.keys(badOptions).filter((name) =>
    !name.includes(".") && name !== "name" && name !== "version"
  );
  createApp(withOptions(
    Object.fromEntries(names.map((name) => [name, undefined])),
  ));
});

const badVariables: Record<string, readonly string[]> = {
  MCP_LOG_LEVEL: ["loud", "5"],
  MCP_STATE: ["redis", "kv:", "KV"],
  MCP_SESSION_MODE: ["sticky"],
  MCP_HTTP_RESUMABILITY: ["maybe", "off"],
  MCP_HTTP_MAX_BODY_BYTES: ["1mb", "-1", "1.5", "1e6", "99999999999999999999"],
  MCP_REQUEST_STATE_KEY: ["short", `${KEY},`, `${KEY},${KEY}`],
  MCP_AUTH_MODE: ["basic", "OAUTH"],
  MCP_ALLOWED_HOSTS: ["https://example.com", "a.example,b/c"],
  MCP_ALLOWED_ORIGINS: ["example.com", "https://a.example/path"],
};

function envOf(
  variables: Readonly<Record<string, string>>,
): (name: string) => string | undefined {
  return (name) => variables[name];
}

const IDENTITY = { name: "configured", version: "1.0.0" };

for (const [name, values] of Object.entries(badVariables)) {
  Deno.test(`a wrong ${name} stops the start, and the error says what it takes`, () => {
    for (const value of values) {
      const env = envOf({ [name]: value });
      const { message } = startError(() => resolveConfig(IDENTITY, env));
      assert(message.includes(name), message);
      assert.match(message, /it takes |wanted /);
    }
  });
}

Deno.test("the error of a wrong variable shows it as it is set", () => {
  for (
    const name of [
      "MCP_HTTP_RESUMABILITY",
      "MCP_LOG_LEVEL",
      "MCP_SESSION_MODE",
    ]
  ) {
    const env = envOf({ [name]: "Perhaps" });
    const { message } = startError(() => resolveConfig(IDENTITY, env));
    assert.match(message, /"Perhaps": it takes /, name);
  }
});

const badAuth: Record<string, Readonly<Record<string, string>>> = {
  MCP_AUTH_SECRET_KEY: { MCP_AUTH_MODE: "jwt" },
  OAUTH_ISSUER_URL: { MCP_AUTH_MODE: "oauth" },
  OAUTH_AUDIENCE: {
    MCP_AUTH_MODE: "oauth",
    OAUTH_ISSUER_URL: "https://issuer.example.com",
  },
  OAUTH_JWKS_URI: {
    MCP_AUTH_MODE: "oauth",
    OAUTH_ISSUER_URL: "https://issuer.example.com",
    OAUTH_AUDIENCE: "https://mcp.example.com",
    OAUTH_JWKS_URI: "keys",
  },
};

for (const [name, variables] of Object.entries(badAuth)) {
  Deno.test(`a missing or wrong ${name} stops the start`, () => {
    const { message } = startError(() =>
      resolveConfig(IDENTITY, envOf(variables))
    );
    assert(message.includes(name), message);
    assert.match(message, /it takes |wanted /);
  });
}

Deno.test("no error of the start shows a secret", () => {
  const secret = "hunter2-hunter2";
  const attempts = [
    () => createApp(withOptions({ requestState: { keys: [secret] } })),
    () => createApp(withOptions({ auth: { mode: "jwt", secret } })),
    () => resolveConfig(IDENTITY, envOf({ MCP_REQUEST_STATE_KEY: secret })),
    () =>
      resolveConfig(
        IDENTITY,
        envOf({ MCP_AUTH_MODE: "jwt", MCP_AUTH_SECRET_KEY: secret }),
      ),
    () =>
      resolveConfig(
        IDENTITY,
        envOf({ MCP_STATE: `redis://user:${secret}@db` }),
      ),
  ];
  for (const attempt of attempts) {
    const error = startError(attempt);
    assert(!error.message.includes("hunter2"), error.message);
    assert(!JSON.stringify(error.data ?? {}).includes("hunter2"));
  }
});

Deno.test("every setting has a default that works", () => {
  const config = resolveConfig(IDENTITY, envOf({}));
  assert.equal(config.path, "/mcp");
  assert.equal(config.healthPath, undefined);
  assert.equal(config.auth, undefined);
  assert.deepEqual(config.allowedHosts, []);
  assert.deepEqual(config.allowedOrigins, []);
  assert.equal(config.maxBodyBytes, 1_048_576);
  assert.equal(config.callTimeoutMs, undefined);
  assert.equal(config.limits, undefined);
  assert.equal(config.logLevel, "info");
  assert.equal(config.sessionMode, "auto");
  assert.equal(config.requireSessions, false);
  assert.equal(config.resumable, true);
  assert.equal(config.sealKeys, undefined);
});

const VARIABLES: Readonly<Record<string, string>> = {
  MCP_LOG_LEVEL: "Warning",
  MCP_STATE: "memory",
  MCP_SESSION_MODE: "stateless",
  MCP_HTTP_RESUMABILITY: "false",
  MCP_HTTP_MAX_BODY_BYTES: "0",
  MCP_REQUEST_STATE_KEY: `${KEY}, ${KEY}x`,
  MCP_AUTH_MODE: "jwt",
  MCP_AUTH_SECRET_KEY: KEY,
  MCP_ALLOWED_HOSTS: " a.example , b.example:8000,",
  MCP_ALLOWED_ORIGINS: "https://a.example",
};

Deno.test("the environment wins over the defaults", () => {
  const config = resolveConfig(IDENTITY, envOf(VARIABLES));
  assert.equal(config.logLevel, "warning");
  assert.equal(config.state.durable, false);
  assert.equal(config.stateChosen, true);
  assert.equal(config.sessionMode, "stateless");
  assert.equal(config.resumable, false);
  assert.equal(config.maxBodyBytes, 0);
  assert.deepEqual(config.sealKeys, [KEY, `${KEY}x`]);
  assert.deepEqual(config.auth, { mode: "jwt", secret: KEY });
  assert.deepEqual(config.allowedHosts, ["a.example", "b.example:8000"]);
  assert.deepEqual(config.allowedOrigins, ["https://a.example"]);
});

Deno.test("options win over the environment", () => {
  const state = memoryState();
  const config = resolveConfig({
    ...IDENTITY,
    state,
    logLevel: "error",
    maxBodyBytes: 10,
    requestState: { keys: [`${KEY}y`] },
    auth: { mode: "none" },
    allowedHosts: [],
    allowedOrigins: ["https://c.example"],
  }, envOf(VARIABLES));
  assert.equal(config.state, state);
  assert.equal(config.logLevel, "error");
  assert.equal(config.maxBodyBytes, 10);
  assert.deepEqual(config.sealKeys, [`${KEY}y`]);
  assert.deepEqual(config.auth, { mode: "none" });
  assert.deepEqual(config.allowedHosts, []);
  assert.deepEqual(config.allowedOrigins, ["https://c.example"]);
});

Deno.test("an empty variable counts as absent", () => {
  const empty = Object.fromEntries(
    Object.keys(VARIABLES).map((name) => [name, ""]),
  );
  const config = resolveConfig(IDENTITY, envOf(empty));
  assert.equal(config.logLevel, "info");
  assert.equal(config.stateChosen, false);
  assert.equal(config.auth, undefined);
  assert.equal(config.maxBodyBytes, 1_048_576);
});

Deno.test("the operator's session mode wins over the code's default", () => {
  const modes = (
    sessionMode: AppOptions["sessionMode"],
    variable: string,
  ) =>
    resolveConfig(
      { ...IDENTITY, sessionMode },
      envOf({ MCP_SESSION_MODE: variable }),
    ).sessionMode;
  assert.equal(modes("stateful", ""), "stateful");
  assert.equal(modes("stateful", "stateless"), "stateless");
  assert.equal(modes({ default: "stateless" }, ""), "stateless");
  assert.equal(modes({ default: "stateless" }, "AUTO"), "auto");
  assert.equal(modes({ require: "stateful" }, ""), "stateful");
  assert.equal(modes({}, ""), "auto");
});

Deno.test("a server that requires sessions does not serve HTTP without them", async () => {
  const app = createApp({
    ...BASE,
    state: memoryState(),
    sessionMode: { default: "stateless", require: "stateful" },
  });
  await assert.rejects(app.listen({ port: 0 }), {
    code: ErrorCode.ConfigurationError,
    message: /requires sessions.*MCP_SESSION_MODE/,
  });
  const response = await app.fetch(new Request("http://localhost/mcp"));
  assert.equal(response.status, 503);
  await response.body?.cancel();
  await app.close();
});
