import assert from "node:assert/strict";
import fc from "fast-check";
import { createApp, memoryState, tool, z } from "../../../mod.ts";
import {
  callTool,
  type Json,
  modernRequest,
  post,
  requestBody,
  send,
  textOf,
  VERSION,
} from "./_client.ts";
import { rawRequest } from "./_raw_http.ts";

const LIMIT = 4096;

function testApp(maxBodyBytes = LIMIT) {
  return createApp({
    name: "body",
    version: "1.0.0",
    state: memoryState(),
    maxBodyBytes,
    tools: [
      tool("size", {
        input: z.object({ text: z.string() }),
        handler: ({ text }) => `${text.length}`,
      }),
      tool("echo", {
        input: z.object({ value: z.any() }),
        output: z.object({ value: z.any() }),
        handler: ({ value }) => ({ value }),
      }),
    ],
  });
}

const HEADERS = {
  "mcp-protocol-version": VERSION,
  "mcp-method": "tools/call",
  "mcp-name": "size",
};

/** A call whose body has exactly so many bytes. */
function bodyOf(bytes: number): string {
  const empty = JSON.stringify(
    requestBody("tools/call", { name: "size", arguments: { text: "" } }),
  );
  return empty.replace(
    '"text":""',
    `"text":"${"x".repeat(bytes - empty.length)}"`,
  );
}

/** A request that is streamed, with a declared length or none. */
function streamed(
  body: ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", ...HEADERS, ...headers },
    body,
  });
}

Deno.test("a body of exactly the limit is taken, and one byte more is not", async () => {
  const app = testApp();
  const body = bodyOf(LIMIT);
  assert.equal(new TextEncoder().encode(body).length, LIMIT);
  assert.equal((await send(app, post(body, HEADERS))).status, 200);
  const { status, error } = await send(app, post(bodyOf(LIMIT + 1), HEADERS));
  assert.equal(status, 413);
  assert.equal(error.code, -32600);
  assert.match(String(error.message), /4096/);
});

Deno.test("the limit counts bytes and not characters", async () => {
  const body = bodyOf(LIMIT / 2).replaceAll("x", "界");
  assert.ok(body.length < LIMIT);
  assert.equal((await send(testApp(), post(body, HEADERS))).status, 413);
});

Deno.test("a limit of 0 is none", async () => {
  const body = bodyOf(100_000);
  const { status } = await send(testApp(0), post(body, HEADERS));
  assert.equal(status, 200);
});

Deno.test("an endless body is cut off at the limit, and its source told", async () => {
  let sent = 0;
  const cancelled = Promise.withResolvers<void>();
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024).fill(0x20));
    },
    cancel: () => cancelled.resolve(),
  });
  assert.equal((await send(testApp(), streamed(endless))).status, 413);
  await cancelled.promise;
  assert.ok(sent <= LIMIT + 3 * 1024, `${sent} bytes were read`);
});

Deno.test("a declared length over the limit is refused without reading", async () => {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls++;
      controller.enqueue(new Uint8Array(1));
    },
  }, { highWaterMark: 0 });
  const request = streamed(body, { "content-length": `${LIMIT * 2}` });
  assert.equal((await send(testApp(), request)).status, 413);
  assert.equal(pulls, 0);
});

Deno.test("a declared length is not taken on trust", async () => {
  for (const length of ["10", "abc", "-1", "1e3", "0"]) {
    const bytes = new TextEncoder().encode(bodyOf(LIMIT + 1));
    const body = new Blob([bytes]).stream();
    const request = streamed(body, { "content-length": length });
    assert.equal((await send(testApp(), request)).status, 413, length);
  }
});

Deno.test("the limit holds over a socket, however the body is framed", async () => {
  const app = testApp();
  const { port } = await app.listen({ port: 0, onListen() {} });
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    "Content-Type: application/json",
    ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
  ];
  const body = bodyOf(LIMIT);
  const chunked = (text: string) =>
    `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const long = bodyOf(LIMIT + 1);
  const cases: readonly [string, string, number][] = [
    [`Content-Length: ${body.length}`, body, 200],
    [`Content-Length: ${long.length}`, long, 413],
    ["Transfer-Encoding: chunked", chunked(body), 200],
    ["Transfer-Encoding: chunked", chunked(long), 413],
  ];
  for (const [framing, sent, wanted] of cases) {
    const { status } = await rawRequest(port, [...head, framing], sent);
    assert.equal(status, wanted, framing);
  }
  for (const length of ["abc", "-1", "1e3"]) {
    const framing = `Content-Length: ${length}`;
    const { status } = await rawRequest(port, [...head, framing], body);
    assert.equal(status, 400, framing);
  }
  await app.close();
});

Deno.test("what is no JSON is a parse error", async () => {
  const app = testApp();
  for (
    const body of [
      "",
      " ",
      "{",
      "nul",
      "{'a':1}",
      "[1,]",
      "NaN",
      "\u0000",
      "[".repeat(4000),
    ]
  ) {
    const { status, error } = await send(app, post(body, HEADERS));
    assert.equal(status, 400, body.slice(0, 10));
    assert.equal(error.code, -32700, body.slice(0, 10));
  }
});

Deno.test("deep nesting is answered and survived, in the message and in its arguments", async () => {
  const app = testApp(0);
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const batch = await send(app, post(deep(200_000), HEADERS));
  assert.equal(batch.status, 400);
  assert.ok([-32600, -32700].includes(Number(batch.error.code)));
  const body = JSON.stringify(
    requestBody("tools/call", { name: "echo", arguments: { value: "?" } }),
  ).replace('"?"', deep(200_000));
  const answer = await send(
    app,
    post(body, { ...HEADERS, "mcp-name": "echo" }),
  );
  assert.equal(answer.status, 200);
  // Whether so deep a value can be written is up to the engine.
  assert.equal(answer.result.resultType, "complete");
  assert.equal(textOf(await callTool(app, "size", { text: "abc" })), "3");
});

Deno.test("any JSON value as a body gets a well-formed answer, and leaves the server serving", async () => {
  const app = testApp(0);
  const check = async (body: unknown, headers: Record<string, string>) => {
    const response = await app.fetch(post(JSON.stringify(body), headers));
    const text = await response.text();
    if (response.status === 202) {
      assert.equal(text, "");
      return;
    }
    assert.equal(response.headers.get("content-type"), "application/json");
    const message = JSON.parse(text) as Json;
    assert.equal(message.jsonrpc, "2.0");
    assert.ok(("result" in message) !== ("error" in message), text);
    assert.ok(response.status < 500, text);
  };
  const member = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(
      "2.0",
      "tools/call",
      "tools/list",
      VERSION,
      "echo",
      {},
    ),
  );
  const message = fc.record({
    jsonrpc: fc.oneof(fc.constant("2.0"), member),
    id: member,
    method: fc.oneof(
      fc.constantFrom(
        "tools/call",
        "completion/complete",
        "resources/read",
        "prompts/get",
        "tools/list",
      ),
      member,
    ),
    params: fc.oneof(
      fc.record({
        name: fc.oneof(fc.constantFrom("echo", "size"), member),
        arguments: member,
        cursor: member,
        inputResponses: member,
        requestState: member,
        ref: member,
        argument: member,
        _meta: fc.oneof(
          fc.constant(requestBody("x").params).map((params) =>
            (params as Json)._meta
          ),
          member,
        ),
      }, { requiredKeys: [] }),
      member,
    ),
  }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 1, arbitrary: fc.jsonValue() }, {
        weight: 4,
        arbitrary: message,
      }),
      fc.constantFrom<Record<string, string>>({}, HEADERS, {
        ...HEADERS,
        "mcp-name": "echo",
      }),
      check,
    ),
    { numRuns: 400 },
  );
  assert.equal(textOf(await callTool(app, "size", { text: "abc" })), "3");
  const { status } = await send(app, modernRequest("tools/list"));
  assert.equal(status, 200);
  await app.close();
});

Deno.test("a body that was read ahead of the app is told from one that is not JSON", async () => {
  for (const limit of [0, LIMIT]) {
    const app = testApp(limit);
    const request = post(bodyOf(400), HEADERS);
    await request.text();
    const { status, error } = await send(app, request);
    assert.equal(status, 400);
    assert.equal(error.code, -32700);
    assert.match(String(error.message), /read ahead of this server/);
  }
});
