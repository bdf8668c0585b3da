import assert from "node:assert/strict";
import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { clientPayload } from "../../../context/log/client_payload.ts";
import { createLogFloor, type LogLevel } from "../../../context/log/levels.ts";
import {
  type ContextLogger,
  type ContextLoggerOptions,
  createContextLogger,
  type LogDelivery,
} from "../../../context/log/logger.ts";
import * as logTape from "../../../context/log/log_tape.ts";
import { useWriter } from "../../../context/log/process_log.ts";
import type { JsonObject } from "../../../context/log/to_json.ts";
import { HOSTILE_KINDS, hostileValues } from "./hostile_values.ts";

useWriter(logTape);

interface Sinks extends Disposable {
  /** What the process log got. */
  readonly records: LogRecord[];
  /** What the client got. */
  readonly sent: [level: LogLevel, payload: JsonObject][];
  readonly log: ContextLogger;
}

type SinkOptions = Partial<ContextLoggerOptions & LogDelivery>;

function openSinks(options: SinkOptions = {}): Sinks {
  const records: LogRecord[] = [];
  const sent: Sinks["sent"] = [];
  configureSync({
    sinks: { memory: (record) => records.push(record) },
    loggers: [
      { category: "parley", sinks: ["memory"], lowestLevel: "trace" },
      { category: ["logtape", "meta"], sinks: [] },
    ],
  });
  const log = createContextLogger({
    context: {},
    floor: createLogFloor("debug"),
    delivery: {
      allows: () => true,
      payloadOf: clientPayload,
      send: (level, payload) => sent.push([level, payload]),
      ...options,
    },
    ...options,
  });
  return { records, sent, log, [Symbol.dispose]: () => resetSync() };
}

Deno.test("each method writes its level to both sinks", () => {
  using sinks = openSinks();
  const { log, records, sent } = sinks;
  log.debug("a");
  log.info("b", { n: 1 });
  log.notice("c");
  log.warning("d");
  log.error("e");
  assert.deepEqual(sent, [
    ["debug", { message: "a" }],
    ["info", { message: "b", n: 1 }],
    ["notice", { message: "c" }],
    ["warning", { message: "d" }],
    ["error", { message: "e" }],
  ]);
  assert.deepEqual(
    records.map(({ level, message, properties }) => [
      level,
      message,
      properties,
    ]),
    [
      ["debug", ["a"], {}],
      ["info", ["b"], { n: 1 }],
      // LogTape has no such level.
      ["info", ["c"], { level: "notice" }],
      ["warning", ["d"], {}],
      ["error", ["e"], {}],
    ],
  );
  assert.deepEqual(records[0]!.category, ["parley", "handler"]);
});

Deno.test("one floor gates both sinks, and can move between two lines", () => {
  const floor = createLogFloor("notice");
  using sinks = openSinks({ floor });
  const { log, records, sent } = sinks;
  log.info("dropped");
  log.notice("kept");
  floor.set("error");
  log.warning("dropped");
  floor.set("info");
  log.info("kept too");
  assert.deepEqual(sent.map(([level]) => level), ["notice", "info"]);
  assert.equal(records.length, 2);
});

Deno.test("the client's own level narrows its stream and no other", () => {
  using sinks = openSinks({ allows: (level) => level === "error" });
  sinks.log.warning("a");
  sinks.log.error("b");
  assert.deepEqual(sinks.sent, [["error", { message: "b" }]]);
  assert.equal(sinks.records.length, 2);
});

Deno.test("without a way to the client only the process hears", () => {
  using sinks = openSinks({ delivery: undefined });
  sinks.log.info("a");
  assert.equal(sinks.records.length, 1);
});

Deno.test("nothing is read when no sink wants the level", () => {
  const untouchable = HOSTILE_KINDS.proxyThatThrows!() as Record<
    string,
    unknown
  >;
  let reads = 0;
  const data = {
    get a() {
      return ++reads;
    },
  };
  const log = createContextLogger({
    context: untouchable,
    floor: createLogFloor("info"),
    delivery: {
      allows: () => false,
      payloadOf: () => assert.fail("made for nobody"),
      send: () => assert.fail("sent to nobody"),
    },
  });
  log.debug("below the floor", data);
  log.info("no sink is configured", data);
  assert.equal(reads, 0);
});

Deno.test("a line carries its request, which no field can replace", () => {
  const context = {
    requestId: "r-1",
    traceId: "t-1",
    spanId: "s-1",
    tenantId: "acme",
    sessionId: "session-1",
    operation: "tools/call greet",
    extra: { attempt: 1, both: "extra", requestId: "forged" },
  };
  using sinks = openSinks({ context });
  sinks.log.info("hello", {
    both: "data",
    tenantId: "forged",
    traceId: null,
    message: "mine",
    level: 3,
  });
  const { extra: _, ...canonical } = context;
  assert.deepEqual(sinks.records[0]!.properties, {
    ...canonical,
    attempt: 1,
    both: "data",
    message: "mine",
    level: 3,
  });
});

Deno.test("a field named like what the context does not set is kept", () => {
  using sinks = openSinks({
    context: { requestId: "r-1", sessionId: undefined },
  });
  sinks.log.info("hello", { sessionId: "mine" });
  assert.deepEqual(sinks.records[0]!.properties, {
    requestId: "r-1",
    sessionId: "mine",
  });
});

Deno.test("the context is read when a line is logged", () => {
  const context: { requestId: string; spanId?: string } = { requestId: "r" };
  using sinks = openSinks({ context });
  context.spanId = "later";
  sinks.log.info("hello");
  assert.equal(sinks.records[0]!.properties.spanId, "later");
});

Deno.test("the correlation fields are for the process alone", () => {
  using sinks = openSinks({ context: { requestId: "r", extra: { a: 1 } } });
  sinks.log.info("hello");
  assert.deepEqual(sinks.sent[0]![1], { message: "hello" });
});

Deno.test("message and error on the wire are never the caller's fields", () => {
  using sinks = openSinks();
  const data = { message: "forged", error: "forged", url: "u" };
  sinks.log.error("Failed", new Error("boom"), data);
  sinks.log.info("Hello", { message: "forged" });
  sinks.log.error("No error given", undefined, { error: "mine" });
  assert.deepEqual(sinks.sent.map(([, payload]) => payload), [
    { message: "Failed", error: "boom", url: "u" },
    { message: "Hello" },
    { message: "No error given", error: "mine" },
  ]);
});

Deno.test("error() tells what was thrown from fields", () => {
  class Failure {
    message = "an instance";
  }
  using sinks = openSinks();
  const { log } = sinks;
  log.error("a", new Failure());
  log.error("b", "text");
  log.error("c", 42);
  log.error("d", null);
  log.error("e", { url: "u" });
  log.error("f", { message: "plain", code: 1 }, { url: "u" });
  log.error("g", { code: 1 }, {});
  assert.deepEqual(sinks.sent.map(([, payload]) => payload), [
    { message: "a", error: "an instance" },
    { message: "b", error: "text" },
    { message: "c", error: "42" },
    { message: "d" },
    { message: "e", url: "u" },
    { message: "f", error: "plain", url: "u" },
    { message: "g", error: '{"code":1}' },
  ]);
});

Deno.test("an Error in the place of the data is logged as an error", () => {
  using sinks = openSinks();
  sinks.log.warning("odd", new Error("boom") as unknown as JsonObject);
  assert.deepEqual(sinks.sent[0]![1], { message: "odd", error: "boom" });
});

Deno.test("only the process hears an error's stack, cause, code and data", () => {
  using sinks = openSinks();
  const error = Object.assign(
    new Error("outer", { cause: new Error("inner") }),
    { code: "E1", data: { a: 1 }, ctx: { answer: "hunter2-answer" } },
  );
  sinks.log.error("Failed", error, { nested: error });
  const logged = sinks.records[0]!.properties.error as JsonObject;
  assert.equal(logged.stack, error.stack);
  assert.equal(logged.code, "E1");
  assert.deepEqual(logged.data, { a: 1 });
  assert.equal((logged.cause as JsonObject).message, "inner");
  assert.deepEqual(sinks.sent[0]![1], {
    message: "Failed",
    error: "outer",
    nested: { name: "Error", message: "outer" },
  });
  const everything = JSON.stringify([sinks.records, sinks.sent]);
  assert.ok(!everything.includes("hunter2-answer"));
});

Deno.test("secrets are masked in both sinks, paths in the client's", () => {
  const data = {
    accessToken: "SECRET",
    deep: [{ API_KEY: "SECRET", url: "https://h/a?api_key=SECRET" }],
    file: "/home/u/app/x.ts",
    "/home/u/app": 1,
  };
  const before = structuredClone(data);
  using sinks = openSinks({ context: { extra: { password: "SECRET" } } });
  sinks.log.error(
    "Call https://h/a?token=SECRET from /home/u/app/x.ts",
    new Error("password=SECRET in /home/u/app/y.ts"),
    data,
  );
  const [record] = sinks.records;
  const processSide = JSON.stringify([record!.message, record!.properties]);
  const clientSide = JSON.stringify(sinks.sent);
  assert.ok(!processSide.includes("SECRET"), processSide);
  assert.ok(processSide.includes("/home/u/app/x.ts"));
  assert.ok(!clientSide.includes("SECRET"), clientSide);
  assert.ok(!clientSide.includes("/home/u"), clientSide);
  assert.equal(sinks.sent[0]![1].error, "password=[REDACTED] in [path]");
  assert.deepEqual(data, before, "the caller's object is not modified");
});

Deno.test("the caller's object is not kept: later changes do not show", () => {
  using sinks = openSinks();
  const data = { list: [1] };
  sinks.log.info("hello", data);
  data.list.push(2);
  assert.deepEqual(sinks.sent[0]![1].list, [1]);
  assert.deepEqual(sinks.records[0]!.properties.list, [1]);
});

Deno.test("a message is text: its braces are no template", () => {
  using sinks = openSinks({ context: { extra: { a: 1 } } });
  for (const message of ["{a} {{b}} {*} }}", "}{", "{"]) {
    sinks.log.info(message);
    assert.deepEqual(sinks.records.pop()!.message.join(""), message);
  }
});

Deno.test("a huge message and huge fields are cut in both sinks", () => {
  using sinks = openSinks();
  const huge = "x".repeat(1 << 20);
  sinks.log.error(huge, new Error(huge), { huge });
  const size = JSON.stringify(sinks.sent).length;
  assert.ok(size < 30_000, `${size} characters`);
  assert.match(String(sinks.sent[0]![1].message), /x… \[1048576 characters\]$/);
});

Deno.test("no failure of a sink reaches the handler or the other sink", async () => {
  const failures: LogDelivery["send"][] = [
    () => {
      throw new Error("closed");
    },
    () => Promise.reject(new Error("closed")),
  ];
  for (const send of failures) {
    using sinks = openSinks({ send });
    sinks.log.error("a", new Error("b"), { c: 1 });
    assert.equal(sinks.records.length, 1);
    await Promise.resolve();
  }
  const broken = HOSTILE_KINDS.proxyThatThrows!() as Record<string, unknown>;
  using sinks = openSinks({ context: broken });
  sinks.log.info("a");
  assert.deepEqual(sinks.sent, [["info", { message: "a" }]]);
});

Deno.test("500 hostile values are logged, each as one line of JSON", () => {
  using sinks = openSinks();
  const values = hostileValues(500);
  for (const value of values) {
    const data = value as Record<string, unknown>;
    sinks.log.info("as data", data);
    sinks.log.error("as error", value, { value });
    sinks.log.debug(value as string, { value });
  }
  assert.equal(sinks.sent.length, values.length * 3);
  assert.equal(sinks.records.length, values.length * 3);
  for (const [, payload] of sinks.sent) {
    assert.deepEqual(JSON.parse(JSON.stringify(payload)), payload);
    assert.equal(typeof payload.message, "string");
  }
  for (const { properties } of sinks.records) JSON.stringify(properties);
});
