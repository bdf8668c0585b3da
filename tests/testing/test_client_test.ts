import assert from "node:assert/strict";
import {
  inputRequired,
  prompt,
  resource,
  tool,
  type ToolDefinition,
  z,
} from "../../mod.ts";
import {
  createTestClient,
  RpcError,
  type TestClientOptions,
} from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "../context/_support.ts";

const Name = z.object({ name: z.string() });

const tools: ToolDefinition[] = [
  tool("echo", {
    input: z.object({ text: z.string() }),
    output: z.object({ text: z.string() }),
    handler: ({ text }) => ({ text }),
  }),
  tool("asks", {
    async handler(_input, ctx) {
      const { name } = await ctx.ask("name", {
        message: "Name?",
        schema: Name,
      });
      const answers = await ctx.ask({
        "a.b/ü": { message: "Second?", schema: Name },
        other: { message: "Third?", schema: Name },
      });
      return [name, answers["a.b/ü"].name, answers.other.name].join();
    },
  }),
  tool("reads_all", {
    handler(_input, ctx) {
      const view = ctx.inputs.view("roots");
      const model = ctx.inputs.view("model");
      if (view.kind === "roots" && model.kind === "sampling") {
        return `${view.roots.length} ${model.result.model}`;
      }
      return ctx.requestInput({
        inputRequests: {
          roots: inputRequired.listRoots(),
          model: inputRequired.createMessage({
            messages: [{ role: "user", content: { type: "text", text: "Hi" } }],
            maxTokens: 10,
          }),
        },
      });
    },
  }),
  tool("insists", {
    async handler(_input, ctx) {
      const view = await ctx.ask("sure", {
        message: "Sure?",
        schema: z.object({ sure: z.boolean() }),
        onDecline: "return",
      });
      return JSON.stringify(view);
    },
  }),
  tool("reports", {
    handler(_input, ctx) {
      ctx.progress(1, 2, "half");
      ctx.progress(2, 2);
      ctx.log.warning("done");
      return "";
    },
  }),
  tool("mirrored", {
    input: z.object({
      region: z.string().meta({ "x-mcp-header": "Region" }),
      n: z.number().int().meta({ "x-mcp-header": "N" }).optional(),
    }),
    handler: ({ region }) => region,
  }),
];

function openServer(pageSize?: number) {
  return openApp({
    tools,
    logLevel: "warning",
    ...(pageSize !== undefined && { pageSize }),
    prompts: [
      prompt("hello", {
        args: z.object({ language: z.string() }),
        complete: {
          language: (value, args) => [`${value}pp`, ...Object.values(args)],
        },
        handler: ({ language }) => `Hello in ${language}`,
      }),
    ],
    resources: [
      resource("note://1", { handler: () => "one" }),
      resource("note://{id}/body", {
        handler: async ({ id }, ctx) => {
          const { name } = await ctx.ask("name", {
            message: `Who reads ${id}?`,
            schema: Name,
          });
          return `${id} for ${name}`;
        },
      }),
    ],
  });
}

for (const era of ERAS) {
  const open = (options: TestClientOptions = {}) => {
    const app = openServer();
    return { app, client: createTestClient(app, { era, ...options }) };
  };

  Deno.test(`a test client calls, reads, fetches and completes, in the ${era} era`, async () => {
    const { app, client } = open();
    await using _ = app;
    await using __ = client;
    const { content, structuredContent } = await client.callTool("echo", {
      text: "hi",
    });
    assert.deepEqual(structuredContent, { text: "hi" });
    assert.deepEqual(content, [{ type: "text", text: '{"text":"hi"}' }]);
    const { contents } = await client.readResource("note://1");
    assert.deepEqual(contents, [
      { uri: "note://1", mimeType: "text/plain", text: "one" },
    ]);
    const { messages } = await client.getPrompt("hello", { language: "C" });
    assert.equal(messages.length, 1);
    const { values } = await client.complete(
      { type: "ref/prompt", name: "hello" },
      "language",
      "c",
      { other: "x" },
    );
    assert.deepEqual(values, ["cpp", "x"]);
  });

  Deno.test(`a test client follows the pages of lists, in the ${era} era`, async () => {
    await using app = openServer(2);
    await using client = createTestClient(app, { era });
    const names = (await client.listTools()).map(({ name }) => name);
    assert.deepEqual(names, tools.map(({ name }) => name));
    assert.equal((await client.listPrompts()).length, 1);
    assert.equal((await client.listResources()).length, 1);
    assert.equal((await client.listResourceTemplates()).length, 1);
  });

  Deno.test(`questions are answered from the script by their key, in the ${era} era`, async () => {
    const { app, client } = open({
      answers: {
        name: { name: "Ada" },
        "a.b/ü": () => ({ name: "Bob" }),
        other: { action: "accept", content: { name: "Cyd" } },
      },
    });
    await using _ = app;
    await using __ = client;
    const { content } = await client.callTool("asks");
    assert.deepEqual(content, [{ type: "text", text: "Ada,Bob,Cyd" }]);
    assert.deepEqual(client.questions.map(({ key }) => key), [
      "name",
      "a.b/ü",
      "other",
    ]);
    assert.equal(client.questions[0]?.method, "elicitation/create");
    assert.equal(client.questions[0]?.params.message, "Name?");
    const { contents } = await client.readResource("note://7/body");
    assert.deepEqual(contents.map((item) => "text" in item && item.text), [
      "7 for Ada",
    ]);
  });

  Deno.test(`one function may answer every question, in the ${era} era`, async () => {
    const { app, client } = open({
      answers: ({ method }) =>
        method === "roots/list" ? { roots: [{ uri: "file:///a" }] } : {
          role: "assistant",
          model: "m-1",
          content: { type: "text", text: "Hello" },
        },
    });
    await using _ = app;
    await using __ = client;
    const { content } = await client.callTool("reads_all");
    assert.deepEqual(content, [{ type: "text", text: "1 m-1" }]);
  });

  Deno.test(`a person may decline, and a list is used up in order, in the ${era} era`, async () => {
    const { app, client } = open({
      answers: { sure: ["decline", "cancel", { sure: true }] },
    });
    await using _ = app;
    await using __ = client;
    const texts: unknown[] = [];
    for (let call = 0; call < 3; call++) {
      const { content: [block] } = await client.callTool("insists");
      texts.push(block?.type === "text" && JSON.parse(block.text));
    }
    assert.deepEqual(texts, [
      { kind: "elicit", action: "decline" },
      { kind: "elicit", action: "cancel" },
      { sure: true },
    ]);
  });

  Deno.test(`a question that the script does not answer fails the call, in the ${era} era`, async () => {
    using _log = captureProcessLog();
    const { app, client } = open({ answers: { other: { name: "x" } } });
    await using _ = app;
    await using __ = client;
    await assert.rejects(client.callTool("asks"), {
      message:
        'Cannot answer the question "name" (elicitation/create): the script has no answer to it',
    });
    // Nothing is left behind.
    await client.callTool("echo", { text: "hi" });
  });

  Deno.test(`a JSON-RPC error is thrown with its code, data and status, in the ${era} era`, async () => {
    const { app, client } = open();
    await using _ = app;
    await using __ = client;
    await assert.rejects(client.callTool("nothing"), (error) => {
      assert.ok(error instanceof RpcError);
      assert.equal(error.code, -32602);
      assert.match(error.message, /Unknown tool: nothing/);
      return true;
    });
    await assert.rejects(client.readResource("nothing://1"), {
      code: era === "modern" ? -32602 : -32002,
    });
    await assert.rejects(client.request("no/such/method"), { code: -32601 });
  });

  Deno.test(`a client without a capability is refused, in the ${era} era`, async () => {
    const { app, client } = open({ capabilities: { roots: {} } });
    await using _ = app;
    await using __ = client;
    if (era === "modern") {
      await assert.rejects(client.callTool("asks"), {
        name: "RpcError",
        code: -32021,
        status: 400,
      });
    } else {
      assert.equal((await client.callTool("asks")).isError, true);
    }
    assert.deepEqual(client.questions, []);
  });

  Deno.test(`logs and progress are kept, where they are wanted, in the ${era} era`, async () => {
    using _log = captureProcessLog();
    const { app, client } = open({ logLevel: "info" });
    await using _ = app;
    await using __ = client;
    await client.callTool("reports");
    assert.deepEqual(client.logs, [
      { level: "warning", data: { message: "done" } },
    ]);
    assert.deepEqual(
      client.progress.map(({ progressToken: _, ...rest }) => rest),
      [{ progress: 1, total: 2, message: "half" }, { progress: 2, total: 2 }],
    );
    await using quiet = createTestClient(app, { era, progress: false });
    await quiet.callTool("reports");
    assert.deepEqual(quiet.progress, []);
  });

  Deno.test(`a call can be cancelled while its handler runs, in the ${era} era`, async () => {
    const controller = new AbortController();
    const { promise: stopped, resolve: onStop } = Promise.withResolvers<void>();
    const slow = tool("slow", {
      handler: (_input, ctx) =>
        new Promise<string>((_, reject) => {
          ctx.signal.addEventListener("abort", () => {
            onStop();
            reject(ctx.signal.reason);
          });
          controller.abort(new Error("Enough"));
        }),
    });
    await using app = openApp({ tools: [slow], logLevel: "error" });
    await using client = createTestClient(app, { era });
    const { signal } = controller;
    await assert.rejects(client.callTool("slow", {}, { signal }), {
      message: "Enough",
    });
    await stopped;
    assert.equal((await client.listTools()).length, 1);
  });
}

Deno.test("a modern test client mirrors arguments in headers where the tool wants it", async () => {
  await using app = openServer();
  await using client = createTestClient(app);
  for (const region of ["eu", "zürich ", "=?base64?eA==?="]) {
    const { content } = await client.callTool("mirrored", { region, n: 7 });
    assert.deepEqual(content, [{ type: "text", text: region }]);
  }
});

Deno.test("a test client sends the headers it is given", async () => {
  const seen: (string | null)[] = [];
  await using app = openApp({
    tools,
    auth: {
      verify(request) {
        seen.push(request.headers.get("authorization"));
        return { clientId: "app", scopes: [], tenantId: "acme" };
      },
    },
  });
  const headers = { authorization: "Bearer abc" };
  for (const era of ERAS) {
    await using client = createTestClient(app, { era, headers });
    await client.callTool("echo", { text: "hi" });
  }
  assert.deepEqual(new Set(seen), new Set(["Bearer abc"]));
});

Deno.test("a legacy test client asks for the revision it is given, and ends its session", async () => {
  const sessions: string[] = [];
  const asked: unknown[] = [];
  const who = tool("who", {
    handler(_input, ctx) {
      sessions.push(ctx.sessionId ?? "");
      return "";
    },
  });
  await using app = openApp({ tools: [who] });
  const watched = {
    async fetch(request: Request) {
      if (request.method === "DELETE") asked.push("DELETE");
      else {
        const { method, params } = await request.clone().json();
        if (method === "initialize") asked.push(params.protocolVersion);
      }
      return await app.fetch(request);
    },
  };
  for (const version of ["2025-11-25", "2025-06-18", "2024-11-05"]) {
    const client = createTestClient(watched, { era: "legacy", version });
    await client.callTool("who");
    await client.callTool("who");
    await client.close();
  }
  assert.deepEqual(asked, [
    "2025-11-25",
    "DELETE",
    "2025-06-18",
    "DELETE",
    "2024-11-05",
    "DELETE",
  ]);
  assert.equal(sessions.length, 6);
  assert.equal(new Set(sessions).size, 3);
});

Deno.test("a handler that never stops asking is given up", async () => {
  const endless = tool("endless", {
    handler: (_input, ctx) =>
      ctx.requestInput({ inputRequests: { r: inputRequired.listRoots() } }),
  });
  await using app = openApp({ tools: [endless] });
  await using client = createTestClient(app, {
    answers: { r: { roots: [] } },
    maxRounds: 3,
  });
  await assert.rejects(client.callTool("endless"), /after 3 rounds/);
  assert.equal(client.questions.length, 4);
});
