import assert from "node:assert/strict";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { RawSession } from "./_raw_session.ts";
import { startProxy, startServer } from "./_processes.ts";
import { connectV1, type V1Client } from "./_support.ts";

const LISTEN = ["run", "-A", "PROGRAM", "listen"];

/** A client that answers every question with the question. */
function connect(url: string): Promise<V1Client> {
  return connectV1(url, {
    capabilities: { elicitation: {} },
    prepare(client) {
      client.setRequestHandler(
        ElicitRequestSchema,
        ({ params }: { params: { message: string } }) => ({
          action: "accept" as const,
          content: { answer: `re ${params.message}` },
        }),
      );
    },
  });
}

async function callText(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  options = {},
): Promise<string> {
  const { content } = await client.callTool(
    { name, arguments: args },
    undefined,
    { timeout: 60_000, ...options },
  );
  return (content as { text: string }[])[0]!.text;
}

Deno.test("two processes behind a proxy keep two hundred sessions apart, and lose nothing", async () => {
  const KV_FILE = await Deno.makeTempFile();
  {
    await using a = await startServer(LISTEN, { KV_FILE });
    await using b = await startServer(LISTEN, { KV_FILE });
    await using proxy = startProxy([a, b]);
    const names = Array.from({ length: 200 }, (_, i) => `s${i}`);
    const clients = await Promise.all(names.map(() => connect(proxy.url)));
    const outcomes = await Promise.all(clients.map(async ({ client }, i) => {
      const who = names[i]!;
      return [
        await callText(client, "survey", { who }),
        await callText(client, "detour", { who }),
      ];
    }));
    assert.deepEqual(
      outcomes,
      names.map((who) => [
        ["one", "two", "three"].map((key) => `re ${who}: ${key}?`).join(" | "),
        `${who} took a detour`,
      ]),
    );
    await Promise.all(
      clients.map((client) => client[Symbol.asyncDispose]()),
    );
  }
  await Deno.remove(KV_FILE);
});

Deno.test("a process that dies takes with it the calls that ran in it, and nothing else", async () => {
  const KV_FILE = await Deno.makeTempFile();
  {
    await using a = await startServer(LISTEN, { KV_FILE });
    await using b = await startServer(LISTEN, { KV_FILE });
    await using proxy = startProxy([a, b]);
    const clients = await Promise.all(
      Array.from({ length: 40 }, () => connect(proxy.url)),
    );
    const lingering = clients.slice(0, 20);
    const idle = clients.slice(20);
    const calls = lingering.map(({ client }) => linger(client));
    const places = await Promise.all(calls.map(({ pid }) => pid));
    assert.ok(places.includes(a.pid) && places.includes(b.pid));
    proxy.leaveOut(a);
    await a.kill();
    // Sessions go on at once, also those that began where nobody is any more.
    for (const { client } of [...idle, ...lingering]) {
      assert.equal(await callText(client, "where"), String(b.pid));
    }
    for (const [index, { outcome }] of calls.entries()) {
      const { text, error } = await outcome;
      if (places[index] === b.pid) assert.equal(text, "stayed");
      else assert.match(String(error), /process that ran this call is gone/);
    }
    for (const { client } of clients) {
      const text = await callText(client, "survey", { who: "again" });
      assert.match(text, /^re again: one\?/);
    }
    await Promise.all(
      clients.map((client) => client[Symbol.asyncDispose]()),
    );
  }
  await Deno.remove(KV_FILE);
});

/** A call that takes its time, and where it runs. */
function linger(client: Client) {
  const pid = Promise.withResolvers<number>();
  const outcome = callText(client, "linger", { ms: 9_000 }, {
    onprogress: ({ message }: { message?: string }) =>
      pid.resolve(Number(message)),
  }).then(
    (text) => ({ text, error: undefined }),
    (error: unknown) => ({ text: undefined, error }),
  );
  return { pid: pid.promise, outcome };
}

Deno.test("every isolate of deno serve --parallel serves every session", async () => {
  const KV_FILE = await Deno.makeTempFile();
  {
    await using server = await startServer(
      [
        "serve",
        "-A",
        "--parallel",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "PROGRAM",
      ],
      { KV_FILE, DENO_JOBS: "4" },
    );
    const url = server.url;
    const fetcher = {
      // A connection of its own for each, so that they spread.
      fetch: (request: Request) =>
        fetch(new Request(url, request), {
          headers: {
            ...Object.fromEntries(request.headers),
            connection: "close",
          },
        }),
    };
    const session = await RawSession.open(fetcher);
    const isolates = new Set<string>();
    // On a busy machine some of the isolates start later than the first.
    for (let i = 0; i < 40 || isolates.size < 2; i++) {
      assert.ok(i < 10_000, "One isolate serves them all");
      const response = await session.call("isolate");
      assert.equal(response.status, 200);
      isolates.add((await response.json()).result.content[0].text);
    }
    const clients = await Promise.all(
      Array.from({ length: 8 }, () => connect(url)),
    );
    await Promise.all(clients.map(async ({ client }, i) => {
      const who = `i${i}`;
      const text = await callText(client, "survey", { who });
      assert.match(text, new RegExp(`^re ${who}: one`));
      assert.equal(
        await callText(client, "detour", { who }),
        `${who} took a detour`,
      );
    }));
    await Promise.all(
      clients.map((client) => client[Symbol.asyncDispose]()),
    );
  }
  await Deno.remove(KV_FILE);
});
