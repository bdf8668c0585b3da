import assert from "node:assert/strict";
import { createApp, memoryState } from "../../mod.ts";
import { fileBeside, NotServing, startChild } from "./_child.ts";

const SERVER = fileBeside("_failing_server.ts");

const reasons: Record<string, RegExp> = {
  state:
    /The state store, the Deno KV database \\?"\/nowhere\/at\/all\.db\\?", cannot be opened: the file cannot be opened; its folder must exist and be writable/,
  setup: /The setup of the app failed: the licence has run out/,
  oauth:
    /Cannot listen on 0\.0\.0\.0 with OAuth: set publicUrl to the URL that clients reach the server at/,
};

async function failsToStart(args: string[], reason: string): Promise<string> {
  try {
    await using child = await startChild(args, { FAILING: reason });
    // It listens before it has started.
    const { code } = await child.status;
    assert.equal(code, 1);
    return child.printed();
  } catch (error) {
    assert(error instanceof NotServing);
    assert.equal(error.code, 1);
    return error.printed;
  }
}

for (const [reason, message] of Object.entries(reasons)) {
  Deno.test(`app.listen: a server without its ${reason} does not start, and says why`, async () => {
    const printed = await failsToStart(
      ["run", "-A", SERVER, "listen"],
      reason,
    );
    assert.match(printed, message);
  });

  Deno.test(`deno serve: a server without its ${reason} does not start, and says why once`, async () => {
    const printed = await failsToStart(
      ["serve", "-A", "--port", "0", SERVER],
      reason,
    );
    assert.match(printed, message);
    assert.equal(printed.match(/cannot start/g)?.length, 1, printed);
  });
}

Deno.test("stdio: a server that cannot start ends, and says why", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileBeside("../../stdio.ts"), SERVER],
    env: { FAILING: "setup", NO_COLOR: "1" },
    stdin: "null",
  }).output();
  assert.equal(code, 1);
  assert.equal(stdout.length, 0);
  assert.match(new TextDecoder().decode(stderr), reasons.setup!);
});

Deno.test("app.fetch: a server that cannot start says so to every request, and why in its log, once", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", SERVER, "fetch"],
    env: { FAILING: "state", NO_COLOR: "1" },
  }).output();
  const printed = new TextDecoder().decode(stderr);
  assert.equal(code, 0);
  const answers = printed.split("\n").filter((line) => line.startsWith("503 "));
  assert.equal(answers.length, 3);
  for (const answer of answers) {
    assert.deepEqual(JSON.parse(answer.slice(4)), {
      jsonrpc: "2.0",
      error: {
        code: 503,
        message: "The server could not start; its log says why",
        data: { reason: "not_started", retryAfterSeconds: 30 },
      },
    });
  }
  assert.equal(printed.match(/cannot start/g)?.length, 1, printed);
});

Deno.test("app.listen: a port that is taken is said to be", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const app = createApp({
    name: "late",
    version: "1.0.0",
    state: memoryState(),
  });
  const { port } = taken.addr;
  await assert.rejects(app.listen({ port }), {
    message: new RegExp(`^Cannot listen on 127\\.0\\.0\\.1:${port}: `),
  });
  await app.close();
});

Deno.test("deno serve: everyone is warned of a server that everyone can call", async () => {
  await using child = await startChild(
    ["serve", "-A", "--port", "0", SERVER],
    { MCP_STATE: "memory" },
  );
  await child.prints("without authentication: everyone who reaches");
  const response = await fetch(new URL("/healthz", child.url));
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

Deno.test("a server that asks for a database where none is attached does not start, and others do", async () => {
  const nowhere = { DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "error" };
  const args = ["run", "-A", SERVER, "listen"];
  await assert.rejects(
    startChild(args, { ...nowhere, MCP_STATE: "kv" }),
    (error) => {
      assert(error instanceof NotServing);
      assert.match(error.printed, /no KV database is attached/);
      return true;
    },
  );
  await using child = await startChild(args, nowhere);
  const response = await fetch(new URL("/healthz", child.url));
  assert.equal(response.status, 200);
  await response.body?.cancel();
});

Deno.test("where no database is attached, clients of the 2025 era are told that there are no sessions", async () => {
  await using child = await startChild(["run", "-A", SERVER, "listen"], {
    DENO_KV_REQUIRES_DISTRIBUTED_DATABASE: "error",
  });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "client", version: "1.0.0" },
  };
  const response = await fetch(child.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params,
    }),
  });
  assert.equal(response.status, 503);
  assert.equal(response.headers.get("mcp-session-id"), null);
  assert.deepEqual(await response.json(), {
    jsonrpc: "2.0",
    id: 1,
    error: {
      code: 503,
      message:
        "Sessions are not available: the server cannot reach its store; its log says why",
      data: { reason: "store_unavailable", retryAfterSeconds: 30 },
    },
  });
  await child.prints("no KV database is attached");
});
