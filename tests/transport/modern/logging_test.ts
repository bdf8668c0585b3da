import assert from "node:assert/strict";
import {
  type Context,
  createApp,
  memoryState,
  prompt,
  resource,
  tool,
} from "../../../mod.ts";
import { call, type CallOptions, callTool, type Json } from "./_client.ts";

const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

function wants(level: unknown): CallOptions {
  return { meta: { [LOG_LEVEL]: level } };
}

function logAll(ctx: Pick<Context, "log">): void {
  ctx.log.debug("debug line");
  ctx.log.info("info line", { n: 1 });
  ctx.log.notice("notice line");
  ctx.log.warning("warning line");
  ctx.log.error("error line", new Error("the cause"));
}

function testApp(logLevel: "debug" | "warning" | "emergency" = "debug") {
  return createApp({
    name: "logging",
    version: "1.0.0",
    state: memoryState(),
    logLevel,
    tools: [
      tool("log", {
        handler: (_args, ctx) => logAll(ctx),
      }),
      tool("hostile", {
        handler(_args, ctx) {
          const cycle: Json = {};
          cycle.self = cycle;
          const getter = {
            get bad() {
              throw new Error("no");
            },
          };
          ctx.log.info("hostile", {
            big: 10n,
            cycle,
            getter,
            error: new Error("visible"),
            map: new Map([["k", 1]]),
            run: () => 1,
            undefined: undefined,
            symbol: Symbol("s"),
            lone: "\ud800",
          });
          ctx.log.info("long", { text: "x".repeat(1_000_000) });
          return "logged";
        },
      }),
    ],
    resources: [
      resource("log://all", {
        handler(_params, ctx) {
          logAll(ctx);
          return "logged";
        },
      }),
    ],
    prompts: [
      prompt("log", {
        handler(_args, ctx) {
          logAll(ctx);
          return "logged";
        },
      }),
    ],
  });
}

/** The levels of the messages ahead of an answer. */
function levels(notifications: readonly Json[]): unknown[] {
  return notifications.map(({ method, params }) => {
    assert.equal(method, "notifications/message");
    return (params as Json).level;
  });
}

Deno.test("a request without a log level gets no log messages", async () => {
  const { notifications, headers } = await callTool(testApp(), "log");
  assert.deepEqual(notifications, []);
  assert.equal(headers.get("content-type"), "application/json");
});

Deno.test("a request gets the log messages from its level on, whatever runs", async () => {
  const app = testApp();
  const all = ["debug", "info", "notice", "warning", "error"];
  const calls = [
    ["tools/call", { name: "log" }],
    ["prompts/get", { name: "log" }],
    ["resources/read", { uri: "log://all" }],
  ] as const;
  for (const [method, params] of calls) {
    for (const [index, level] of all.entries()) {
      const { notifications } = await call(app, method, params, wants(level));
      assert.deepEqual(levels(notifications), all.slice(index), method);
    }
    const { notifications } = await call(app, method, params, wants("alert"));
    assert.deepEqual(notifications, []);
  }
});

Deno.test("the server's own floor holds for clients too", async () => {
  const { notifications } = await callTool(
    testApp("warning"),
    "log",
    {},
    wants("debug"),
  );
  assert.deepEqual(levels(notifications), ["warning", "error"]);
});

Deno.test("a message carries its text and data, and an error its own", async () => {
  const { notifications } = await callTool(testApp(), "log", {}, wants("info"));
  const [info] = notifications;
  assert.deepEqual((info?.params as Json).data, { message: "info line", n: 1 });
  assert.deepEqual((notifications.at(-1)?.params as Json).data, {
    message: "error line",
    error: "the cause",
  });
});

Deno.test("an unknown level is refused before anything runs", async () => {
  for (const level of ["loud", "INFO", "", 1, null, {}]) {
    const { status, error } = await callTool(
      testApp(),
      "log",
      {},
      wants(level),
    );
    assert.equal(status, 400, String(level));
    assert.equal(error.code, -32602, String(level));
  }
});

Deno.test("what cannot be JSON is logged as well as it can be, and fails nothing", async () => {
  const { result, notifications } = await callTool(
    testApp("debug"),
    "hostile",
    {},
    wants("debug"),
  );
  assert.deepEqual(result.content, [{ type: "text", text: "logged" }]);
  assert.equal(notifications.length, 2);
  const data = (notifications[0]?.params as Json).data as Json;
  assert.equal(data.message, "hostile");
  assert.match(JSON.stringify(data.error), /visible/);
  assert.equal(data.lone, "\ufffd");
});

Deno.test("messages stay with the call that logged them", async () => {
  const app = testApp();
  const [loud, quiet] = await Promise.all([
    callTool(app, "log", {}, wants("debug")),
    callTool(app, "log"),
  ]);
  assert.equal(loud.notifications.length, 5);
  assert.equal(quiet.notifications.length, 0);
});

Deno.test("what is logged after the answer fails nothing and goes to no client", async () => {
  let kept: Context["log"] | undefined;
  const app = createApp({
    name: "late",
    version: "1.0.0",
    state: memoryState(),
    logLevel: "debug",
    tools: [
      tool("keep", {
        handler(_args, ctx) {
          kept = ctx.log;
          ctx.log.info("in time");
        },
      }),
    ],
  });
  const first = await callTool(app, "keep", {}, wants("debug"));
  kept?.info("late");
  const second = await callTool(app, "keep", {}, wants("debug"));
  assert.equal(first.notifications.length, 1);
  assert.equal(second.notifications.length, 1);
});
