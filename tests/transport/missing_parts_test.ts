import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

const PROGRAM = `
import { createApp, memoryState, tool } from ${
  JSON.stringify(new URL("mod.ts", ROOT).href)
};
const app = createApp({
  name: "test", version: "1.0.0", state: memoryState(), health: "/health",
  tools: [tool("work", { handler: () => "done" })],
});
const origin = "http://localhost:3000";
const version = "2026-07-28";
const call = (headers) => new Request("http://localhost/mcp", {
  method: "POST",
  headers: {
    "content-type": "application/json", "mcp-protocol-version": version,
    "mcp-method": "tools/call", "mcp-name": "work", ...headers,
  },
  body: JSON.stringify({
    jsonrpc: "2.0", id: 1, method: "tools/call",
    params: { name: "work", _meta: {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
    } },
  }),
});
const get = (path) => new Request("http://localhost" + path);
const requests = {
  preflight: new Request("http://localhost/mcp", { method: "OPTIONS", headers: { origin } }),
  page: call({ origin }),
  metadata: get("/.well-known/oauth-protected-resource"),
  health: get("/health"),
  call: call({}),
};
const answers = {};
async function ask(name, request) {
  const response = await app.fetch(request);
  answers[name] = [response.status, (await response.json()).error?.message];
}
for (const [name, request] of Object.entries(requests)) await ask(name, request);
await app.close();
await ask("closed", call({}));
console.log(JSON.stringify(answers));
`;

Deno.test("what a part is missing for is answered with an error, and the rest is served", async () => {
  const directory = await Deno.makeTempDir();
  try {
    const config = JSON.parse(
      await Deno.readTextFile(new URL("deno.json", ROOT)),
    );
    const parts = ["cors", "auth/resource_metadata", "serving_status"];
    const missing = Object.fromEntries(
      parts.map((part) => [
        new URL(`transport/${part}.ts`, ROOT).href,
        `${new URL("transport/", ROOT).href}missing/${part}.ts`,
      ]),
    );
    const imports = { ...config.imports, ...missing };
    await Deno.writeTextFile(
      `${directory}/deno.json`,
      JSON.stringify({ imports }),
    );
    await Deno.writeTextFile(`${directory}/main.ts`, PROGRAM);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--no-lock", "main.ts"],
      cwd: directory,
      stdin: "null",
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const failed = [500, "Internal error"];
    assert.deepEqual(JSON.parse(new TextDecoder().decode(stdout)), {
      preflight: failed,
      page: failed,
      metadata: failed,
      health: failed,
      call: [200, null],
      closed: failed,
    });
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
