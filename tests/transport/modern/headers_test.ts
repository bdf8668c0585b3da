import assert from "node:assert/strict";
import {
  type App,
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../../mod.ts";
import {
  type Answer,
  call,
  callTool,
  encoded,
  type Json,
  requestBody,
  VERSION,
} from "./_client.ts";
import { rawRequest } from "./_raw_http.ts";

const ODD_NAMES = [
  "=?base64?literal?=",
  "=?base64?open",
  "müll",
  "世界",
  " x ",
];

/** An app that counts how often a handler ran. */
function countingApp(): { app: App; runs: () => number } {
  let runs = 0;
  const handler = () => {
    runs++;
    return "ran";
  };
  const app = createApp({
    name: "headers",
    version: "1.0.0",
    state: memoryState(),
    tools: ["get_weather", ...ODD_NAMES].map((name) => tool(name, { handler })),
    prompts: [prompt("brief", { handler })],
    resources: [resource("doc://{+path}", { handler })],
  });
  return { app, runs: () => runs };
}

function assertMismatch(answer: Answer, header: string): void {
  assert.equal(answer.status, 400, header);
  assert.equal(answer.headers.get("content-type"), "application/json");
  assert.equal(answer.error.code, -32020, header);
  assert.equal((answer.error.data as Json).header, header);
  assert.equal(answer.response.id, 1);
}

const MISMATCHES: readonly [
  string,
  Record<string, string | undefined>,
  string,
][] = [
  [
    "no version header",
    { "mcp-protocol-version": undefined },
    "MCP-Protocol-Version",
  ],
  ["the version header of another revision", {
    "mcp-protocol-version": "2025-11-25",
  }, "MCP-Protocol-Version"],
  [
    "two version headers",
    { "mcp-protocol-version": `${VERSION}, 2025-11-25` },
    "MCP-Protocol-Version",
  ],
  ["the same version header twice", {
    "mcp-protocol-version": `${VERSION}, ${VERSION}`,
  }, "MCP-Protocol-Version"],
  ["no method header", { "mcp-method": undefined }, "Mcp-Method"],
  [
    "the header of another method",
    { "mcp-method": "tools/list" },
    "Mcp-Method",
  ],
  [
    "a method header in another case",
    { "mcp-method": "Tools/Call" },
    "Mcp-Method",
  ],
  ["an empty method header", { "mcp-method": "" }, "Mcp-Method"],
  ["no name header", { "mcp-name": undefined }, "Mcp-Name"],
  ["the name header of another tool", { "mcp-name": "other" }, "Mcp-Name"],
  ["a name header in another case", { "mcp-name": "GET_WEATHER" }, "Mcp-Name"],
  ["an empty name header", { "mcp-name": "" }, "Mcp-Name"],
];

for (const [what, headers, named] of MISMATCHES) {
  Deno.test(`${what} is a header mismatch, and the tool does not run`, async () => {
    const { app, runs } = countingApp();
    assertMismatch(await callTool(app, "get_weather", {}, { headers }), named);
    assert.equal(runs(), 0);
  });
}

Deno.test("prompts and resources are held to their name header too", async () => {
  const { app, runs } = countingApp();
  for (
    const [method, params] of [
      ["prompts/get", { name: "brief" }],
      ["resources/read", { uri: "doc://a" }],
    ] as const
  ) {
    for (const name of [undefined, "doc://b", "briefs", ""]) {
      const answer = await call(app, method, params, {
        headers: { "mcp-name": name },
      });
      assertMismatch(answer, "Mcp-Name");
    }
    assert.equal((await call(app, method, params)).status, 200);
  }
  assert.equal(runs(), 2);
});

Deno.test("a name header where none is needed is ignored", async () => {
  const { app } = countingApp();
  const answer = await call(app, "tools/list", {}, {
    headers: { "mcp-name": "whatever" },
  });
  assert.equal(answer.status, 200);
});

Deno.test("a name in Base64 is compared decoded", async () => {
  const { app } = countingApp();
  const uri = "doc://世界/a";
  const read = (name: string) =>
    call(app, "resources/read", { uri }, { headers: { "mcp-name": name } });
  assert.equal((await read(encoded(uri))).status, 200);
  const wrong = [
    encoded("doc://世界/b"),
    "=?base64?***?=",
    `=?base64?${new Uint8Array([0xff, 0xfe]).toBase64()}?=`,
    encoded(uri).replace("base64", "BASE64"),
    encoded(uri).replaceAll("=", ""),
    encoded(uri).replace("?=", ""),
    ` ${encoded(uri)}`.replace("?=", "?= x"),
    // The bytes of the URI themselves, as they would stand in a header.
    Array.from(
      new TextEncoder().encode(uri),
      (byte) => String.fromCharCode(byte),
    ).join(""),
  ];
  for (const name of wrong) assertMismatch(await read(name), "Mcp-Name");
});

Deno.test("names that look like Base64, or cannot stand in a header, need it", async () => {
  const { app, runs } = countingApp();
  for (const name of ODD_NAMES) {
    const { status } = await callTool(app, name, {}, {
      headers: { "mcp-name": encoded(name) },
    });
    assert.equal(status, 200, name);
  }
  assert.equal(runs(), ODD_NAMES.length);
  for (const name of ["=?base64?literal?=", "müll"]) {
    const answer = await callTool(app, name, {}, {
      headers: { "mcp-name": name },
    });
    assertMismatch(answer, "Mcp-Name");
  }
  // Without the closing marker it is a plain value.
  const open = await callTool(app, "=?base64?open", {}, {
    headers: { "mcp-name": "=?base64?open" },
  });
  assert.equal(open.status, 200);
  assert.equal(runs(), ODD_NAMES.length + 1);
});

Deno.test("a socket may spell header names as it likes and pad values, but not repeat them", async () => {
  const { app, runs } = countingApp();
  const listener = await app.listen({ port: 0, onListen() {} });
  const body = JSON.stringify(
    requestBody("tools/call", { name: "get_weather" }),
  );
  const send = (version: string[], name: string) =>
    rawRequest(listener.port, [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${listener.port}`,
      "CONTENT-TYPE: application/json",
      ...version,
      "MCP-METHOD: tools/call",
      name,
      `Content-Length: ${body.length}`,
    ], body);
  const version = `MCP-Protocol-Version: ${VERSION}`;

  const padded = await send([version], "Mcp-Name:\t get_weather  ");
  assert.equal(padded.status, 200, padded.body);
  assert.equal(runs(), 1);

  const older = "mcp-protocol-version: 2025-11-25";
  for (
    const versions of [[version, older], [older, version], [version, version]]
  ) {
    const { status, body } = await send(versions, "Mcp-Name: get_weather");
    assert.equal(status, 400, body);
    assert.equal(JSON.parse(body).error.code, -32020, body);
    assert.equal(JSON.parse(body).id, 1, body);
  }
  const twice = await send([version], "Mcp-Name: get_weather\r\nMcp-Name: x");
  assert.equal(twice.status, 400);
  const bytes = await send([version], "Mcp-Name: \u00e4\u00b8\u0096");
  assert.equal(bytes.status, 400, bytes.body);
  assert.equal(runs(), 1);
  await app.close();
});
