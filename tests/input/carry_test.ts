import assert from "node:assert/strict";
import fc from "fast-check";
import { McpError } from "../../errors.ts";
import { MAX_CARRIED_BYTES } from "../../input/mod.ts";
import { packCarry, unpackCarry } from "../../input/carry.ts";

const PREFIX = packCarry({ answers: {} }).replace(/\{.*$/, "");

/** What arrives after a client has echoed the string. */
function echoed(packed: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ packed }));
  return JSON.parse(new TextDecoder().decode(bytes)).packed;
}

/** Any string: ill-formed ones, look-alikes and packs of packs among them. */
const states = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) =>
    String.fromCharCode(...units)
  ),
  fc.string().map((rest) => PREFIX + rest),
  fc.constantFrom(
    "",
    PREFIX,
    `${PREFIX}{}`,
    `${PREFIX}{"answers":{}}`,
    `${PREFIX}{"state":"other","answers":{"a":1}}`,
    packCarry({
      state: packCarry({ state: "s", answers: { a: 1 } }),
      answers: {},
    }),
  ),
);

const answers = fc.dictionary(
  fc.oneof(fc.string({ unit: "binary" }), fc.constant("constructor")),
  fc.jsonValue({ stringUnit: "binary" }),
  { noNullPrototype: false },
);

function entriesOf(record: object): unknown {
  return JSON.parse(JSON.stringify(Object.entries(record)));
}

Deno.test("packCarry() and unpackCarry() give back any state and any answers, through JSON and UTF-8", () => {
  fc.assert(
    fc.property(
      fc.option(states, { nil: undefined }),
      answers,
      (state, given) => {
        const packed = packCarry({ state, answers: given });
        const back = unpackCarry(echoed(packed));
        assert.equal(back.state, state);
        assert.deepEqual(entriesOf(back.answers), entriesOf(given));
      },
    ),
    { numRuns: 1_000 },
  );
});

Deno.test("packCarry() does not touch a handler's own state when there is nothing to carry", () => {
  for (
    const state of ["", "job-7", '{"step":"confirmed"}', "v1.e30.c2ln", "é🔑"]
  ) {
    assert.equal(packCarry({ state, answers: {} }), state);
    assert.deepEqual(unpackCarry(state).state, state);
  }
});

Deno.test("unpackCarry() finds neither state nor answers when nothing came", () => {
  const { state, answers } = unpackCarry(undefined);
  assert.equal(state, undefined);
  assert.deepEqual(Object.keys(answers), []);
});

Deno.test("unpackCarry() reads a malformed pack as the handler's own state", () => {
  const malformed = [
    PREFIX,
    `${PREFIX}{`,
    `${PREFIX}null`,
    `${PREFIX}[]`,
    `${PREFIX}{"state":"s"}`,
    `${PREFIX}{"state":1,"answers":{}}`,
    `${PREFIX}{"answers":[]}`,
    `${PREFIX}{"answers":null}`,
    ` ${PREFIX}{"answers":{"a":1}}`,
    PREFIX.toUpperCase() + '{"answers":{"a":1}}',
  ];
  for (const state of malformed) {
    const back = unpackCarry(state);
    assert.equal(back.state, state);
    assert.deepEqual(Object.keys(back.answers), []);
  }
});

Deno.test("unpackCarry() gives answers without a prototype", () => {
  const { answers } = unpackCarry(
    `${PREFIX}{"answers":{"__proto__":{"action":"accept"}}}`,
  );
  assert.equal(Object.getPrototypeOf(answers), null);
  assert.deepEqual(Object.keys(answers), ["__proto__"]);
  assert.equal(answers["action"], undefined);
});

Deno.test("packCarry() keeps the answers to ten questions small", () => {
  const answers = Object.fromEntries(
    Array.from({ length: 10 }, (_, i) => [
      `question${i}`,
      { action: "accept", content: { name: "analytics", size: i, ok: true } },
    ]),
  );
  assert(packCarry({ answers }).length < 1_000);
});

Deno.test("packCarry() carries answers up to the limit, whatever the state, and says the size past it", () => {
  const spare = MAX_CARRIED_BYTES - '{"a":""}'.length;
  const state = "s".repeat(2 * MAX_CARRIED_BYTES);
  const most = { a: "x".repeat(spare) };
  assert.equal(unpackCarry(packCarry({ state, answers: most })).state, state);
  assert.equal(unpackCarry(packCarry({ state, answers: {} })).state, state);
  // Two bytes in UTF-8, one unit in a string.
  const more = { a: "x".repeat(spare - 1) + "é" };
  assert.throws(() => packCarry({ state, answers: more }), (error: unknown) => {
    assert(error instanceof McpError);
    assert.equal(error.code, 422);
    assert.match(error.message, /65537 bytes, want at most 65536/);
    assert.equal(error.data?.["reason"], "carried_answers_too_large");
    return true;
  });
});
