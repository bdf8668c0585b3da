import assert from "node:assert/strict";
import type { Json } from "../modern/_client.ts";
import { FIXTURE, serveArgs, StdioProcess } from "./_stdio_process.ts";
import { textOf } from "./_stream_client.ts";

Deno.test("stdout carries messages only, whatever the server prints, and stderr has the rest", async () => {
  const process = new StdioProcess();
  const { client } = process;
  await client.callTool(1, "print");
  assert.equal(textOf(await client.answer(1)), "printed");
  await client.end();
  // What is no message would not parse.
  assert.deepEqual(await client.rest(), []);
  const { code, stderr } = await process.ended();
  assert.equal(code, 0);
  for (const where of ["import", "handler"]) {
    const ways =
      "log info debug dir group count time warn error trace process.stdout stdout Console Deno.stdout";
    for (const way of ways.split(" ")) {
      const text = way === "dir" ? `{ ${where}: 'dir' }` : `${where} ${way}`;
      assert.ok(stderr.includes(text), text);
    }
    assert.match(stderr, new RegExp(`│ '${where}'`));
  }
});

Deno.test("the end of stdin ends the process, behind the answers, though timers run", async () => {
  const process = new StdioProcess();
  const { client } = process;
  await client.callTool(1, "wait", { ms: 200 });
  await client.end();
  const [answer, ...rest] = await client.rest();
  assert.equal(textOf(answer!), "waited");
  assert.deepEqual(rest, []);
  assert.equal((await process.ended()).code, 0);
});

Deno.test("the end of stdin ends the process, though a call never ends", async () => {
  const process = new StdioProcess();
  const { client } = process;
  await client.callTool(1, "hang");
  await client.callTool(2, "wait", { ms: 1_000_000 });
  await client.end();
  assert.deepEqual(await client.rest(), []);
  const { code, stderr } = await process.ended();
  assert.equal(code, 0);
  assert.match(stderr, /aborted/);
});

Deno.test("without any stdin the process ends at once", async () => {
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: serveArgs(FIXTURE),
    stdin: "null",
  }).output();
  assert.equal(code, 0);
  assert.equal(stdout.length, 0);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} cancels what is running, tells listeners, and ends the process`, async () => {
    const process = new StdioProcess();
    const { client } = process;
    await client.request("s", "subscriptions/listen", { notifications: {} });
    assert.match(String((await client.next())?.method), /acknowledged$/);
    await client.callTool(1, "wait", { ms: 1_000_000 });
    await process.printed("waiting");
    process.child.kill(signal);
    const messages = await client.rest();
    assert.deepEqual(messages.map(({ id }) => id), ["s", undefined]);
    const { code, stderr } = await process.ended();
    assert.equal(code, 0);
    assert.match(stderr, /aborted/);
    await client.end().catch(() => {});
  });
}

Deno.test("a client that no longer reads ends the process, though it goes on writing", async () => {
  const process = new StdioProcess();
  const { client } = process;
  await client.callTool(1, "wait", { ms: 1_000_000 });
  await process.printed("waiting");
  await client.leave();
  await client.callTool(2, "echo", { text: "unheard" });
  const { code, stderr } = await process.ended();
  assert.equal(code, 0);
  assert.match(stderr, /aborted/);
  assert.doesNotMatch(stderr, /Uncaught|BrokenPipe/);
  await client.end().catch(() => {});
});

Deno.test("a client that is killed takes its server with it", async () => {
  const source = `
    const server = new Deno.Command(Deno.execPath(), {
      args: ${JSON.stringify(serveArgs(FIXTURE))},
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const reader = server.stdout.getReader();
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    const text = JSON.stringify(message) + "\\n";
    await server.stdin.getWriter().write(new TextEncoder().encode(text));
    await reader.read();
    console.log("answered");
    await new Promise(() => setInterval(() => {}, 1_000));
  `;
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["eval", source],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(parent.stderr).text();
  const reader = parent.stdout.getReader();
  await reader.read();
  parent.kill("SIGKILL");
  await parent.status;
  await reader.cancel();
  // The server holds the same pipe, which ends when both are gone.
  assert.match(await errors, /import log/);
});

Deno.test("big answers come whole through a slow pipe, with other calls' progress between", async () => {
  const process = new StdioProcess();
  const { client } = process;
  const size = 5 * 1024 * 1024;
  const meta = {
    progressToken: "p",
    "io.modelcontextprotocol/logLevel": "debug",
  };
  await client.callTool("chat", "chatty", {}, { meta });
  await client.callTool("big", "big", { size });
  await client.callTool("echo", "echo", { text: "é".repeat(size / 2) });
  const answers = new Map<unknown, Json>();
  let progress = 0;
  while (answers.size < 3) {
    const message = (await client.next())!;
    if (message.method === undefined) answers.set(message.id, message);
    else if (message.method === "notifications/progress") progress++;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.equal(textOf(answers.get("big")!).length, size);
  const echoed = answers.get("echo")!.result as Json;
  assert.deepEqual(echoed.structuredContent, { text: "é".repeat(size / 2) });
  assert.equal(textOf(answers.get("chat")!), "chatted");
  assert.equal(progress, 100);
  await client.end();
  assert.deepEqual(await client.rest(), []);
  assert.equal((await process.ended()).code, 0);
});

Deno.test("what cannot be served is said on stderr, and nothing on stdout", async () => {
  const folder = await Deno.makeTempDir({ prefix: "a folder #1 % " });
  await Deno.writeTextFile(`${folder}/no app?.ts`, "export default {};");
  const cases: [args: string[], code: number, text: RegExp][] = [
    [[], 2, /Usage/],
    [[`${folder}/no app?.ts`], 1, /default export is not an app/],
    [[`${folder}/missing.ts`], 1, /missing\.ts/],
  ];
  for (const [args, wanted, text] of cases) {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: serveArgs(...args),
      stdin: "null",
    }).output();
    assert.equal(code, wanted);
    assert.equal(stdout.length, 0);
    assert.match(new TextDecoder().decode(stderr), text);
  }
  await Deno.remove(folder, { recursive: true });
});
