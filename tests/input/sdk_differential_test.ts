import assert from "node:assert/strict";
import {
  acceptedContent as sdkAcceptedContent,
  inputRequired as sdkInputRequired,
  inputResponse as sdkInputResponse,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import fc from "fast-check";
import {
  acceptedContent,
  inputRequired,
  inputResponse,
  type InputResponseView,
} from "../../input/mod.ts";
import { jsonSchemas } from "./json_schemas.ts";
import { schemaGiving } from "./standard_schemas.ts";
import {
  contentsFor,
  type FormCase,
  formCases,
  schemaOf,
} from "./zod_schemas.ts";

// Differences from the SDK that are kept on purpose. Everything else is the same.
//
// 1. A key that only a prototype has, such as "constructor", is missing. The
//    SDK reads it off the prototype, where a function or an object may be.
// 2. A declined or cancelled answer shows no content. The SDK passes on what
//    the client put there, which nobody agreed to.
// 3. An array of answers holds none. The SDK reads its indexes as keys.
// 4. A plain JSON Schema without `type: "object"` and `properties`, which no
//    client can take, is refused. The SDK sends it. (form_schema_test.ts)
// 5. inputRequired() refuses requests of an unknown method and a state that is
//    no string when the result is built. The SDK refuses them when the result
//    is sent. (input_required_test.ts)
// 6. inputRequired.elicitUrl() refuses what is no absolute URL, which the
//    specification does not let a server send. (input_required_test.ts)

type Outcome = { value: unknown } | { thrown: unknown };

function outcomeOf(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (thrown) {
    return { thrown };
  }
}

function assertSameOutcome(own: Outcome, sdk: Outcome): void {
  if ("thrown" in sdk) {
    assert("thrown" in own && own.thrown instanceof TypeError);
    assert(sdk.thrown instanceof TypeError);
  } else {
    assert.deepEqual(own, sdk);
  }
}

function assertSameForm(requestedSchema: StandardSchemaWithJSON): Outcome {
  const params = { message: "m", requestedSchema };
  const own = outcomeOf(() => inputRequired.elicit(params));
  const sdk = outcomeOf(() => sdkInputRequired.elicit(params));
  assertSameOutcome(own, sdk);
  // The order of the fields is the order of the form.
  if ("value" in own && "value" in sdk) {
    assert.deepEqual(fieldsOf(own.value), fieldsOf(sdk.value));
  }
  return own;
}

function fieldsOf(request: unknown): string[] {
  const { params } = request as { params: { requestedSchema: object } };
  const { properties } = params.requestedSchema as { properties: object };
  return Object.keys(properties);
}

Deno.test("elicit() gives the SDK's request for generated zod schemas, or both throw", () => {
  const counts = { sent: 0, refused: 0 };
  fc.assert(
    fc.property(formCases, (form) => {
      const outcome = assertSameForm(schemaOf(form) as StandardSchemaWithJSON);
      counts["value" in outcome ? "sent" : "refused"]++;
    }),
    { numRuns: 1_500 },
  );
  // A generator that only ever makes one kind would compare nothing.
  assert(counts.sent > 100 && counts.refused > 100, JSON.stringify(counts));
});

Deno.test("elicit() gives the SDK's request for what any library may convert to, or both throw", () => {
  const counts = { sent: 0, refused: 0 };
  fc.assert(
    fc.property(jsonSchemas, (root) => {
      const outcome = assertSameForm(schemaGiving(root));
      counts["value" in outcome ? "sent" : "refused"]++;
    }),
    { numRuns: 3_000 },
  );
  assert(counts.sent > 100 && counts.refused > 100, JSON.stringify(counts));
});

const KEYS = ["name", "constructor", "__proto__", "toString", "0"];

/** Answers as they come: parsed from JSON. */
function parsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function answersFor(content: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const entry = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ action: fc.constant("accept"), content }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        action: fc.constantFrom("decline", "cancel", "ACCEPT", "", 1, null),
        content,
      }, { requiredKeys: ["action"] }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        action: fc.constantFrom("accept", "decline"),
        roots: fc.constantFrom([], [{ uri: "file:///a" }], "none"),
        role: fc.constantFrom("assistant", 1),
        content: fc.oneof(content, fc.constant({ type: "text", text: "t" })),
        model: fc.constant("m"),
      }, { requiredKeys: [] }),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
  return fc.oneof(
    { weight: 8, arbitrary: fc.dictionary(fc.constantFrom(...KEYS), entry) },
    { weight: 1, arbitrary: fc.array(entry, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, "x", 1) },
  ).map((answers) => answers === undefined ? undefined : parsed(answers));
}

interface Reading {
  form: FormCase;
  answers: unknown;
}

const readings: fc.Arbitrary<Reading> = formCases.chain((form) =>
  fc.record({
    form: fc.constant(form),
    answers: answersFor(contentsFor(form)),
  })
);

/** Whether differences 1 and 3 decide. */
function holdsNone(answers: unknown, key: string): boolean {
  return Array.isArray(answers) || typeof answers !== "object" ||
    answers === null || !Object.hasOwn(answers, key);
}

function expectedView(answers: unknown, key: string): InputResponseView {
  if (holdsNone(answers, key)) return { kind: "missing" };
  const view = sdkInputResponse(answers as Record<string, unknown>, key);
  // Difference 2.
  return view.kind === "elicit" && view.action !== "accept"
    ? { kind: "elicit", action: view.action }
    : view;
}

Deno.test("inputResponse() reads generated answers as the SDK does", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(readings, fc.constantFrom(...KEYS), ({ answers }, key) => {
      const view = inputResponse(answers as Record<string, unknown>, key);
      assert.deepEqual(view, expectedView(answers, key));
      seen.add(view.kind === "elicit" ? view.action : view.kind);
    }),
    { numRuns: 2_000 },
  );
  assert.deepEqual(
    [...seen].sort(),
    ["accept", "cancel", "decline", "missing", "roots", "sampling"],
  );
});

Deno.test("acceptedContent() reads generated answers to generated schemas as the SDK does", () => {
  const counts = { read: 0, none: 0 };
  fc.assert(
    fc.property(
      readings,
      fc.constantFrom("name", ...KEYS),
      ({ form, answers }, key) => {
        const responses = answers as Record<string, unknown>;
        const schema = schemaOf(form);
        const own = outcomeOf(() => acceptedContent(responses, key, schema));
        const sdk: Outcome = holdsNone(answers, key)
          ? { value: undefined }
          : outcomeOf(() => sdkAcceptedContent(responses, key, schema));
        assertSameOutcome(own, sdk);
        assert.deepEqual(
          acceptedContent(responses, key),
          holdsNone(answers, key)
            ? undefined
            : sdkAcceptedContent(responses, key),
        );
        const { value } = own as { value: unknown };
        counts[value === undefined ? "none" : "read"]++;
      },
    ),
    { numRuns: 2_000 },
  );
  assert(counts.read > 100 && counts.none > 100, JSON.stringify(counts));
});
