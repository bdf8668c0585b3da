import assert from "node:assert/strict";
import {
  inputRequired,
  InputRequiredSignal,
  isInputRequiredResult,
} from "../../input/mod.ts";

const result = inputRequired({
  inputRequests: { roots: inputRequired.listRoots() },
});

Deno.test("InputRequiredSignal carries the result and the options", () => {
  const options = { fallbackHint: "Or call again with roots supplied." };
  const signal = new InputRequiredSignal(result, options);
  assert.equal(signal.result, result);
  assert.equal(signal.options, options);
  assert.deepEqual(new InputRequiredSignal(result).options, {});
});

Deno.test("InputRequiredSignal is no error, so that code for errors lets it be", () => {
  const signal: unknown = new InputRequiredSignal(result);
  assert.equal(signal instanceof Error, false);
  assert.equal(signal instanceof InputRequiredSignal, true);
});

Deno.test("isInputRequiredResult() goes by resultType alone", () => {
  assert.equal(isInputRequiredResult(result), true);
  assert.equal(
    isInputRequiredResult({ resultType: "input_required", requestState: "s" }),
    true,
  );
  const others: unknown[] = [
    undefined,
    null,
    "input_required",
    [],
    {},
    { resultType: "complete" },
    { content: [], inputRequests: result.inputRequests },
    Object.create(result),
  ];
  for (const other of others) {
    assert.equal(isInputRequiredResult(other), false);
  }
});
