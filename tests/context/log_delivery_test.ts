import assert from "node:assert/strict";
import {
  type LogLevel,
  setLogLevel,
  setSensitiveFields,
  tool,
  z,
} from "../../mod.ts";
import { createTestClient } from "../../testing.ts";
import { captureProcessLog, ERAS, openApp } from "./_support.ts";

const LEVELS: readonly LogLevel[] = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
];

const logsAll = tool("logs_all", {
  handler(_input, ctx) {
    ctx.log.debug("debug");
    ctx.log.info("info");
    ctx.log.notice("notice");
    ctx.log.warning("warning");
    ctx.log.error("error");
    return "";
  },
});

function levelsOf(lines: readonly Readonly<Record<string, unknown>>[]) {
  return lines.map(({ level }) => level);
}

for (const era of ERAS) {
  Deno.test(`one call writes to the process and to the client, in the ${era} era`, async () => {
    using log = captureProcessLog();
    await using app = openApp({ tools: [logsAll], logLevel: "debug" });
    await using client = createTestClient(app, { era, logLevel: "debug" });
    await client.callTool("logs_all");
    const own = log.lines.filter(({ logger }) => logger === "parley.handler");
    assert.deepEqual(levelsOf(own), LEVELS);
    assert.deepEqual(
      client.logs,
      LEVELS.map((level) => ({ level, data: { message: level } })),
    );
  });

  Deno.test(`the floor drops a line from both sinks, in the ${era} era`, async () => {
    using log = captureProcessLog();
    await using app = openApp({ tools: [logsAll], logLevel: "notice" });
    await using client = createTestClient(app, { era, logLevel: "debug" });
    await client.callTool("logs_all");
    const wanted = ["notice", "warning", "error"];
    assert.deepEqual(levelsOf(log.lines), wanted);
    assert.deepEqual(levelsOf(client.logs), wanted);
  });

  Deno.test(`the client's level narrows what it gets, and never widens it, in the ${era} era`, async () => {
    using log = captureProcessLog();
    await using app = openApp({ tools: [logsAll], logLevel: "info" });
    await using client = createTestClient(app, { era, logLevel: "warning" });
    await client.callTool("logs_all");
    assert.deepEqual(levelsOf(client.logs), ["warning", "error"]);
    assert.deepEqual(levelsOf(log.lines), [
      "info",
      "notice",
      "warning",
      "error",
    ]);
  });

  Deno.test(`setLogLevel() moves the floor of both sinks at run time, in the ${era} era`, async () => {
    using log = captureProcessLog();
    await using app = openApp({ tools: [logsAll], logLevel: "error" });
    await using client = createTestClient(app, { era, logLevel: "debug" });
    try {
      setLogLevel("warning");
      await client.callTool("logs_all");
    } finally {
      setLogLevel(undefined);
    }
    await client.callTool("logs_all");
    const wanted = ["warning", "error", "error"];
    assert.deepEqual(levelsOf(client.logs), wanted);
    assert.deepEqual(levelsOf(log.lines), wanted);
  });

  Deno.test(`sensitive fields are masked at any depth, in the ${era} era`, async () => {
    using log = captureProcessLog();
    setSensitiveFields(["shoe_size"]);
    const data = {
      API_KEY: "k-1",
      deep: [{ accessToken: "t-1", tokenCount: 7 }],
      shoeSize: 44,
      message: "mine",
      kept: "yes",
    };
    const before = structuredClone(data);
    const logs = tool("logs", {
      handler(_input, ctx) {
        ctx.log.info("The line", data);
        return "";
      },
    });
    await using app = openApp({ tools: [logs] });
    await using client = createTestClient(app, { era, logLevel: "info" });
    await client.callTool("logs");
    assert.deepEqual(client.logs[0]?.data, {
      API_KEY: "[REDACTED]",
      deep: [{ accessToken: "[REDACTED]", tokenCount: "[REDACTED]" }],
      shoeSize: "[REDACTED]",
      kept: "yes",
      message: "The line",
    });
    assert.ok(!log.text().includes("k-1"));
    assert.deepEqual(data, before);
  });

  Deno.test(`message and error are the line's own, in the ${era} era`, async () => {
    using log = captureProcessLog();
    const logs = tool("logs", {
      handler(_input, ctx) {
        ctx.log.error("It failed", new Error("boom"), {
          message: "not this",
          error: "nor this",
          requestId: "forged",
          tenantId: "forged",
          url: "https://host.example/",
        });
        return "";
      },
    });
    await using app = openApp({ tools: [logs] });
    await using client = createTestClient(app, { era, logLevel: "info" });
    await client.callTool("logs");
    assert.deepEqual(client.logs[0], {
      level: "error",
      data: {
        message: "It failed",
        error: "boom",
        requestId: "forged",
        tenantId: "forged",
        url: "https://host.example/",
      },
    });
    const [line] = log.lines;
    assert.equal(line?.message, "It failed");
    assert.equal(line?.tenantId, "default");
    assert.notEqual(line?.requestId, "forged");
    assert.match(String(line?.requestId), /^[\da-f-]{36}$/);
  });
}

Deno.test("a modern client that asks for no log gets none", async () => {
  using log = captureProcessLog();
  await using app = openApp({ tools: [logsAll], logLevel: "debug" });
  await using client = createTestClient(app, { era: "modern" });
  await client.callTool("logs_all");
  assert.deepEqual(client.logs, []);
  assert.equal(log.lines.length, 5);
});

Deno.test("a log level that is none is refused, and nothing runs", async () => {
  let runs = 0;
  const counts = tool("counts", { handler: () => String(++runs) });
  await using app = openApp({ tools: [counts] });
  for (const level of ["loud", "WARNING", "", 7, null]) {
    await using client = createTestClient(app);
    const meta = { "io.modelcontextprotocol/logLevel": level };
    await assert.rejects(client.callTool("counts", {}, { meta }), {
      name: "RpcError",
      code: -32602,
      status: 400,
    });
  }
  await using legacy = createTestClient(app, { era: "legacy" });
  await assert.rejects(legacy.request("logging/setLevel", { level: "loud" }), {
    name: "RpcError",
    code: -32602,
  });
  assert.equal(runs, 0);
});

Deno.test("the level of one legacy session does not concern another", async () => {
  using _log = captureProcessLog();
  await using app = openApp({ tools: [logsAll], logLevel: "debug" });
  await using quiet = createTestClient(app, {
    era: "legacy",
    logLevel: "error",
  });
  await using chatty = createTestClient(app, {
    era: "legacy",
    logLevel: "debug",
  });
  await quiet.callTool("logs_all");
  await chatty.callTool("logs_all");
  await quiet.callTool("logs_all");
  assert.deepEqual(levelsOf(quiet.logs), ["error", "error"]);
  assert.equal(chatty.logs.length, 5);
});

for (const era of ERAS) {
  Deno.test(`what is logged after the answer goes to the process only, in the ${era} era`, async () => {
    using log = captureProcessLog();
    const { promise: answered, resolve: onAnswer } = Promise.withResolvers<
      void
    >();
    const { promise: logged, resolve: onLogged } = Promise.withResolvers<
      void
    >();
    const late = tool("late", {
      handler(_input, ctx) {
        ctx.log.info("in time");
        answered.then(() => {
          ctx.log.info("too late");
          ctx.progress(1);
          onLogged();
        });
        return "";
      },
    });
    await using app = openApp({ tools: [late] });
    await using client = createTestClient(app, { era, logLevel: "debug" });
    await client.callTool("late");
    onAnswer();
    await logged;
    // Whatever was sent late would be read by the next call at the latest.
    await client.listTools();
    const messages = client.logs.map(({ data }) =>
      (data as { message: string }).message
    );
    assert.deepEqual(messages, ["in time"]);
    assert.deepEqual(client.progress, []);
    assert.deepEqual(log.lines.map(({ message }) => message), [
      "in time",
      "too late",
    ]);
  });
}

Deno.test("a client that takes no stream loses its log, and nothing else", async () => {
  using _log = captureProcessLog();
  await using app = openApp({ tools: [logsAll] });
  await using client = createTestClient(app, {
    logLevel: "debug",
    headers: { accept: "application/json" },
  });
  const { isError } = await client.callTool("logs_all");
  assert.notEqual(isError, true);
  assert.deepEqual(client.logs, []);
});

Deno.test("a process log that fails does not fail the handler", async () => {
  const { configureSync, resetSync } = await import("@logtape/logtape");
  resetSync();
  configureSync({
    sinks: {
      broken() {
        throw new Error("The disk is full");
      },
    },
    loggers: [
      { category: [], sinks: ["broken"], lowestLevel: "debug" },
      { category: ["logtape", "meta"], sinks: [] },
    ],
  });
  try {
    await using app = openApp({ tools: [logsAll] });
    await using client = createTestClient(app, { logLevel: "info" });
    assert.notEqual((await client.callTool("logs_all")).isError, true);
    assert.equal(client.logs.length, 4);
  } finally {
    resetSync();
  }
});

Deno.test("every line of a call carries what identifies it", async () => {
  using log = captureProcessLog();
  const logs = tool("logs", {
    input: z.object({}),
    output: z.object({ requestId: z.string(), sessionId: z.string() }),
    handler(_input, ctx) {
      ctx.log.info("one");
      return { requestId: ctx.requestId, sessionId: ctx.sessionId ?? "" };
    },
  });
  await using app = openApp({ tools: [logs] });
  await using client = createTestClient(app, { era: "legacy" });
  const { structuredContent } = await client.callTool("logs");
  const [line] = log.lines;
  const { requestId, sessionId, tenantId, operation } = line ?? {};
  assert.deepEqual({ requestId, sessionId }, structuredContent);
  assert.deepEqual([tenantId, operation], ["default", "tools/call logs"]);
});
