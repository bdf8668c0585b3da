import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { ErrorCode, McpError, notFound } from "../../../errors.ts";
import { classifyError } from "../../../context/errors/classify.ts";
import { HOSTILE_KINDS, hostileValues } from "../log/hostile_values.ts";

async function thrownBy(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  assert.fail("nothing was thrown");
}

function named(name: string, fields: object = {}): Error {
  return Object.assign(new Error("x"), { name, ...fields });
}

const NAMES: [name: string, code: number][] = [
  ["NotFound", ErrorCode.NotFound],
  ["PermissionDenied", ErrorCode.Forbidden],
  ["NotCapable", ErrorCode.Forbidden],
  ["AlreadyExists", ErrorCode.Conflict],
  ["TimedOut", ErrorCode.Timeout],
  ["ConnectionRefused", ErrorCode.ServiceUnavailable],
  ["ConnectionReset", ErrorCode.ServiceUnavailable],
  ["TimeoutError", ErrorCode.Timeout],
  ["AbortError", ErrorCode.Timeout],
  ["DataCloneError", ErrorCode.SerializationError],
  ["TypeError", ErrorCode.InternalError],
  ["Error", ErrorCode.InternalError],
  ["Whatever", ErrorCode.InternalError],
];

Deno.test.each(NAMES)("an error named %s has the code %d", (name, code) => {
  assert.equal(classifyError(named(name)).code, code);
});

const CODES: [code: string, wanted: number][] = [
  ["ENOENT", ErrorCode.NotFound],
  ["EACCES", ErrorCode.Forbidden],
  ["EPERM", ErrorCode.Forbidden],
  ["EEXIST", ErrorCode.Conflict],
  ["ETIMEDOUT", ErrorCode.Timeout],
  ["UND_ERR_CONNECT_TIMEOUT", ErrorCode.Timeout],
  ["ECONNREFUSED", ErrorCode.ServiceUnavailable],
  ["ENOTFOUND", ErrorCode.ServiceUnavailable],
  ["ERR_OTHER", ErrorCode.InternalError],
];

Deno.test.each(CODES)("a system error %s has the code %d", (code, wanted) => {
  assert.equal(classifyError(named("Error", { code })).code, wanted);
});

Deno.test("a system error counts behind a failed fetch, and nowhere else", () => {
  const cause = named("Error", { code: "ECONNREFUSED" });
  const fetchFailed = new TypeError("fetch failed", { cause });
  const other = new Error("wrapped on purpose", { cause });
  assert.equal(classifyError(fetchFailed).code, ErrorCode.ServiceUnavailable);
  assert.equal(classifyError(other).code, ErrorCode.InternalError);
});

Deno.test("real errors of the runtime are told apart", async () => {
  const missing = new URL("./no such file", import.meta.url);
  const works: [work: () => unknown, code: number][] = [
    [() => Deno.readTextFile(missing), ErrorCode.NotFound],
    [() => readFile(missing), ErrorCode.NotFound],
    [() => AbortSignal.abort().throwIfAborted(), ErrorCode.Timeout],
    [() => structuredClone(() => {}), ErrorCode.SerializationError],
    [() => JSON.parse("{"), ErrorCode.InternalError],
    [() => (undefined as unknown as []).length, ErrorCode.InternalError],
    [() => new Array(-1), ErrorCode.InternalError],
    [() => null!, ErrorCode.InternalError],
  ];
  for (const [work, code] of works.slice(0, -1)) {
    assert.equal(classifyError(await thrownBy(work)).code, code, `${work}`);
  }
});

Deno.test("a message that names another kind changes nothing", () => {
  for (const text of ["404 not found", "Unauthorized", "timeout", "ENOENT"]) {
    assert.equal(
      classifyError(new Error(text)).code,
      ErrorCode.InternalError,
      text,
    );
  }
});

Deno.test("an McpError is given back as it is", () => {
  const error = notFound("No invoice /home/u", { reason: "no_invoice" });
  assert.equal(classifyError(error), error);
});

Deno.test("an error of the official SDK keeps its code, message and data", () => {
  const thrown = named("ProtocolError", { code: -32602, data: { a: 1 } });
  const { code, message, data, cause } = classifyError(thrown);
  assert.deepEqual([code, message, data], [-32602, "x", { a: 1 }]);
  assert.equal(cause, thrown);
  assert.equal(
    classifyError(named("McpError", { code: "x" })).code,
    ErrorCode.InternalError,
  );
});

Deno.test("zod's errors name each issue and its path", async () => {
  const schema = z.object({
    name: z.string(),
    items: z.array(z.object({ n: z.number() })),
  });
  const value = { items: [{ n: 1 }, { n: "x" }] };
  for (
    const parse of [
      () => schema.parse(value),
      () => z.core.parse(schema, value),
    ]
  ) {
    const error = classifyError(await thrownBy(parse));
    assert.equal(error.code, ErrorCode.ValidationError);
    assert.match(error.message, /^name: .+\nitems\[1\]\.n: .+$/);
    const issues = error.data!.issues as { path: string; message: string }[];
    assert.deepEqual(issues.map(({ path }) => path), ["name", "items[1].n"]);
    assert.ok(!error.message.includes("{"), "no serialized issue array");
  }
});

Deno.test("any Standard Schema library's issues count by their shape", () => {
  const issues = [{ message: "Too short", path: [{ key: "a" }, 0] }];
  const error = classifyError(named("SchemaError", { issues }));
  assert.equal(error.message, "a[0]: Too short");
  assert.equal(error.code, ErrorCode.ValidationError);
  const others = [["text"], "text", [{ message: 1 }], undefined];
  for (const issues of others) {
    assert.equal(
      classifyError(named("Error", { issues })).code,
      ErrorCode.InternalError,
    );
  }
});

Deno.test("what the client is told holds no secret, path, stack or cause", () => {
  const cause = new Error("inner SECRET");
  const ctx = { answer: "hunter2-answer" };
  const thrown = Object.assign(
    new Error("boom https://h/a?api_key=SECRET in /home/u/app/x.ts:1:2", {
      cause,
    }),
    { ctx, config: { headers: { authorization: "SECRET" } } },
  );
  const { code, message, data } = classifyError(thrown);
  assert.equal(message, "boom https://h/a?api_key=[REDACTED] in [path]");
  assert.equal(code, ErrorCode.InternalError);
  assert.equal(data, undefined);
  assert.equal(
    classifyError(new Error(thrown.stack)).message,
    "Error: boom https://h/a?api_key=[REDACTED] in [path]",
  );
});

Deno.test("what was thrown is kept as the cause, for the log", () => {
  for (const thrown of [new Error("a"), "a", 1, null, undefined, { a: 1 }]) {
    const error = classifyError(thrown);
    assert.ok("cause" in error);
    assert.equal(error.cause, thrown);
  }
});

const ODD: [name: string, thrown: unknown, message: string][] = [
  ["a string", "No luck", "No luck"],
  ["an empty string", "", "The handler failed"],
  ["undefined", undefined, "The handler threw undefined"],
  ["null", null, "The handler threw null"],
  ["a number", 42, "The handler threw 42"],
  ["an object", { a: 1 }, "The handler threw an object"],
  ["an object with a message", { message: "No luck" }, "No luck"],
  ["an error without a message", new Error(), "The handler failed"],
  ["a function", () => {}, "The handler threw a function"],
  [
    "what throws when read",
    HOSTILE_KINDS.errorThatThrows!(),
    "The handler failed",
  ],
];

for (const [name, thrown, message] of ODD) {
  Deno.test(`classifyError() has an answer to ${name}`, () => {
    const error = classifyError(thrown);
    assert.equal(error.message, message);
    assert.equal(error.code, ErrorCode.InternalError);
  });
}

Deno.test("500 hostile values each become one well-formed McpError", () => {
  for (const thrown of hostileValues(500)) {
    const error = classifyError(thrown);
    assert.ok(error instanceof McpError);
    assert.ok(Number.isInteger(error.code));
    assert.ok(error.message.length > 0 && error.message.length < 20_000);
    JSON.stringify([error.message, error.data]);
  }
});
