import assert from "node:assert/strict";
import {
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Json } from "../transport/modern/_client.ts";
import { startServer } from "../transport/modern/_server_process.ts";
import {
  accept,
  assertAsks,
  DECLINED,
  failureOf,
  messageOf,
  reply,
  type Round,
  sendRound,
  toolCall,
} from "../input_flow/_rounds.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const ERAS = [["auto", "2026-07-28"], ["legacy", "2025-11-25"]] as const;
const yes = { confirm: accept({ confirm: true }) };

/** A directory of files to delete, and a store for the records. */
class Place implements AsyncDisposable {
  readonly files: string;
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
    this.files = `${root}/files`;
  }

  static async make(...names: string[]): Promise<Place> {
    const place = new Place(await Deno.makeTempDir());
    await Deno.mkdir(place.files);
    for (const name of names) await place.write(name);
    return place;
  }

  get env(): Record<string, string> {
    return {
      DELETE_PATH_DIRECTORY: this.files,
      DELETE_PATH_STORE: `${this.#root}/consent.sqlite`,
      MCP_LOG_LEVEL: "critical",
    };
  }

  write(name: string, text = `This is ${name}`): Promise<void> {
    return Deno.writeTextFile(`${this.files}/${name}`, text);
  }

  async left(): Promise<string[]> {
    const names = await Array.fromAsync(
      Deno.readDir(this.files),
      ({ name }) => name,
    );
    return names.sort();
  }

  /** Serves the example in a process of its own. */
  async serve(): Promise<Server> {
    const example = `${ROOT}examples/delete_path.ts`;
    const server = await startServer(
      ["serve", "-A", "--host=127.0.0.1", "--port=0", example],
      this.env,
    );
    const url = new URL("/mcp", server.url);
    return {
      url,
      fetch: ({ method, headers, body }) =>
        fetch(url, { method, headers, body }),
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }
}

interface Server extends AsyncDisposable {
  readonly url: URL;
  fetch(request: Request): Promise<Response>;
}

function deletion(path: string) {
  return toolCall("delete_path", { path });
}

function deleted({ answer }: Round): unknown {
  return (answer.result.structuredContent as Json | undefined)?.deleted;
}

function clientOf(mode: "auto" | "legacy", asked: unknown[]): Client {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { confirm: true } };
  });
  return client;
}

async function assertDeletes(
  client: Client,
  place: Place,
  asked: unknown[],
): Promise<void> {
  const result = await client.callTool({
    name: "delete_path",
    arguments: { path: "a.txt" },
  });
  assert.deepEqual(result.structuredContent, { deleted: "a.txt" });
  assert.deepEqual(asked, ["Delete a.txt?"]);
  assert.deepEqual(await place.left(), ["b.txt"]);
}

for (const [mode, version] of ERAS) {
  Deno.test(`the official client deletes over HTTP once it has asked (${version})`, async () => {
    await using place = await Place.make("a.txt", "b.txt");
    await using server = await place.serve();
    const asked: unknown[] = [];
    const client = clientOf(mode, asked);
    await client.connect(new StreamableHTTPClientTransport(server.url));
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    await assertDeletes(client, place, asked);
    await client.close();
  });
}

Deno.test("a confirmation that was used deletes nothing, not even what is there again", async () => {
  await using place = await Place.make("a.txt");
  await using server = await place.serve();
  const asked = await sendRound(server, deletion("a.txt"));
  assertAsks(asked, "confirm");
  assert.equal(messageOf(asked.asked.confirm), "Delete a.txt?");
  assert.equal(deleted(await reply(server, asked, yes)), "a.txt");
  assert.deepEqual(await place.left(), []);
  await place.write("a.txt");
  assertAsks(await reply(server, asked, yes), "confirm");
  assert.deepEqual(await place.left(), ["a.txt"]);
});

Deno.test("a confirmation outlives the process that asked, and so does its use", async () => {
  await using place = await Place.make("a.txt");
  let asked: Round;
  {
    await using server = await place.serve();
    asked = await sendRound(server, deletion("a.txt"));
  }
  {
    await using server = await place.serve();
    assert.equal(deleted(await reply(server, asked, yes)), "a.txt");
  }
  await place.write("a.txt");
  await using server = await place.serve();
  assertAsks(await reply(server, asked, yes), "confirm");
  assert.deepEqual(await place.left(), ["a.txt"]);
});

for (const count of [1, 2]) {
  Deno.test(`eight retries at once delete one time, with servers: ${count}`, async () => {
    await using place = await Place.make("a.txt", "b.txt");
    await using stack = new AsyncDisposableStack();
    const servers: Server[] = [];
    while (servers.length < count) {
      servers.push(stack.use(await place.serve()));
    }
    for (const path of ["a.txt", "b.txt"]) {
      const asked = await sendRound(servers[0]!, deletion(path));
      const rounds = await Promise.all(
        Array.from(
          { length: 8 },
          (_, i) => reply(servers[i % count]!, asked, yes),
        ),
      );
      assert.equal(rounds.filter((round) => deleted(round) === path).length, 1);
      for (const round of rounds) {
        if (deleted(round) === path) continue;
        // Asked again, or the file was gone when it looked.
        const { resultType, isError } = round.answer.result;
        assert.ok(resultType === "input_required" || isError === true);
      }
    }
    assert.deepEqual(await place.left(), []);
  });
}

Deno.test("a confirmation is for the file as it was, and for this file only", async () => {
  await using place = await Place.make("a.txt", "b.txt");
  await using server = await place.serve();
  const asked = await sendRound(server, deletion("a.txt"));
  await place.write("a.txt", "something else");
  assertAsks(await reply(server, asked, yes), "confirm");
  const other = await sendRound(server, deletion("a.txt"));
  const elsewhere = await reply(
    server,
    { ...other, call: deletion("b.txt") },
    yes,
  );
  assert.equal(elsewhere.answer.error.code, -32602);
  assert.deepEqual(elsewhere.answer.error.data, {
    reason: "invalid_request_state",
  });
  assert.deepEqual(await place.left(), ["a.txt", "b.txt"]);
});

Deno.test("nothing is deleted without a yes, or outside of the directory", async () => {
  await using place = await Place.make("a.txt");
  await using server = await place.serve();
  const unasked = await sendRound(server, deletion("a.txt"), {
    inputResponses: yes,
  });
  assertAsks(unasked, "confirm");
  for (const confirm of [DECLINED, accept({ confirm: false })]) {
    const asked = await sendRound(server, deletion("a.txt"));
    const error = failureOf(await reply(server, asked, { confirm }));
    assert.match(String(error.message), /was not confirmed/);
  }
  const outside = await sendRound(server, deletion("../consent.sqlite"));
  assert.match(String(failureOf(outside).message), /not inside/);
  const incapable = await sendRound(server, deletion("a.txt"), {}, {
    capabilities: {},
  });
  assert.equal(incapable.answer.error.code, -32021);
  assert.deepEqual(await place.left(), ["a.txt"]);
});

for (const [mode, version] of ERAS) {
  Deno.test({
    name:
      `the official client deletes over stdio once it has asked (${version})`,
    // The client's transport leaves a timer of two seconds behind, for which
    // it takes both.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using place = await Place.make("a.txt", "b.txt");
      const asked: unknown[] = [];
      const client = clientOf(mode, asked);
      await client.connect(
        new StdioClientTransport({
          command: Deno.execPath(),
          args: ["run", "-A", "stdio.ts", "examples/delete_path.ts"],
          cwd: ROOT,
          env: { ...Deno.env.toObject(), ...place.env },
          stderr: "ignore",
        }),
      );
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      await assertDeletes(client, place, asked);
      await client.close();
    },
  });
}
