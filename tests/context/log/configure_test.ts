import assert from "node:assert/strict";
import {
  configureSync,
  getConfig,
  getLogger,
  resetSync,
} from "@logtape/logtape";
import {
  configureLogging,
  loadProcessLog,
} from "../../../context/log/process_log.ts";
import type { LoggingOptions } from "../../../context/log/logging_options.ts";
import { createLogFloor, type LogLevel } from "../../../context/log/levels.ts";
import { createContextLogger } from "../../../context/log/logger.ts";
import { hostileValues } from "./hostile_values.ts";

await loadProcessLog();

interface Lines extends Disposable {
  readonly lines: string[];
  readonly log: ReturnType<typeof createContextLogger>;
}

function openLines(options: LoggingOptions = {}): Lines {
  const lines: string[] = [];
  assert.ok(
    configureLogging({ write: (line) => lines.push(line), ...options }),
  );
  const log = createContextLogger({
    context: { requestId: "r-1" },
    floor: createLogFloor("debug"),
  });
  return { lines, log, [Symbol.dispose]: () => resetSync() };
}

Deno.test("production writes one JSON object a line", () => {
  using open = openLines();
  open.log.notice("Hello\nthere", { n: 1n, message: "mine", token: "t" });
  assert.equal(open.lines.length, 1);
  assert.ok(!open.lines[0]!.includes("\n"));
  const { time, ...line } = JSON.parse(open.lines[0]!);
  assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(line, {
    level: "notice",
    logger: "parley.handler",
    message: "Hello\nthere",
    requestId: "r-1",
    n: "1",
    "data.message": "mine",
    token: "[REDACTED]",
  });
});

for (const mode of ["production", "development"] as const) {
  Deno.test(`no text makes a line of ${mode} move the cursor, end or turn around`, () => {
    using open = openLines({ mode });
    // CSI, NEL, DEL, line and paragraph separators, bidirectional overrides.
    const evil = "\x1b[2J\x9b2J\x85\x7f\u2028\u2029\u202e\u2066\r\n";
    open.log.notice(`said ${evil}`, {
      [`name${evil}`]: evil,
      list: [{ deep: evil }],
    });
    open.log.error("failed", new Error(evil));
    assert.equal(open.lines.length, 2);
    for (const line of open.lines) {
      assert.doesNotMatch(
        line,
        /(?![\t\n])[\p{Cc}\u2028-\u202e\u2066-\u2069]/u,
      );
    }
    if (mode === "production") {
      assert.equal(JSON.parse(open.lines[0]!).list[0].deep, evil);
    }
  });
}

Deno.test("development writes lines to read, with the stack below", () => {
  using open = openLines({ mode: "development" });
  const error = new Error("boom");
  open.log.error("It failed", error, { url: "https://h/a" });
  const [first, ...stack] = open.lines[0]!.split("\n");
  assert.match(
    first!,
    /^\d\d:\d\d:\d\d\.\d{3} ERROR +parley\.handler +It failed .*url="https:\/\/h\/a"/,
  );
  assert.equal(stack.join("\n"), error.stack);
});

Deno.test("no value can forge a line or move the cursor of a terminal", () => {
  using open = openLines({ mode: "development" });
  open.log.info("a\nb\x1b[2Jc", { "k\n": "v\n\x1b" });
  assert.equal(open.lines[0]!.split("\n").length, 1);
  assert.ok(!open.lines[0]!.includes("\x1b"));
});

Deno.test("the app's floor gates ctx.log, the level gates other loggers", () => {
  using open = openLines({ level: "warning" });
  const other = getLogger(["shop"]);
  open.log.debug("from a handler");
  other.info("dropped");
  other.warn("kept {a}", { a: { password: "p" } });
  assert.deepEqual(
    open.lines.map((line) => JSON.parse(line).message),
    ["from a handler", 'kept {"password":"[REDACTED]"}'],
  );
});

Deno.test("other loggers' fields are redacted, by added names too", () => {
  using open = openLines({ sensitiveFields: ["iban"] });
  getLogger(["shop"]).info("paid", { ibanNumber: "x", apiKey: "y", n: 1 });
  const line = JSON.parse(open.lines[0]!);
  assert.equal(line.ibanNumber, "[REDACTED]");
  assert.equal(line.apiKey, "[REDACTED]");
  assert.equal(line.n, 1);
});

Deno.test("hostile values of other loggers do not cost a line", () => {
  for (const mode of ["development", "production"] as const) {
    using open = openLines({ mode });
    const values = hostileValues(200);
    for (const value of values) getLogger(["shop"]).info("x", { value });
    assert.equal(open.lines.length, values.length);
  }
});

Deno.test("a configuration of the application's own is left alone", () => {
  const own: unknown[] = [];
  const config = {
    sinks: { own: (record: unknown) => own.push(record) },
    loggers: [
      { category: ["parley"], sinks: ["own"] },
      { category: ["logtape", "meta"], sinks: [] },
    ],
  };
  configureSync(config);
  try {
    const write = () => assert.fail("written past the application");
    assert.equal(configureLogging({ write }), false);
    assert.equal(getConfig(), config);
    getLogger(["parley"]).info("x");
    assert.equal(own.length, 1);
  } finally {
    resetSync();
  }
});

Deno.test("wrong options are refused before anything is configured", () => {
  const level = "loud" as LogLevel;
  assert.throws(() => configureLogging({ level }), /RangeError: .*"loud"/);
  assert.throws(() => configureLogging({ sensitiveFields: [""] }), TypeError);
  assert.equal(getConfig(), null);
});

Deno.test("by default every line goes to standard error, none to output", async () => {
  const configure = import.meta.resolve("../../../context/log/process_log.ts");
  const program = `
    import { configureLogging } from ${JSON.stringify(configure)};
    import { getLogger } from "@logtape/logtape";
    configureLogging();
    const logger = getLogger(["parley", "handler"]);
    for (const level of ["debug", "info", "warn", "error"]) logger[level](level);
  `;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    cwd: new URL("../../../", import.meta.url),
  }).output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), "");
  const lines = new TextDecoder().decode(stderr).trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).message),
    ["debug", "info", "warn", "error"],
  );
});
