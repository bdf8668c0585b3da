import assert from "node:assert/strict";

const ROOT = new URL("../../../", import.meta.url);

interface Ended {
  readonly code: number;
  readonly printed: string;
  /** What it wrote to the standard error stream as JSON, line by line. */
  readonly lines: Record<string, unknown>[];
}

/** Runs a program that has `app`, `call()` and what `mod.ts` exports. */
async function run(
  program: string,
  { imports = "", map }: { imports?: string; map?: Record<string, string> } =
    {},
): Promise<Ended> {
  const directory = await Deno.makeTempDir();
  try {
    const config = JSON.parse(
      await Deno.readTextFile(new URL("deno.json", ROOT)),
    );
    const path = `${directory}/deno.json`;
    await Deno.writeTextFile(
      path,
      JSON.stringify({ imports: { ...config.imports, ...map } }),
    );
    await Deno.writeTextFile(
      `${directory}/main.ts`,
      `${imports}
import * as parley from ${JSON.stringify(new URL("mod.ts", ROOT).href)};
const { configureLogging, createApp, logger, setSensitiveFields, tool } = parley;
const state = parley.memoryState();
const version = "2026-07-28";
let handler = (_args: unknown, _ctx: parley.Context): string => "";
const app = createApp({
  name: "test", version: "1.0.0", state,
  tools: [tool("work", { handler: (args, ctx) => handler(args, ctx) })],
});
const call = async () => {
  const response = await app.fetch(new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json", "mcp-protocol-version": version,
      "mcp-method": "tools/call", "mcp-name": "work",
    },
    body: JSON.stringify({
      jsonrpc: "2.0", id: 1, method: "tools/call",
      params: { name: "work", _meta: {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      } },
    }),
  }));
  return await response.text();
};
${program}`,
    );
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--no-lock", "main.ts"],
      cwd: directory,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "null",
    }).output();
    const printed = new TextDecoder().decode(stderr);
    const lines = printed.split("\n").filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
    return { code, printed, lines };
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const ENDINGS: Record<string, [program: string, code: number]> = {
  "Deno.exit()": ["Deno.exit(0);", 0],
  "an error that nobody takes": ['throw new Error("boom");', 1],
  "an error in a timer": [
    'setTimeout(() => { throw new Error("boom"); }); await new Promise(() => {});',
    1,
  ],
  "a rejection that nobody takes": ['Promise.reject(new Error("boom"));', 1],
  "nothing left to do": ["", 0],
};

for (const [ending, [program, expected]] of Object.entries(ENDINGS)) {
  Deno.test(`a line that was just logged is not lost to ${ending}`, async () => {
    const { code, lines, printed } = await run(`
      configureLogging();
      setSensitiveFields(["shoe"]);
      logger.debug("below the level");
      logger.info("Hello, password=hunter2", parley.withExtra(
        parley.createRequestContext({ operation: "test" }),
        { apiKey: "hunter2", shoeSize: "hunter2", n: 1, deep: ["sk-hunter2abcdefghijkl1234"] },
      ));
      ${program}
    `);
    assert.equal(code, expected, printed);
    assert.equal(lines.length, 1, printed);
    assert.partialDeepStrictEqual(lines[0], {
      level: "info",
      logger: "app",
      operation: "test",
      n: 1,
    });
    assert.match(String(lines[0]!.message), /^Hello, /);
    assert.match(String(lines[0]!.time), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.ok(!printed.includes('hunter2"'), printed);
    assert.ok(!/[=-]hunter2/.test(printed.split("\n")[0]!), printed);
  });
}

Deno.test("a handler that ends the process leaves its lines behind, in their order", async () => {
  const { lines, printed } = await run(`
    handler = (_args, ctx) => {
      ctx.log.notice("one", { n: 1 });
      ctx.log.error("two", new Error("boom"));
      Deno.exit(0);
    };
    await call();
  `);
  assert.deepEqual(lines.map(({ message }) => message), ["one", "two"]);
  assert.equal(lines[0]!.level, "notice", printed);
  assert.equal((lines[1]!.error as { message: string }).message, "boom");
});

Deno.test("what waits is written before what comes later, with its own time", async () => {
  const { lines } = await run(`
    const at: number[] = [];
    handler = (_args, ctx) => {
      at.push(Date.now());
      ctx.log.info("line " + at.length);
      return "";
    };
    for (let i = 0; i < 20; i++) {
      await call();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await app.close();
    console.error(JSON.stringify({ at }));
  `);
  const { at } = lines.pop() as unknown as { at: number[] };
  assert.deepEqual(
    lines.map(({ message }) => message),
    at.map((_, index) => `line ${index + 1}`),
  );
  for (const [index, { time }] of lines.entries()) {
    const late = Date.parse(String(time)) - at[index]!;
    assert.ok(late >= 0 && late <= 20, `${late} ms`);
  }
});

Deno.test("without LogTape lines are written all the same, and calls answered", async () => {
  const { code, lines, printed } = await run(
    `
    handler = (_args, ctx) => {
      ctx.log.info("Hello", { token: "hunter2" });
      throw parley.notFound("No such note");
    };
    for (let i = 0; i < 2; i++) {
      console.error("answer", await call());
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await app.close();
  `,
    { map: { "@logtape/logtape": "./missing.ts" } },
  );
  assert.equal(code, 0, printed);
  assert.equal(printed.match(/^answer .*No such note/gm)?.length, 2, printed);
  assert.deepEqual(lines.map(({ message }) => message), [
    "Hello",
    "Error in tools/call work",
    "Hello",
    "Error in tools/call work",
  ]);
  assert.ok(!printed.includes("hunter2"));
  assert.match(printed, /Cannot load the process log/);
});

Deno.test("an application that configured LogTape gets each line at once", async () => {
  const { lines, printed } = await run(
    `
    const own: string[] = [];
    configureSync({
      sinks: { own: ({ message }) => void own.push(message.join("")) },
      loggers: [
        { category: ["parley"], sinks: ["own"] },
        { category: ["logtape", "meta"], sinks: [] },
      ],
    });
    const counts: number[] = [];
    handler = (_args, ctx) => {
      ctx.log.info("Hello");
      counts.push(own.length);
      return "";
    };
    const configured = configureLogging();
    await call();
    await call();
    console.error(JSON.stringify({ own, counts, configured }));
  `,
    { imports: 'import { configureSync } from "@logtape/logtape";' },
  );
  assert.deepEqual(lines, [
    { own: ["Hello", "Hello"], counts: [1, 2], configured: false },
  ], printed);
});

Deno.test("an application that configures LogTape before it is needed comes first", async () => {
  const { lines, printed } = await run(`
    const first = configureLogging();
    const second = configureLogging({ level: "error" });
    const { configureSync } = await import("@logtape/logtape");
    const own: string[] = [];
    let took = true;
    try {
      configureSync({
        sinks: { own: ({ message }) => void own.push(message.join("")) },
        loggers: [
          { category: ["parley"], sinks: ["own"] },
          { category: ["logtape", "meta"], sinks: [] },
        ],
      });
    } catch { took = false; }
    handler = (_args, ctx) => { ctx.log.info("Hello"); return ""; };
    await call();
    await app.close();
    console.error(JSON.stringify({ first, second, took, own: own.length }));
  `);
  const { own, took, ...results } = lines.at(-1)!;
  assert.deepEqual(results, { first: true, second: false }, printed);
  // Whoever of the two is first writes the line, and nobody else.
  assert.deepEqual([own, lines.length], took ? [1, 1] : [0, 2], printed);
});

Deno.test("an application's own configuration gets what waits at the end", async () => {
  const { lines, printed } = await run(`
    const { configureSync } = await import("@logtape/logtape");
    configureSync({
      sinks: { own: ({ message, timestamp }) =>
        console.error(JSON.stringify({ own: message.join(""), timestamp })) },
      loggers: [
        { category: ["app"], sinks: ["own"] },
        { category: ["logtape", "meta"], sinks: [] },
      ],
    });
    logger.info("Hello");
    Deno.exit(0);
  `);
  assert.equal(lines.length, 1, printed);
  assert.equal(lines[0]!.own, "Hello");
});
