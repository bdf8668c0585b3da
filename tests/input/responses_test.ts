import assert from "node:assert/strict";
import type { StandardSchemaV1 } from "@modelcontextprotocol/server";
import { z } from "zod";
import { acceptedContent, inputResponse } from "../../input/mod.ts";

const Form = z.object({ confirm: z.boolean(), n: z.int().min(1).max(5) });
const content = { confirm: true, n: 3 };

/** Answers as they come off the wire. */
function received(json: string): Record<string, unknown> {
  return JSON.parse(json);
}

Deno.test("acceptedContent() gives an accepted answer that passes its schema", () => {
  const responses = { ask: { action: "accept", content } };
  assert.deepEqual(acceptedContent(responses, "ask", Form), content);
  assert.deepEqual(acceptedContent(responses, "ask"), content);
});

const NO_DATA: Record<string, Record<string, unknown>> = {
  "a value of the wrong type": {
    ask: { action: "accept", content: { confirm: true, n: "3" } },
  },
  "a value out of range": {
    ask: { action: "accept", content: { confirm: true, n: 6 } },
  },
  "an accept without content": { ask: { action: "accept" } },
  "an accept with null": { ask: { action: "accept", content: null } },
  "an accept with a list": { ask: { action: "accept", content: [content] } },
  "a decline with content": { ask: { action: "decline", content } },
  "a cancel with null": { ask: { action: "cancel", content: null } },
  "a cancel with content": { ask: { action: "cancel", content } },
  "another key only": { other: { action: "accept", content } },
  "an action in capitals": { ask: { action: "ACCEPT", content } },
  "an action that is no string": { ask: { action: true, content } },
  "content without an action": { ask: { content } },
  "bare content": { ask: content },
  "a list under the key": { ask: [{ action: "accept", content }] },
  "null under the key": { ask: null },
  "text under the key": { ask: '{"action":"accept"}' },
  "a prototype that accepts": received(
    `{"ask":{"__proto__":{"action":"accept","content":${
      JSON.stringify(content)
    }}}}`,
  ),
};

for (const [name, responses] of Object.entries(NO_DATA)) {
  Deno.test(`acceptedContent() gives no data for ${name}`, () => {
    assert.equal(acceptedContent(responses, "ask", Form), undefined);
  });
}

Deno.test("acceptedContent() ignores answers nobody asked for", () => {
  const responses = {
    ask: { action: "accept", content },
    more: { action: "accept", content: { confirm: false } },
  };
  assert.deepEqual(acceptedContent(responses, "ask", Form), content);
});

Deno.test("inputResponse() shows a refusal without what came with it", () => {
  for (const action of ["decline", "cancel"] as const) {
    for (const sent of [content, null, undefined, [1], "x"]) {
      const responses = { ask: { action, content: sent } };
      assert.deepEqual(inputResponse(responses, "ask"), {
        kind: "elicit",
        action,
      });
    }
  }
});

Deno.test("inputResponse() tells the four kinds apart", () => {
  const result = {
    role: "assistant",
    model: "m",
    content: { type: "text", text: "Paris" },
  };
  const responses = {
    form: { action: "accept", content },
    url: { action: "accept" },
    summary: result,
    roots: { roots: [{ uri: "file:///a" }] },
  };
  assert.deepEqual(inputResponse(responses, "form"), {
    kind: "elicit",
    action: "accept",
    content,
  });
  assert.deepEqual(inputResponse(responses, "url"), {
    kind: "elicit",
    action: "accept",
  });
  assert.deepEqual(inputResponse(responses, "summary"), {
    kind: "sampling",
    result,
  });
  assert.deepEqual(inputResponse(responses, "roots"), {
    kind: "roots",
    roots: [{ uri: "file:///a" }],
  });
  assert.deepEqual(inputResponse(responses, "later"), { kind: "missing" });
});

Deno.test("inputResponse() finds nothing in what is no map of answers", () => {
  const entry = { action: "accept", content };
  for (const responses of [undefined, null, [], [entry], "x", 1] as never[]) {
    for (const key of ["ask", "0", "length", "__proto__"]) {
      assert.deepEqual(inputResponse(responses, key), { kind: "missing" });
    }
  }
});

Deno.test("inputResponse() finds nothing under a key that only a prototype has", () => {
  for (const key of ["__proto__", "constructor", "toString", "valueOf"]) {
    assert.deepEqual(inputResponse({}, key), { kind: "missing" });
    assert.equal(acceptedContent({}, key), undefined);
  }
});

Deno.test("inputResponse() does not take an entry named __proto__ for the prototype", () => {
  const responses = received(
    '{"__proto__":{"ask":{"action":"accept","content":{}}}}',
  );
  assert.deepEqual(inputResponse(responses, "ask"), { kind: "missing" });
});

Deno.test("acceptedContent() gives what the schema makes of the content", () => {
  const schema = z.object({ n: z.coerce.number().default(7) });
  const responses = {
    given: { action: "accept", content: { n: "3", extra: 1 } },
    left: { action: "accept", content: {} },
  };
  assert.deepEqual(acceptedContent(responses, "given", schema), { n: 3 });
  assert.deepEqual(acceptedContent(responses, "left", schema), { n: 7 });
});

Deno.test("acceptedContent() refuses a schema that validates asynchronously", () => {
  const schema = z.object({
    n: z.number().refine(() => Promise.resolve(true)),
  });
  const responses = { ask: { action: "accept", content: { n: 1 } } };
  assert.throws(() => acceptedContent(responses, "ask", schema), {
    name: "TypeError",
    message: /asynchronously/,
  });
});

Deno.test("acceptedContent() survives that such a schema fails afterwards", async () => {
  const schema: StandardSchemaV1 = {
    "~standard": {
      version: 1,
      vendor: "tests",
      validate: () => Promise.reject(new Error("upstream is down")),
    },
  };
  const responses = { ask: { action: "accept", content: { n: 1 } } };
  assert.throws(() => acceptedContent(responses, "ask", schema), TypeError);
  // A rejection that nobody handles would end the process here.
  await new Promise((resolve) => setTimeout(resolve, 0));
});
