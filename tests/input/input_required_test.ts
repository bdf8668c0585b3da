import assert from "node:assert/strict";
import { inputRequired as sdkInputRequired } from "@modelcontextprotocol/server";
import { z } from "zod";
import { inputRequired } from "../../input/mod.ts";
import { assertInputRequired } from "../../input/input_required.ts";

const confirm = inputRequired.elicit({
  message: "Continue?",
  requestedSchema: z.object({ ok: z.boolean() }),
});

Deno.test("inputRequired() carries requests, a state, or both", () => {
  const inputRequests = { confirm };
  assert.deepEqual(inputRequired({ inputRequests }), {
    resultType: "input_required",
    inputRequests,
  });
  assert.deepEqual(inputRequired({ requestState: "s" }), {
    resultType: "input_required",
    requestState: "s",
  });
  assert.deepEqual(inputRequired({ inputRequests, requestState: "" }), {
    resultType: "input_required",
    inputRequests,
    requestState: "",
  });
  assert.deepEqual(
    inputRequired({ inputRequests: {}, requestState: "s" }),
    sdkInputRequired({ inputRequests: {}, requestState: "s" }),
  );
});

Deno.test("inputRequired() refuses to ask for nothing", () => {
  for (const spec of [{}, { inputRequests: {} }]) {
    assert.throws(() => inputRequired(spec), TypeError);
    assert.throws(() => sdkInputRequired(spec), TypeError);
  }
});

Deno.test("inputRequired() refuses what is no request, and names its key", () => {
  const requests: unknown[] = [
    undefined,
    null,
    "elicitation/create",
    {},
    { message: "Continue?", requestedSchema: {} },
    { method: "tools/call" },
    { method: "constructor" },
  ];
  for (const request of requests) {
    const spec = { inputRequests: { confirm, wrong: request } } as never;
    assert.throws(() => inputRequired(spec), /inputRequests\.wrong/);
    assert.throws(() => assertInputRequired(spec), TypeError);
  }
});

Deno.test("inputRequired() refuses a state that is no string", () => {
  for (const requestState of [null, 1, { step: 1 }, ["s"]] as never[]) {
    assert.throws(
      () => inputRequired({ inputRequests: { confirm }, requestState }),
      /`requestState` must be a string/,
    );
  }
});

Deno.test("inputRequired() refuses a key under which no answer can come back", () => {
  const inputRequests = Object.fromEntries([["__proto__", confirm]]);
  assert.throws(() => inputRequired({ inputRequests }), /__proto__/);
});

Deno.test("assertInputRequired() lets through a result that was built by hand", () => {
  assertInputRequired({
    inputRequests: {
      confirm: {
        method: "elicitation/create",
        params: {
          message: "Continue?",
          requestedSchema: { type: "object", properties: {} },
        },
      },
    },
  });
});

Deno.test("inputRequired builders give the SDK's requests for all four kinds", () => {
  const form = {
    message: "Continue?",
    requestedSchema: {
      type: "object" as const,
      properties: { ok: { type: "boolean" as const } },
      required: ["ok"],
    },
    _meta: { "example.com/origin": "test" },
  };
  const url = { message: "Sign in", url: "https://example.com/auth" };
  const sampling = {
    messages: [{
      role: "user" as const,
      content: { type: "text" as const, text: "Summarize the diff" },
    }],
    maxTokens: 200,
  };
  assert.deepEqual(
    [
      inputRequired.elicit(form),
      inputRequired.elicitUrl(url),
      inputRequired.createMessage(sampling),
      inputRequired.listRoots(),
    ],
    [
      sdkInputRequired.elicit(form),
      sdkInputRequired.elicitUrl(url),
      sdkInputRequired.createMessage(sampling),
      sdkInputRequired.listRoots(),
    ],
  );
});

Deno.test("inputRequired.elicit() leaves the schema it was given as it was", () => {
  const requestedSchema = z.object({ ok: z.boolean() });
  const params = { message: "Continue?", requestedSchema };
  inputRequired.elicit(params);
  assert.equal(params.requestedSchema, requestedSchema);
});

Deno.test("inputRequired.elicitUrl() refuses what is no absolute URL", () => {
  for (const url of ["", "/auth", "example.com", "https://"]) {
    assert.throws(
      () => inputRequired.elicitUrl({ message: "m", url }),
      TypeError,
    );
  }
});
