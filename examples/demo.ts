/**
 * Shows what consent that counts exactly once looks like, with the official
 * client: over HTTP, then over stdio. Exits with an error when anything is not
 * as it says.
 */
import assert from "node:assert/strict";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { sampleDirectory } from "./directory.ts";
import { type Question, Retries } from "./demo_retries.ts";

const FILES = ["draft.txt", "notes.txt", "old.log"];

const directory = await sampleDirectory();
const storeDirectory = await Deno.makeTempDir({ prefix: "parley-kv-" });
const store = `${storeDirectory}/consent.sqlite`;
Deno.env.set("DELETE_PATH_DIRECTORY", directory);
Deno.env.set("DELETE_PATH_STORE", store);
// The refusals below are part of the show; they need no log.
Deno.env.set("MCP_LOG_LEVEL", "critical");
// The example reads where its files and records are when it is loaded.
const { default: app } = await import("./delete_path.ts");

say(`A server that deletes files serves ${FILES.join(", ")}.`);
let url = "";
const listener = await app.listen({ port: 0, onListen: (at) => (url = at) });

heading("Over HTTP: the server asks, a person answers, the file is deleted");
const client = await connectHttp();
client.setRequestHandler("elicitation/create", ({ params }) => {
  say(`server asks   ${params.message}`);
  say("person        Yes.");
  return { action: "accept", content: { confirm: true } };
});
await deleteWith(client, "draft.txt");
await client.close();

heading("The same retry once more: the answer is used up, so the server asks");
const retries = new Retries(await connectHttp({ autoFulfill: false }));
const first = await retries.ask("notes.txt");
const deleted = await retries.answer(first);
assert.equal(deleted.kind, "result");
say(`server        deleted notes.txt (files left: ${await left()})`);
await Deno.writeTextFile(`${directory}/notes.txt`, "This is notes.txt.\n");
say("someone       writes notes.txt again, the same as before");
const again = await retries.answer(first);
assert.equal(again.kind, "question");
assert.deepEqual(await files(), ["notes.txt", "old.log"]);
say(`client        sends the very same retry`);
say(`server asks   ${(again as Question).message}`);
say(`Nothing was deleted (files left: ${await left()}).`);

heading("Eight retries of one answer at the same moment: one of them deletes");
const asked = await retries.ask("old.log");
const outcomes = await Promise.all(
  Array.from({ length: 8 }, () => retries.answer(asked)),
);
const done = outcomes.filter(({ kind }) => kind === "result").length;
assert.equal(done, 1);
assert.deepEqual(await files(), ["notes.txt"]);
say(`${done} retry deleted old.log, ${8 - done} were asked again or refused.`);
await retries.close();
await app.close();
await listener.finished;

heading("Over stdio: the same server, the same conversation");
const local = new Client(
  { name: "demo", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: {} } },
);
local.setRequestHandler("elicitation/create", ({ params }) => {
  say(`server asks   ${params.message}`);
  say("person        Yes.");
  return { action: "accept", content: { confirm: true } };
});
await local.connect(
  new StdioClientTransport({
    command: Deno.execPath(),
    args: ["run", "-A", "stdio.ts", "examples/delete_path.ts"],
    cwd: new URL("..", import.meta.url).pathname,
    env: { ...Deno.env.toObject() },
    stderr: "inherit",
  }),
);
await deleteWith(local, "notes.txt");
await local.close();
assert.deepEqual(await files(), []);

await Deno.remove(directory, { recursive: true });
await Deno.remove(storeDirectory, { recursive: true });
say("\nEvery consent counted exactly once.");

/** Connects the official client, speaking the 2026-07-28 revision. */
async function connectHttp(
  inputRequired: { autoFulfill?: boolean } = {},
): Promise<Client> {
  const connected = new Client(
    { name: "demo", version: "1.0.0" },
    {
      versionNegotiation: { mode: "auto" },
      capabilities: { elicitation: {} },
      inputRequired,
    },
  );
  await connected.connect(new StreamableHTTPClientTransport(new URL(url)));
  assert.equal(connected.getNegotiatedProtocolVersion(), "2026-07-28");
  return connected;
}

/** One call; the client puts the question and sends the answer by itself. */
async function deleteWith(caller: Client, path: string): Promise<void> {
  say(`agent calls   delete_path { path: "${path}" }`);
  const result: CallToolResult = await caller.callTool({
    name: "delete_path",
    arguments: { path },
  });
  assert.deepEqual(result.structuredContent, { deleted: path });
  assert.ok(!(await files()).includes(path));
  say(`server        deleted ${path} (files left: ${await left()})`);
}

async function files(): Promise<string[]> {
  const names = await Array.fromAsync(
    Deno.readDir(directory),
    ({ name }) => name,
  );
  return names.sort();
}

async function left(): Promise<string> {
  return (await files()).join(", ") || "none";
}

function heading(text: string): void {
  console.log(`\n${text}`);
}

function say(text: string): void {
  console.log(`  ${text}`);
}
