import assert from "node:assert/strict";
import {
  createApp,
  ErrorCode,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../mod.ts";
import type { App, AppOptions } from "../../mod.ts";
import {
  type Answer,
  assertMembers,
  call,
  callTool,
  type Json,
  modernRequest,
  post,
  read,
  requestBody,
  textOf,
} from "./modern/_client.ts";

/** Gates that handlers wait at, and what came of their signals. */
function gates() {
  const waiting: (() => void)[] = [];
  const reasons: unknown[] = [];
  const entered: (() => void)[] = [];
  return {
    reasons,
    /** Waits until it is opened; a caller that leaves does not open it. */
    wait: () => {
      entered.shift()?.();
      return new Promise<string>((resolve) =>
        waiting.push(() => resolve("through"))
      );
    },
    /** Resolves when the next handler has come to its gate. */
    next: () => new Promise<void>((resolve) => entered.push(resolve)),
    openAll: () => waiting.splice(0).forEach((open) => open()),
  };
}

function serve(
  gate: ReturnType<typeof gates>,
  options: Partial<AppOptions>,
): App {
  return createApp({
    name: "limited",
    version: "1.0.0",
    state: memoryState(),
    tools: [
      tool("wait", {
        handler: (_input, ctx) => {
          ctx.signal.addEventListener(
            "abort",
            () => gate.reasons.push(ctx.signal.reason),
          );
          return gate.wait();
        },
      }),
      tool("deaf", { handler: () => gate.wait() }),
      tool("quick", { handler: () => "quick" }),
      tool("fails", {
        handler: () => {
          throw new Error("no");
        },
      }),
    ],
    prompts: [prompt("wait", { handler: () => gate.wait() })],
    resources: [
      resource("wait://here", { name: "here", handler: () => gate.wait() }),
    ],
    ...options,
  });
}

Deno.test("a call that takes too long fails, and its handler is told to stop", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 20 });
  const answer = await callTool(app, "wait");
  assert.equal(answer.status, 200);
  assert.equal(answer.result.isError, true);
  assert.equal(textOf(answer), "Error: The call took longer than 20 ms");
  assertMembers(answer.result.structuredContent, {
    error: {
      code: ErrorCode.Timeout,
      data: { reason: "call_timeout", limitMs: 20 },
    },
  });
  const [reason] = gate.reasons;
  assert(reason instanceof DOMException);
  assert.equal(reason.name, "TimeoutError");
  gate.openAll();
  await app.close();
});

Deno.test("a call that takes too long fails, also when its handler looks at no signal", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 20 });
  const failed = await callTool(app, "deaf");
  assert.equal(failed.result.isError, true);
  gate.openAll();
  await app.close();
});

Deno.test("prompts and resources that take too long are errors", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 20 });
  const answers = [
    await call(app, "prompts/get", { name: "wait" }),
    await call(app, "resources/read", { uri: "wait://here" }),
  ];
  for (const { error } of answers) {
    assertMembers(error, {
      code: ErrorCode.Timeout,
      message: "The call took longer than 20 ms",
      data: { reason: "call_timeout" },
    });
  }
  gate.openAll();
  await app.close();
});

Deno.test("a call within its time is not touched, and leaves no timer behind", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 60_000 });
  assert.equal(textOf(await callTool(app, "quick")), "quick");
  assert.equal((await callTool(app, "fails")).result.isError, true);
  await app.close();
});

Deno.test("a time limit of 0 is none", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 0 });
  const entered = gate.next();
  const answer = callTool(app, "wait");
  await entered;
  gate.openAll();
  assert.equal(textOf(await answer), "through");
  await app.close();
});

function assertRefused(answer: Answer, what: string): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.headers.get("retry-after"), "1");
  assertMembers(answer.response, {
    id: 1,
    error: {
      code: ErrorCode.RateLimited,
      message: `Too many ${what}: at most 2 at a time are allowed`,
      data: { reason: "too_many", limit: 2, retryAfterSeconds: 1 },
    },
  });
}

const asCaller: AppOptions["auth"] = {
  verify({ headers }) {
    const [clientId = "", sub = ""] = (headers.get("x-caller") ?? "").split(
      "/",
    );
    return { clientId, sub, scopes: [] };
  },
};

Deno.test("a caller with all the calls it may have is told to come back, before a handler runs", async () => {
  const gate = gates();
  const app = serve(gate, {
    limits: { concurrentCalls: 2 },
    auth: asCaller,
  });
  const as = (caller: string) => ({ headers: { "x-caller": caller } });
  const entered = [gate.next(), gate.next()];
  const running = [
    callTool(app, "deaf", {}, as("app/alice")),
    call(app, "resources/read", { uri: "wait://here" }, as("app/alice")),
  ];
  await Promise.all(entered);
  for (
    const refused of [
      await callTool(app, "quick", {}, as("app/alice")),
      await call(app, "prompts/get", { name: "wait" }, as("app/alice")),
    ]
  ) assertRefused(refused, "running calls");
  // Another subject, and another client, have their own.
  for (const other of ["app/bob", "other/alice"]) {
    assert.equal((await callTool(app, "quick", {}, as(other))).status, 200);
  }
  // What runs no handler is not counted.
  const list = await call(app, "tools/list", {}, as("app/alice"));
  assert.equal(list.status, 200);
  gate.openAll();
  await Promise.all(running);
  const later = await callTool(app, "quick", {}, as("app/alice"));
  assert.equal(later.status, 200);
  await app.close();
});

Deno.test("calls are counted from the first, also when they come at once", async () => {
  const gate = gates();
  const app = serve(gate, { limits: { concurrentCalls: 2 } });
  const entered = [gate.next(), gate.next()];
  const answers = ["deaf", "deaf", "quick"].map((name) => callTool(app, name));
  await Promise.all(entered);
  assertRefused(await answers[2]!, "running calls");
  gate.openAll();
  for (const answer of answers.slice(0, 2)) {
    assert.equal(textOf(await answer), "through");
  }
  await app.close();
});

Deno.test("calls that fail, in whatever way, give back what they had", async () => {
  const gate = gates();
  const app = serve(gate, {
    limits: { concurrentCalls: 2 },
    callTimeoutMs: 20,
  });
  for (let i = 0; i < 3; i++) {
    assert.equal((await callTool(app, "fails")).status, 200);
    assert.equal((await callTool(app, "wait")).status, 200);
    assert.equal((await callTool(app, "quick", [])).status, 200);
    assert.equal((await callTool(app, "nothing")).status, 200);
  }
  gate.openAll();
  assert.equal((await callTool(app, "quick")).status, 200);
  await app.close();
});

function listen(app: App): Promise<Response> {
  return app.fetch(modernRequest("subscriptions/listen", {
    notifications: { toolsListChanged: true },
  }));
}

Deno.test("a caller with all the streams it may have gets no more, until one has ended", async () => {
  const gate = gates();
  const app = serve(gate, { limits: { openStreams: 2 } });
  const first = await listen(app);
  const second = await listen(app);
  assert.equal(first.status, 200);
  assert.equal(second.status, 200);
  assertRefused(await read(await listen(app)), "open streams");
  // Calls are another matter.
  assert.equal((await callTool(app, "quick")).status, 200);
  await first.body?.cancel();
  const third = await listen(app);
  assert.equal(third.status, 200);
  const reader = third.body?.pipeThrough(new TextDecoderStream()).getReader();
  const opened = await reader?.read();
  assert.match(opened?.value ?? "", /notifications\/subscriptions\/ack/);
  await app.close();
  // What a stream still had to say gets through.
  const ended = await reader?.read();
  assert.match(ended?.value ?? "", /"resultType":"complete"/);
  assert.equal((await reader?.read())?.done, true);
  await second.body?.cancel();
});

Deno.test("a stream that is refused for another reason takes nothing", async () => {
  const gate = gates();
  const app = serve(gate, { limits: { openStreams: 1 } });
  for (let i = 0; i < 3; i++) {
    const { status, error } = await call(app, "subscriptions/listen", {});
    assert.equal(status, 200);
    assert.equal(error.code, ErrorCode.InvalidParams);
  }
  const stream = await listen(app);
  assert.equal(stream.status, 200);
  await stream.body?.cancel();
  await app.close();
});

Deno.test("a call that takes too long fails over stdio as well", async () => {
  const gate = gates();
  const app = serve(gate, { callTimeoutMs: 20 });
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const body = requestBody("tools/call", { name: "deaf" });
  const served = app.serveStream({
    readable: new Blob([`${JSON.stringify(body)}\n`]).stream(),
    writable: output.writable,
  });
  const reader = output.readable.pipeThrough(new TextDecoderStream())
    .getReader();
  const { value } = await reader.read();
  assertMembers(JSON.parse(value ?? ""), {
    result: {
      isError: true,
      structuredContent: { error: { code: ErrorCode.Timeout } },
    },
  });
  gate.openAll();
  await served;
  await app.close();
});

const OLD = { "mcp-protocol-version": "2025-11-25" };

async function openSession(app: App): Promise<string> {
  const response = await app.fetch(post({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "old", version: "1.0.0" },
    },
  }));
  await response.body?.cancel();
  return response.headers.get("mcp-session-id") ?? assert.fail();
}

function oldCall(app: App, session: string, name: string): Promise<Answer> {
  const params: Json = { name, arguments: {} };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return app.fetch(post(body, { ...OLD, "mcp-session-id": session })).then(
    read,
  );
}

Deno.test("the limits hold for 2025-era callers as well", async () => {
  const gate = gates();
  const app = serve(gate, {
    callTimeoutMs: 60_000,
    limits: { concurrentCalls: 2, openStreams: 2 },
  });
  const session = await openSession(app);
  const entered = [gate.next(), gate.next()];
  const running = [
    oldCall(app, session, "deaf"),
    oldCall(app, session, "deaf"),
  ];
  await Promise.all(entered);
  assertRefused(await oldCall(app, session, "quick"), "running calls");
  gate.openAll();
  await Promise.all(running);
  assert.equal((await oldCall(app, session, "quick")).status, 200);

  const listen = () =>
    app.fetch(
      new Request("http://localhost/mcp", {
        headers: {
          ...OLD,
          accept: "text/event-stream",
          "mcp-session-id": session,
        },
      }),
    );
  const first = await listen();
  const second = await listen();
  const third = await listen();
  assert.deepEqual([first, second, third].map(({ status }) => status), [
    200,
    200,
    429,
  ]);
  assert.equal(third.headers.get("retry-after"), "1");
  for (const { body } of [first, second, third]) await body?.cancel();
  const again = await listen();
  assert.equal(again.status, 200);
  await again.body?.cancel();
  await app.close();
});
