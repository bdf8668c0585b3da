import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** Parts of the platform that Deno loads when they are first touched, and how long it takes. */
const COSTLY = [
  "ByteLengthQueuingStrategy", // 2 ms, as all of streams
  "CountQueuingStrategy",
  "ReadableStream",
  "TransformStream",
  "WritableStream",
  "setInterval", // 5 ms, as all of timers
  "setTimeout",
];

/** Takes note of what is touched up to the first answer. */
const PROGRAM = `
const touched = [];
for (const name of ${JSON.stringify(COSTLY)}) {
  const value = globalThis[name];
  Object.defineProperty(globalThis, name, {
    get() {
      touched.push(name);
      return value;
    },
  });
}
const { createApp, tool, z } = await import(${
  JSON.stringify(new URL("mod.ts", ROOT).href)
});
const greet = tool("greet", {
  input: z.object({ name: z.string() }),
  output: z.object({ greeting: z.string() }),
  handler({ name }, ctx) {
    ctx.log.info("greeting", { name });
    return { greeting: "Hello, " + name };
  },
});
const app = createApp({ name: "hello", version: "1.0.0", tools: [greet] });
app.onListen({ hostname: "127.0.0.1", port: 1, transport: "tcp" });
const prefix = "io.modelcontextprotocol/";
const request = new Request("http://localhost/mcp", {
  method: "POST",
  headers: {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "greet",
  },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "greet",
      arguments: { name: "Ada" },
      _meta: {
        [prefix + "protocolVersion"]: "2026-07-28",
        [prefix + "clientCapabilities"]: {},
      },
    },
  }),
});
const response = await app.fetch(request);
const upToAnswer = [...touched];
const { result } = await response.json();
console.log(JSON.stringify({ result, upToAnswer }));
Deno.exit(0);
`;

Deno.test("a start touches no part of the platform that takes long to load", async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/main.ts`, PROGRAM);
    const config = Deno.realPathSync(new URL("deno.json", ROOT));
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", config, "main.ts"],
      cwd: directory,
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stdout);
    assert.notEqual(said, "", new TextDecoder().decode(stderr));
    const { result, upToAnswer } = JSON.parse(said);
    assert.deepEqual(result.structuredContent, { greeting: "Hello, Ada" });
    assert.deepEqual(upToAnswer, []);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
