import assert from "node:assert/strict";
import { fileBeside, NotServing, startChild } from "./_child.ts";
import { hs256, SECRET } from "./auth/_support.ts";
import { callTool, requestBody, textOf } from "./modern/_client.ts";

const SERVER = fileBeside("_permission_server.ts");
const SERVE = ["--host", "127.0.0.1", "--port", "0", SERVER];

async function count(url: string, token?: string): Promise<string> {
  const answer = await callTool(
    {
      fetch: async (request) =>
        await fetch(url, {
          method: "POST",
          headers: request.headers,
          body: await request.text(),
        }),
    },
    "count",
    {},
    {
      headers: {
        authorization: token === undefined ? undefined : `Bearer ${token}`,
      },
    },
  );
  return textOf(answer);
}

/** Serves with exactly these flags, and calls a tool that needs state. */
async function serves(
  flags: readonly string[],
  args: readonly string[] = [],
  env: Record<string, string> = {},
  token?: string,
): Promise<void> {
  await using child = await startChild(
    ["serve", ...flags, ...SERVE, ...args],
    env,
  );
  assert.match(await count(child.url, token), /^\d+$/);
}

function temporaryFile(): string {
  return `${Deno.makeTempDirSync()}/state.db`;
}

Deno.test("deno serve needs no flags, with state in the default database or in memory", async () => {
  await serves([]);
  await serves([], ["memory"]);
  await serves([], ["kv"]);
});

Deno.test("app.listen needs its own address alone", async () => {
  using free = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = free.addr;
  free.close();
  await using child = await startChild([
    "run",
    `--allow-net=127.0.0.1:${port}`,
    SERVER,
    "listen",
    "plain",
    String(port),
  ]);
  assert.match(await count(child.url), /^\d+$/);
});

Deno.test("a database file needs to be read and written, and nothing else", async () => {
  const file = temporaryFile();
  const flags = [`--allow-read=${file}`, `--allow-write=${file}`];
  await serves(flags, ["kv", file]);
  await serves(["--allow-env=MCP_STATE", ...flags], [], {
    MCP_STATE: `kv:${file}`,
  });
  await assert.rejects(serves(flags.slice(1), ["kv", file]), (error) => {
    assert(error instanceof NotServing || error instanceof TypeError);
    return true;
  });
});

Deno.test("a secret from the environment needs its two variables", async () => {
  const env = { MCP_AUTH_MODE: "jwt", MCP_AUTH_SECRET_KEY: SECRET };
  const flags = ["--allow-env=MCP_AUTH_MODE,MCP_AUTH_SECRET_KEY"];
  await serves(flags, ["memory"], env, await hs256());
  await assert.rejects(serves(flags, ["memory"], env));
});

Deno.test("what may not be read of the environment is not there, and nobody is asked", async () => {
  await serves([], ["memory"], {
    MCP_LOG_LEVEL: "loud",
    MCP_AUTH_MODE: "jwt",
    MCP_STATE: "nowhere",
    MCP_SESSION_MODE: "sticky",
  });
});

/** Runs a program over stdio with one call; gives its answer's text. */
async function over(args: readonly string[]): Promise<string> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = process.stdin.getWriter();
  const body = requestBody("tools/call", { name: "count", arguments: {} });
  await writer.write(new TextEncoder().encode(`${JSON.stringify(body)}\n`));
  await writer.close();
  const { code, stdout } = await process.output();
  assert.equal(code, 0);
  const { result } = JSON.parse(new TextDecoder().decode(stdout));
  return result.content[0].text;
}

Deno.test("stdio needs no flags when the server is imported", async () => {
  assert.match(
    await over([fileBeside("_permission_stdio.ts"), "memory"]),
    /^\d+$/,
  );
});

Deno.test("stdio needs to read the server that is named on the command line", async () => {
  const root = fileBeside("../..");
  const stdio = fileBeside("../../stdio.ts");
  assert.match(
    await over([`--allow-read=${root}`, stdio, SERVER, "memory"]),
    /^\d+$/,
  );
});
