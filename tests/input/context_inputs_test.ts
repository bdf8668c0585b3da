import assert from "node:assert/strict";
import { z } from "zod";
import { createContextInputs } from "../../input/responses.ts";
import { filterResponses } from "../../input/filter_responses.ts";

const Answer = z.object({ format: z.enum(["json", "csv"]) });
const capabilities = { elicitation: {} };

Deno.test("createContextInputs() is empty on a first call", () => {
  const inputs = createContextInputs({ received: undefined });
  assert.deepEqual(Object.keys(inputs.responses), []);
  assert.deepEqual(inputs.dropped, []);
  assert.deepEqual(inputs.view("format"), { kind: "missing" });
  assert.equal(inputs.accepted("format"), undefined);
  assert.equal(inputs.accepted("format", Answer), undefined);
  assert.equal(inputs.state(), undefined);
});

Deno.test("createContextInputs() reads answers and state of a later round", () => {
  const inputs = createContextInputs({
    received: filterResponses({
      format: { action: "accept", content: { format: "csv" } },
      wrong: { action: "accept", content: { format: "xml" } },
      refused: { action: "decline" },
    }, capabilities),
    state: "job-7",
  });
  assert.deepEqual(inputs.accepted("format", Answer), { format: "csv" });
  assert.deepEqual(inputs.accepted("wrong"), { format: "xml" });
  assert.equal(inputs.accepted("wrong", Answer), undefined);
  assert.equal(inputs.accepted("refused", Answer), undefined);
  assert.deepEqual(inputs.view("refused"), {
    kind: "elicit",
    action: "decline",
  });
  assert.equal(inputs.state(), "job-7");
});

Deno.test("createContextInputs() shows no answer that the client did not declare, by any way", () => {
  const responses = {
    roots: { roots: [{ uri: "file:///a" }] },
    form: { action: "accept", content: { format: "csv" } },
    wrapped: { result: { action: "accept" } },
  };
  const inputs = createContextInputs({
    received: filterResponses(responses, { elicitation: { url: {} } }),
  });
  assert.deepEqual(Object.keys(inputs.responses), []);
  assert.deepEqual(inputs.dropped, ["roots", "form", "wrapped"]);
  for (const key of Object.keys(responses)) {
    assert.deepEqual(inputs.view(key), { kind: "missing" });
    assert.equal(inputs.accepted(key), undefined);
    assert.equal(inputs.accepted(key, Answer), undefined);
  }
});

Deno.test("createContextInputs() has no answers without a view of the capabilities", () => {
  const inputs = createContextInputs({
    received: filterResponses({
      format: { action: "accept", content: { format: "csv" } },
    }, undefined),
    state: "job-7",
  });
  assert.deepEqual(inputs.view("format"), { kind: "missing" });
  assert.deepEqual(inputs.dropped, ["format"]);
  assert.equal(inputs.state(), "job-7");
});

Deno.test("createContextInputs() gives what a codec made of the state", () => {
  const inputs = createContextInputs({
    received: undefined,
    state: { step: "two" },
  });
  assert.deepEqual(inputs.state<{ step: string }>(), { step: "two" });
});

Deno.test("createContextInputs() gives each call answers of its own, without a prototype", () => {
  const [one, other] = [undefined, undefined].map((received) =>
    createContextInputs({ received })
  );
  assert.equal(Object.getPrototypeOf(one!.responses), null);
  assert.notEqual(one!.responses, other!.responses);
});
