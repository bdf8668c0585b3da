import assert from "node:assert/strict";
import type { ClientCapabilities } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { inputResponse } from "../../input/mod.ts";
import { filterResponses } from "../../input/filter_responses.ts";

const form = { action: "accept", content: { ok: true } };
const emptyForm = { action: "accept", content: {} };
const page = { action: "accept" };
const decline = { action: "decline" };
const cancel = { action: "cancel", content: null };
const said = {
  role: "assistant",
  model: "m",
  content: { type: "text", text: "t" },
};
const saidMany = { ...said, content: [{ type: "text", text: "t" }] };
const used = {
  ...said,
  content: [
    { type: "text", text: "t" },
    { type: "tool_use", id: "1", name: "t", input: {} },
  ],
};
const usedOne = {
  ...said,
  content: { type: "tool_result", toolUseId: "1", content: [] },
};
const roots = { roots: [{ uri: "file:///a" }] };

const ANSWERS = {
  form,
  emptyForm,
  page,
  decline,
  cancel,
  said,
  saidMany,
  used,
  usedOne,
  roots,
};

type Name = keyof typeof ANSWERS;

const ROWS: [declared: unknown, kept: Name[]][] = [
  [undefined, []],
  [{}, []],
  [{ elicitation: {} }, ["form", "emptyForm", "page", "decline", "cancel"]],
  [
    { elicitation: { form: {} } },
    ["form", "emptyForm", "page", "decline", "cancel"],
  ],
  [{ elicitation: { url: {} } }, ["page", "decline", "cancel"]],
  [{ sampling: {} }, ["said", "saidMany"]],
  [{ sampling: { tools: {} } }, ["said", "saidMany", "used", "usedOne"]],
  [{ roots: {} }, ["roots"]],
  [{ roots: { listChanged: true }, sampling: {} }, [
    "said",
    "saidMany",
    "roots",
  ]],
  [{ elicitation: true, sampling: null, roots: [] }, []],
  [{ extensions: { elicitation: {} } }, []],
];

for (const [declared, kept] of ROWS) {
  Deno.test(`filterResponses() keeps what ${JSON.stringify(declared)} covers`, () => {
    const { responses, dropped } = filterResponses(
      ANSWERS,
      declared as ClientCapabilities | undefined,
    );
    assert.deepEqual(Object.keys(responses), kept);
    assert.deepEqual(
      dropped,
      Object.keys(ANSWERS).filter((name) => !kept.includes(name as Name)),
    );
  });
}

const ALL: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

Deno.test("filterResponses() reports entries that are wrapped in a message", () => {
  const wrapped = {
    result: { result: form },
    method: { method: "elicitation/create", result: form },
    message: { jsonrpc: "2.0", id: 1, result: form },
    both: { ...form, method: "elicitation/create" },
    error: { jsonrpc: "2.0", id: 1, error: { code: 1, message: "no" } },
    bare: form,
  };
  const { responses, dropped } = filterResponses(wrapped, ALL);
  assert.deepEqual(Object.entries(responses), [["bare", form]]);
  assert.deepEqual(dropped, ["result", "method", "message", "both", "error"]);
});

Deno.test("filterResponses() drops what is of no known kind", () => {
  const strange = {
    a: null,
    b: "accept",
    c: 1,
    d: [form],
    e: {},
    f: { action: "ACCEPT", content: { ok: true } },
    g: { content: { ok: true } },
    h: { role: "assistant" },
    i: { roots: "file:///a" },
    j: JSON.parse('{"__proto__":{"action":"accept"}}'),
  };
  const { responses, dropped } = filterResponses(strange, ALL);
  assert.deepEqual(Object.keys(responses), []);
  assert.deepEqual(dropped, Object.keys(strange));
});

Deno.test("filterResponses() reads what is no object as no answers", () => {
  for (const responses of [undefined, null, [], [form], 1, "x", true]) {
    const filtered = filterResponses(responses, ALL);
    assert.deepEqual(Object.keys(filtered.responses), []);
    assert.deepEqual(filtered.dropped, []);
  }
});

Deno.test("filterResponses() leaves no content in a refusal", () => {
  const sent = {
    no: { action: "decline", content: { ok: true }, _meta: { a: 1 } },
    never: { action: "cancel", content: "ok" },
  };
  const { responses } = filterResponses(sent, ALL);
  assert.deepEqual(Object.entries(responses), [
    ["no", { action: "decline", _meta: { a: 1 } }],
    ["never", { action: "cancel" }],
  ]);
  assert.deepEqual(sent.no.content, { ok: true });
});

Deno.test("filterResponses() gives a map without a prototype", () => {
  const sent = JSON.parse(
    '{"__proto__":{"action":"accept"},"constructor":{"action":"decline"}}',
  );
  const { responses } = filterResponses(sent, ALL);
  assert.equal(Object.getPrototypeOf(responses), null);
  assert.deepEqual(Object.keys(responses), ["__proto__", "constructor"]);
  assert.deepEqual(inputResponse(responses, "constructor"), {
    kind: "elicit",
    action: "decline",
  });
  assert.equal(responses["toString"], undefined);
});

Deno.test("filterResponses() keeps or reports every entry, and reads none that it dropped", () => {
  const entry = fc.oneof(
    fc.constantFrom(...Object.values(ANSWERS)),
    fc.jsonValue(),
  );
  const declared = fc.record({
    elicitation: fc.constantFrom({}, { form: {} }, { url: {} }, null),
    sampling: fc.constantFrom({}, { tools: {} }),
    roots: fc.constant({}),
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), entry), declared, (sent, caps) => {
      const { responses, dropped } = filterResponses(
        sent,
        caps as ClientCapabilities,
      );
      assert.deepEqual(
        [...Object.keys(responses), ...dropped].sort(),
        Object.keys(sent).sort(),
      );
      for (const key of dropped) {
        assert.equal(inputResponse(responses, key).kind, "missing");
      }
      for (const key of Object.keys(responses)) {
        assert.notEqual(inputResponse(responses, key).kind, "missing");
      }
    }),
  );
});
