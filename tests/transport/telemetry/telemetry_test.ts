import assert from "node:assert/strict";
import { openReceiver, type ReceivedSpan } from "./receiver.ts";

const SERVER = new URL("./traced_server.ts", import.meta.url).pathname;
const ERAS = new URL("./traced_eras.ts", import.meta.url).pathname;
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "00f067aa0ba902b7";
const SERVER_KIND = 2;
const ERROR = 2;

interface Request {
  readonly id: string | number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly result?: {
    readonly structuredContent?: Readonly<Record<string, string>>;
    readonly content?: readonly { readonly text: string }[];
    readonly resultType: string;
  };
}

function call(
  name: string,
  args: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
): Request {
  const params = { name, arguments: args, _meta: meta };
  return { id: `call ${name}`, method: "tools/call", params };
}

/** Runs a program in a process of its own, and gives what it writes. */
async function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", ...args],
    env: { OTEL_DENO: "false", ...env },
  });
  const { success, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  assert.ok(success, text.decode(stderr));
  return text.decode(stdout);
}

/** Runs the server, which answers the requests. */
async function serve(
  requests: readonly Request[],
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<Answer[]> {
  return JSON.parse(
    await run([...args, SERVER, JSON.stringify(requests)], env),
  );
}

function traced(url: string): Record<string, string> {
  return {
    OTEL_DENO: "true",
    OTEL_DENO_CONSOLE: "ignore",
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  };
}

Deno.test("calls are told to OpenTelemetry after its conventions for MCP", async (t) => {
  await using receiver = openReceiver();
  const traceparent = `00-${TRACE}-${SPAN}-01`;
  const requests: Request[] = [
    call("ids", {}, { traceparent, tracestate: "rojo=1" }),
    call("fails", { how: "meant" }, { traceparent: "00-bad" }),
    call("fails", { how: "fault" }),
    call("fails", { how: "result" }),
    call("fails", { how: 7 }),
    call("fails", { how: "hostile" }),
    call("asks"),
    call("bad_key"),
    call("baggage", {}, { baggage: "userId=alice,serverNode=DF%2028" }),
    { id: 8, method: "prompts/get", params: { name: "hello" } },
    { id: 9, method: "resources/read", params: { uri: "note://7" } },
    { id: 10, method: "resources/read", params: { uri: "note://gone" } },
    { id: 11, method: "resources/read", params: { uri: "note://broken" } },
  ];
  const answers = await serve(requests, traced(receiver.url));
  const ours = receiver.spans.filter(({ scope }) => scope === "@parley/mcp");
  const named = (name: string) => ours.filter((span) => span.name === name);
  const only = (name: string): ReceivedSpan => {
    const spans = named(name);
    assert.equal(spans.length, 1, name);
    return spans[0]!;
  };

  await t.step("each run of a handler has one span, named after it", () => {
    const names = ours.map(({ name }) => name)
      .filter((name) => !name.startsWith("state "));
    assert.deepEqual(names.sort(), [
      "prompts/get hello",
      "resources/read note",
      "resources/read note",
      "resources/read note",
      "tools/call asks",
      "tools/call bad_key",
      "tools/call baggage",
      "tools/call fails",
      "tools/call fails",
      "tools/call fails",
      "tools/call fails",
      "tools/call fails",
      "tools/call ids",
    ]);
  });

  await t.step("a span carries the attributes of the conventions", () => {
    const { attributes, kind, status } = only("tools/call ids");
    const { "parley.request.id": requestId, ...rest } = attributes;
    assert.equal(typeof requestId, "string");
    assert.deepEqual(rest, {
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": "2026-07-28",
      "gen_ai.tool.name": "ids",
      "gen_ai.operation.name": "execute_tool",
      "jsonrpc.request.id": "call ids",
      "network.transport": "tcp",
      "network.protocol.name": "http",
    });
    assert.equal(kind, SERVER_KIND);
    assert.notEqual(status, ERROR);
    assert.equal(
      only("prompts/get hello").attributes["gen_ai.prompt.name"],
      "hello",
    );
    assert.deepEqual(
      named("resources/read note").map(({ attributes }) =>
        attributes["mcp.resource.uri"]
      ),
      ["note://7", "note://gone", "note://broken"],
    );
  });

  await t.step(
    "the caller's span is the parent, what is around it a link",
    () => {
      const span = only("tools/call ids");
      assert.equal(span.traceId, TRACE);
      assert.equal(span.parentSpanId, SPAN);
      const http = receiver.spans.filter((one) =>
        one.scope === "deno" && one.kind === SERVER_KIND
      );
      assert.equal(span.links.length, 1);
      assert.ok(http.some(({ spanId }) => spanId === span.links[0]));
    },
  );

  await t.step(
    "without a well-formed parent, what is around it is the parent",
    () => {
      for (const span of named("tools/call fails")) {
        assert.notEqual(span.traceId, TRACE);
        assert.deepEqual(span.links, []);
        const parent = receiver.spans.find(({ spanId }) =>
          spanId === span.parentSpanId
        );
        assert.equal(parent?.scope, "deno");
      }
    },
  );

  await t.step(
    "ctx.traceId and ctx.spanId name the span the handler runs in",
    () => {
      const { spanId } = only("tools/call ids");
      assert.deepEqual(answers[0]?.result?.structuredContent, {
        traceId: TRACE,
        spanId,
        active: spanId,
      });
    },
  );

  await t.step("operations on state are spans below the handler's", () => {
    const parent = only("tools/call ids").spanId;
    const below = ours.filter(({ parentSpanId }) => parentSpanId === parent);
    assert.deepEqual(below.map(({ name }) => name).sort(), [
      "state get",
      "state set",
    ]);
    const failed = ours.find(({ parentSpanId }) =>
      parentSpanId === only("tools/call bad_key").spanId
    );
    assert.equal(failed?.status, ERROR);
    assert.equal(failed?.attributes["error.type"], "422");
  });

  await t.step("baggage of the request reaches the handler", () => {
    assert.deepEqual(
      JSON.parse(answers[8]?.result?.content?.[0]?.text ?? ""),
      [["userId", "alice"], ["serverNode", "DF 28"]],
    );
  });

  await t.step("a round that waits for input is no error", () => {
    assert.equal(answers[6]?.result?.resultType, "input_required");
    const { status, attributes, events } = only("tools/call asks");
    assert.notEqual(status, ERROR);
    assert.equal(attributes["parley.input_required"], true);
    assert.equal(attributes["error.type"], undefined);
    assert.deepEqual(events, []);
  });

  await t.step("a failed tool is an error, whoever says so", () => {
    for (const span of named("tools/call fails")) {
      assert.equal(span.status, ERROR);
      assert.equal(span.attributes["error.type"], "tool_error");
      assert.equal(span.attributes["rpc.response.status_code"], undefined);
    }
  });

  await t.step("a JSON-RPC error carries its code", () => {
    const [good, gone, broken] = named("resources/read note");
    assert.notEqual(good?.status, ERROR);
    assert.equal(gone?.status, ERROR);
    assert.equal(gone?.statusMessage, "No such note");
    assert.equal(gone?.attributes["error.type"], "-32602");
    assert.equal(gone?.attributes["rpc.response.status_code"], "-32602");
    assert.equal(broken?.attributes["error.type"], "-32603");
  });

  await t.step(
    "only a fault records an exception, with its secrets masked",
    () => {
      const events = named("tools/call fails").flatMap(({ events }) => events);
      assert.equal(events.length, 1);
      const [{ name, attributes } = assert.fail()] = events;
      assert.equal(name, "exception");
      assert.equal(
        attributes["exception.message"],
        "boom password=[REDACTED]",
      );
      assert.match(String(attributes["exception.stacktrace"]), /traced_server/);
      assert.ok(!JSON.stringify(receiver.spans).includes("hunter2"));
    },
  );

  await t.step(
    "durations and sizes are measured by operation and outcome",
    () => {
      const durations = receiver.measures.filter(({ name }) =>
        name === "mcp.server.operation.duration"
      );
      const [ids] = durations.filter(({ attributes }) =>
        attributes["gen_ai.tool.name"] === "ids"
      );
      assert.equal(ids?.unit, "s");
      assert.equal(ids?.count, 1);
      assert.ok(ids.sum > 0 && ids.sum < 60);
      assert.deepEqual(ids?.bounds.slice(0, 3), [0.01, 0.02, 0.05]);
      assert.deepEqual(ids?.attributes, {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "gen_ai.tool.name": "ids",
        "gen_ai.operation.name": "execute_tool",
        "network.transport": "tcp",
        "network.protocol.name": "http",
      });
      const failed = durations.filter(({ attributes }) =>
        attributes["gen_ai.tool.name"] === "fails"
      );
      assert.deepEqual(
        failed.map((
          { attributes, count },
        ) => [attributes["error.type"], count]),
        [["tool_error", 5]],
      );
      const sizes = receiver.measures.filter(({ attributes, name }) =>
        name === "parley.server.response.size" &&
        attributes["gen_ai.prompt.name"] === "hello"
      );
      assert.equal(sizes.length, 1);
      assert.ok(sizes[0]!.sum > 50);
    },
  );
});

Deno.test("calls of a session and of a stream are told apart", async () => {
  await using receiver = openReceiver();
  const text = await run([ERAS], traced(receiver.url));
  const session = text.trim().split(" ")[1];
  const ours = receiver.spans.filter(({ scope }) => scope === "@parley/mcp");
  const rounds = ours.filter(({ name }) => name === "tools/call asks");
  assert.deepEqual(
    rounds.map(({ status, attributes }) => [
      status === ERROR,
      attributes["parley.input_required"],
      attributes["mcp.session.id"],
      attributes["mcp.protocol.version"],
      attributes["network.transport"],
    ]),
    [
      [false, true, session, "2025-06-18", "tcp"],
      [false, undefined, session, "2025-06-18", "tcp"],
    ],
  );
  const [line, ...more] = ours.filter(({ name }) =>
    name === "tools/call plain"
  );
  assert.deepEqual(more, []);
  assert.equal(line?.attributes["network.transport"], "pipe");
  assert.equal(line?.attributes["network.protocol.name"], undefined);
  assert.equal(line?.attributes["jsonrpc.request.id"], "line-1");
  assert.equal(line?.attributes["mcp.session.id"], undefined);
});

Deno.test("without OpenTelemetry there are no ids, and its library is not loaded", async () => {
  const { imports, ...rest } = JSON.parse(
    await Deno.readTextFile(new URL("../../../deno.json", import.meta.url)),
  );
  const file = await Deno.makeTempFile({ suffix: ".json" });
  try {
    // Whoever loads it ends the process, and this test.
    const broken = "data:text/javascript,Deno.exit(3)";
    const config = {
      unstable: rest.unstable,
      imports: { ...imports, "@opentelemetry/api": broken },
    };
    await Deno.writeTextFile(file, JSON.stringify(config));
    const requests: Request[] = [
      { id: 1, method: "prompts/get", params: { name: "hello" } },
      call("asks"),
    ];
    const answers = await serve(requests, {}, ["--config", file, "--no-lock"]);
    assert.equal(answers[0]?.result?.resultType, "complete");
    assert.equal(answers[1]?.result?.resultType, "input_required");
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("ctx.traceId and ctx.spanId are undefined with tracing off", async () => {
  const [answer] = await serve([call("ids")], {});
  assert.deepEqual(answer?.result?.structuredContent, {});
});
