import assert from "node:assert/strict";
import {
  conflict,
  ErrorCode,
  internalError,
  McpError,
  notFound,
  prompt,
  resource,
  tool,
  type ToolDefinition,
  validationError,
  z,
} from "../../mod.ts";
import { createTestClient, RpcError } from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "./_support.ts";

interface SentError {
  readonly code: number;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> & {
    readonly requestId: string;
  };
}

/** A tool that throws what is given to it. */
function throws(thrown: () => unknown, name = "throws"): ToolDefinition {
  return tool(name, {
    errors: [
      {
        reason: "no_match",
        code: ErrorCode.NotFound,
        when: "Nothing matches",
        recovery: "Try a wider query.",
        retryable: false,
      },
      { reason: "bare", code: ErrorCode.Conflict, when: "It is bare" },
    ],
    handler() {
      throw thrown();
    },
  });
}

async function failureOf(
  thrown: () => unknown,
  era: "modern" | "legacy" = "modern",
): Promise<{ text: string; error: SentError }> {
  await using app = openApp({ tools: [throws(thrown)], logLevel: "emergency" });
  await using client = createTestClient(app, { era });
  const result = await client.callTool("throws");
  assert.equal(result.isError, true);
  const [block] = result.content;
  assert.ok(block?.type === "text");
  const { error } = result.structuredContent as { error: SentError };
  return { text: block.text, error };
}

for (const era of ERAS) {
  Deno.test(`a failed tool is a result with its code, message and data, in the ${era} era`, async () => {
    const { text, error } = await failureOf(
      () => notFound("No such invoice", { invoiceId: "i-7" }),
      era,
    );
    assert.equal(text, "Error: No such invoice");
    const { requestId, ...data } = error.data;
    assert.match(requestId, /^[\da-f-]{36}$/);
    assert.deepEqual({ ...error, data }, {
      code: 404,
      message: "No such invoice",
      data: { invoiceId: "i-7" },
    });
  });

  Deno.test(`a declared hint goes with any failure that carries the reason, in the ${era} era`, async () => {
    const { text, error } = await failureOf(
      () => validationError("Nothing", { reason: "no_match" }),
      era,
    );
    assert.equal(text, "Error: Nothing\nRecovery: Try a wider query.");
    const { requestId: _, ...data } = error.data;
    assert.deepEqual(data, {
      reason: "no_match",
      recovery: { hint: "Try a wider query." },
      retryable: false,
    });
  });
}

Deno.test("a legacy client gets the failure of a tool with an output schema under _meta", async () => {
  const fails = tool("fails", {
    output: z.object({ a: z.string() }),
    handler() {
      throw conflict("Someone else was faster");
    },
  });
  await using app = openApp({ tools: [fails], logLevel: "emergency" });
  await using client = createTestClient(app, { era: "legacy" });
  const { structuredContent, _meta } = await client.callTool("fails");
  assert.equal(structuredContent, undefined);
  const { code, message } = _meta?.["parley/error"] as SentError;
  assert.deepEqual([code, message], [409, "Someone else was faster"]);
});

Deno.test("the hint of the failure itself wins over the declared one", async () => {
  const { text } = await failureOf(() =>
    conflict("Taken", {
      reason: "no_match",
      recovery: { hint: "Wait a minute." },
    })
  );
  assert.equal(text, "Error: Taken\nRecovery: Wait a minute.");
});

Deno.test("a reason without a declared hint, or undeclared, goes without one", async () => {
  for (const reason of ["bare", "unheard_of"]) {
    const { text, error } = await failureOf(() => conflict("No", { reason }));
    assert.equal(text, "Error: No");
    const { requestId: _, ...data } = error.data;
    assert.deepEqual(data, { reason });
  }
});

Deno.test("requestId is that of the call, whatever the data says", async () => {
  const seen: string[] = [];
  const fails = tool("fails", {
    handler(_input, ctx) {
      seen.push(ctx.requestId);
      throw conflict("No", { requestId: "mine" });
    },
  });
  await using app = openApp({ tools: [fails], logLevel: "emergency" });
  await using client = createTestClient(app);
  const { structuredContent } = await client.callTool("fails");
  const { error } = structuredContent as unknown as { error: SentError };
  assert.equal(error.data.requestId, seen[0]);
});

Deno.test("a name that nobody knows is refused with a requestId, too", async () => {
  await using app = openApp();
  await using client = createTestClient(app);
  for (
    const answer of [
      client.callTool("nothing"),
      client.getPrompt("nothing"),
      client.readResource("nothing://1"),
    ]
  ) {
    await assert.rejects(answer, (error: RpcError) => {
      assert.equal(error.code, -32602);
      const { requestId } = error.data as SentError["data"];
      assert.match(requestId, /^[\da-f-]{36}$/);
      return true;
    });
  }
});

Deno.test("ctx.fail throws the declared code, and its message by default", async () => {
  const find = tool("find", {
    input: z.object({ how: z.enum(["default", "own"]) }),
    errors: [{
      reason: "no_match",
      code: ErrorCode.NotFound,
      when: "Nothing matches the query",
      recovery: "Try a wider query.",
    }],
    handler({ how }, ctx) {
      if (how === "default") throw ctx.fail("no_match");
      throw ctx.fail("no_match", "No invoice 7", { id: 7 });
    },
  });
  await using app = openApp({ tools: [find], logLevel: "emergency" });
  await using client = createTestClient(app);
  const errors: SentError[] = [];
  for (const how of ["default", "own"]) {
    const { structuredContent } = await client.callTool("find", { how });
    errors.push((structuredContent as unknown as { error: SentError }).error);
  }
  const recovery = { hint: "Try a wider query." };
  assert.deepEqual(
    errors.map(({ code, message, data: { requestId: _, ...data } }) => [
      code,
      message,
      data,
    ]),
    [
      [404, "Nothing matches the query", { reason: "no_match", recovery }],
      [404, "No invoice 7", { reason: "no_match", id: 7, recovery }],
    ],
  );
});

const BROKEN_NOTES = "The notes are broken";

for (const era of ERAS) {
  Deno.test(`resources and prompts fail with JSON-RPC errors, in the ${era} era`, async () => {
    const errors = [{
      reason: "moved",
      code: ErrorCode.Conflict,
      when: "It moved",
      recovery: "Read note://8.",
    }] as const;
    await using app = openApp({
      logLevel: "emergency",
      resources: [
        resource("note://{id}", {
          errors,
          handler({ id }, ctx) {
            if (id === "gone") throw notFound("No such note");
            if (id === "moved") throw ctx.fail("moved");
            throw internalError(BROKEN_NOTES);
          },
        }),
      ],
      prompts: [
        prompt("fails", {
          errors,
          handler: (_args, ctx) => {
            throw ctx.fail("moved");
          },
        }),
      ],
    });
    await using client = createTestClient(app, { era });
    const codeOf = (uri: string) =>
      client.readResource(uri).then(
        () => assert.fail("It was read"),
        (error: unknown) => {
          assert.ok(error instanceof RpcError);
          return error;
        },
      );
    const gone = await codeOf("note://gone");
    assert.equal(gone.code, era === "modern" ? -32602 : -32002);
    assert.equal((gone.data as SentError["data"]).uri, "note://gone");
    assert.equal((await codeOf("note://broken")).code, -32603);
    const moved = await codeOf("note://moved");
    const { requestId, ...data } = moved.data as SentError["data"];
    assert.equal(typeof requestId, "string");
    assert.deepEqual([moved.code, moved.message, data], [
      409,
      "It moved",
      { reason: "moved", recovery: { hint: "Read note://8." } },
    ]);
    await assert.rejects(client.getPrompt("fails"), {
      name: "RpcError",
      code: 409,
      message: "It moved",
    });
  });
}

Deno.test("a code that 2026-07-28 does not define never goes out as a JSON-RPC error", async () => {
  const codes = [-32050, -32000, -32042, -32002, 1.5, NaN];
  await using app = openApp({
    logLevel: "emergency",
    prompts: codes.map((code, index) =>
      prompt(`p${index}`, {
        handler() {
          throw new McpError(code, "No");
        },
      })
    ),
  });
  await using client = createTestClient(app);
  const sent = await Promise.all(
    codes.map((_, index) =>
      client.getPrompt(`p${index}`).then(
        () => assert.fail("It did not fail"),
        (error: RpcError) => error.code,
      )
    ),
  );
  assert.deepEqual(sent, [-32603, -32603, -32603, -32602, -32603, -32603]);
});

const FOREIGN: readonly (readonly [string, () => unknown, number])[] = [
  ["an Error", () => new Error("boom"), -32603],
  ["a TypeError", () => new TypeError("boom"), -32603],
  ["a string", () => "boom", -32603],
  ["nothing", () => undefined, -32603],
  ["Deno.errors.NotFound", () => new Deno.errors.NotFound("boom"), 404],
  [
    "a permission that is missing",
    () => new Deno.errors.NotCapable("boom"),
    403,
  ],
  ["an abort", () => new DOMException("boom", "AbortError"), 408],
  ["a time-out", () => new DOMException("boom", "TimeoutError"), 408],
  ["a ZodError", () => z.string().safeParse(7).error, 422],
  [
    "a message that only names another kind",
    () => new Error("404 not found, timeout, permission denied"),
    -32603,
  ],
];

for (const [what, thrown, code] of FOREIGN) {
  Deno.test(`${what} is classified by its type as ${code}`, async () => {
    const { error } = await failureOf(thrown);
    assert.equal(error.code, code);
  });
}

Deno.test("a service that throws a factory with a declared reason needs no ctx", async () => {
  function load(): never {
    throw validationError("The query is empty", { reason: "no_match" });
  }
  const { error } = await failureOf(() => {
    try {
      return load();
    } catch (error) {
      return error;
    }
  });
  assert.deepEqual(error.data.recovery, { hint: "Try a wider query." });
});

const SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc";
const ANSWER = "hunter2-answer";

for (const era of ERAS) {
  Deno.test(`no answer, secret, path, stack or cause reaches a client, in the ${era} era`, async () => {
    using log = captureProcessLog();
    const url = `https://host.example/v1?api_key=${SECRET}`;
    const schema = z.object({ word: z.string() });
    const leaks = tool("leaks", {
      input: z.object({ how: z.string() }),
      async handler({ how }, ctx) {
        await ctx.ask("word", { message: "The word?", schema });
        const cause = new Error("at /home/u/app/db.ts");
        const error = new Error(`boom ${url} in /home/u/app/main.ts:3:1`, {
          cause,
        });
        if (how === "attached") throw Object.assign(error, { ctx });
        if (how === "spread") throw internalError("No", { ...ctx, ctx, error });
        if (how === "caused") throw internalError("No", {}, { cause: error });
        ctx.log.error("It failed", error, { ctx, url });
        throw error;
      },
    });
    await using app = openApp({ tools: [leaks] });
    await using client = createTestClient(app, {
      era,
      logLevel: "debug",
      answers: { word: { word: ANSWER } },
    });
    const seen: unknown[] = [];
    for (const how of ["attached", "spread", "caused", "plain"]) {
      seen.push(await client.callTool("leaks", { how }));
    }
    assert.equal(client.logs.length, 1);
    const wire = JSON.stringify([seen, client.notifications]);
    for (const secret of [SECRET, ANSWER, "/home/u", "    at ", "db.ts"]) {
      assert.ok(!wire.includes(secret), secret);
    }
    assert.match(wire, /boom https:\/\/host\.example/);
    // The operator can tell which call it was, and why it failed.
    assert.ok(!log.text().includes(SECRET));
    assert.ok(!log.text().includes(ANSWER));
    assert.match(log.text(), /\/home\/u\/app\/main\.ts/);
    const failures = log.failures();
    assert.equal(failures.length, 4);
    for (const { requestId, level } of failures) {
      assert.equal(level, "error");
      assert.ok(wire.includes(String(requestId)));
    }
  });
}

Deno.test("a context in the data of a failure brings no claims along", async () => {
  const fails = tool("fails", {
    handler(_input, ctx) {
      throw conflict("No", { ...ctx, nested: ctx });
    },
  });
  await using app = openApp({
    tools: [fails],
    logLevel: "emergency",
    auth: {
      verify: () => ({
        clientId: "app",
        scopes: [],
        tenantId: "acme",
        claims: { email: "ada@example.com" },
      }),
    },
  });
  await using client = createTestClient(app);
  const { structuredContent } = await client.callTool("fails");
  assert.ok(!JSON.stringify(structuredContent).includes("ada@example.com"));
});

Deno.test("data that JSON cannot carry is still sent, as far as it goes", async () => {
  const cycle: Record<string, unknown> = { big: 2n ** 64n };
  cycle.self = cycle;
  const { error } = await failureOf(() =>
    conflict("No", {
      cycle,
      when: new Date(0),
      seen: new Map([["a", 1]]),
      get bad() {
        throw new Error("unreadable");
      },
      list: Array.from({ length: 500 }, (_, index) => index),
    })
  );
  const { cycle: sent, when, seen, bad, list } = error.data;
  assert.deepEqual(sent, { big: "18446744073709551616", self: "[Circular]" });
  assert.equal(when, "1970-01-01T00:00:00.000Z");
  assert.deepEqual(seen, { a: 1 });
  assert.equal(bad, "[Unreadable]");
  assert.equal((list as unknown[]).length, 500);
});

interface Logged {
  readonly what: string;
  readonly level: string;
  readonly stack: boolean;
  readonly thrown: () => unknown;
}

const LOGGED: readonly Logged[] = [
  {
    what: "a fault is an error with its stack",
    level: "error",
    stack: true,
    thrown: () => internalError("The server failed"),
  },
  {
    what: "a foreign error is an error with its stack and cause",
    level: "error",
    stack: true,
    thrown: () => new Error("boom", { cause: new Error("why") }),
  },
  {
    what: "a failure that was meant is a warning without a stack",
    level: "warning",
    stack: false,
    thrown: () => notFound("No such thing"),
  },
  {
    what: "what a person declined is a notice",
    level: "notice",
    stack: false,
    thrown: () => validationError("No", { reason: "input_declined" }),
  },
];

for (const { what, level, stack, thrown } of LOGGED) {
  Deno.test(`in the log, ${what}`, async () => {
    using log = captureProcessLog();
    await using app = openApp({ tools: [throws(thrown)] });
    await using client = createTestClient(app);
    await client.callTool("throws");
    const [line, ...more] = log.failures();
    assert.deepEqual(more, []);
    assert.equal(line?.level, level);
    assert.equal(line?.message, "Error in tools/call throws");
    const text = JSON.stringify(line);
    assert.equal(text.includes("stack"), stack);
    if (what.includes("cause")) assert.match(text, /why/);
  });
}

Deno.test("refusals of the caller's own making are no errors in the log", async () => {
  using log = captureProcessLog();
  const asks = tool("asks", {
    input: z.object({ n: z.number() }),
    async handler(_input, ctx) {
      const schema = z.object({ a: z.string() });
      await ctx.ask("a", { message: "A?", schema });
      return "";
    },
  });
  await using app = openApp({ tools: [asks] });
  for (const era of ERAS) {
    await using client = createTestClient(app, { era, capabilities: {} });
    assert.equal((await client.callTool("asks", { n: "7" })).isError, true);
    await assert.rejects(client.callTool("unknown"), { code: -32602 });
    await assert.rejects(client.getPrompt("unknown"), { code: -32602 });
    await client.callTool("asks", { n: 7 }).catch(() => {});
  }
  const levels = new Set(log.lines.map(({ level }) => level));
  assert.ok(!levels.has("error") && !levels.has("warning"), log.text());
  assert.ok(!log.text().includes('"stack"'));
  const reasons = log.failures().map(({ data }) =>
    (data as { reason?: string }).reason
  );
  assert.deepEqual(reasons, [
    "invalid_arguments",
    "invalid_arguments",
    "client_capability_missing",
  ]);
});

Deno.test("output that does not match its schema is the server's fault, and is not sent", async () => {
  using log = captureProcessLog();
  const bad = tool("bad", {
    output: z.object({ n: z.number() }),
    handler: () => JSON.parse('{"n":"secret text"}'),
  });
  await using app = openApp({ tools: [bad] });
  await using client = createTestClient(app);
  const result = await client.callTool("bad");
  assert.equal(result.isError, true);
  const { error } = result.structuredContent as unknown as {
    error: SentError;
  };
  assert.equal(error.code, -32603);
  assert.match(error.message, /^The output of tool "bad" .*\n?n: /);
  assert.ok(!JSON.stringify(result).includes("secret text"));
  assert.deepEqual(log.failures().map(({ level }) => level), ["error"]);
});

Deno.test("invalid arguments are a failed call that names each issue's path", async () => {
  const add = tool("add", {
    input: z.object({ a: z.number(), deep: z.object({ b: z.string() }) }),
    handler: () => "",
  });
  await using app = openApp({ tools: [add], logLevel: "emergency" });
  await using client = createTestClient(app);
  const result = await client.callTool("add", { a: "x", deep: {} });
  const [block] = result.content;
  assert.ok(result.isError && block?.type === "text");
  assert.match(block.text, /^Error: Invalid arguments for tool "add": a: /);
  assert.match(block.text, /\ndeep\.b: /);
});
