import assert from "node:assert/strict";
import { z } from "zod";
import { type AskSpec, inputRequired } from "../../input/mod.ts";
import { buildAskRequest } from "../../input/input_required.ts";
import { declineError, readAnswer } from "../../input/read_answer.ts";

const Name = z.object({ name: z.string().min(1) });
const form = { message: "Database name?", schema: Name };
const url = { message: "Sign in", url: "https://example.com/auth" };
const sampling = {
  sampling: {
    messages: [{
      role: "user" as const,
      content: { type: "text" as const, text: "Name a city" },
    }],
    maxTokens: 10,
  },
};
const roots = { roots: true as const };

const said = {
  role: "assistant",
  model: "m",
  content: { type: "text", text: "Ulm" },
};
const listed = { roots: [{ uri: "file:///a" }] };
const named = { action: "accept", content: { name: "analytics" } };

Deno.test("buildAskRequest() builds the request of each kind of question", () => {
  assert.deepEqual(
    buildAskRequest({ ...form, onDecline: "return", fallbackHint: "Or not." }),
    inputRequired.elicit({ message: form.message, requestedSchema: Name }),
  );
  assert.deepEqual(buildAskRequest(url), inputRequired.elicitUrl(url));
  assert.deepEqual(
    buildAskRequest(sampling),
    inputRequired.createMessage(sampling.sampling),
  );
  assert.deepEqual(buildAskRequest(roots), inputRequired.listRoots());
});

Deno.test("buildAskRequest() refuses a schema that no form can express", () => {
  const schema = z.object({ at: z.object({ x: z.number() }) });
  assert.throws(
    () => buildAskRequest({ message: "Where?", schema }),
    /properties\.at/,
  );
});

Deno.test("readAnswer() gives the answer to each kind of question", async () => {
  const responses = { a: named };
  assert.deepEqual(await readAnswer(form, "a", responses), {
    status: "answered",
    value: { name: "analytics" },
  });
  assert.deepEqual(await readAnswer(url, "a", { a: { action: "accept" } }), {
    status: "answered",
    value: { kind: "elicit", action: "accept" },
  });
  assert.deepEqual(await readAnswer(sampling, "a", { a: said }), {
    status: "answered",
    value: said,
  });
  assert.deepEqual(await readAnswer(roots, "a", { a: listed }), {
    status: "answered",
    value: listed.roots,
  });
});

Deno.test("readAnswer() gives what the schema makes of an answer, asynchronously too", async () => {
  const schema = z.object({
    n: z.coerce.number().refine((n) => Promise.resolve(n < 10)),
  });
  const ask = { message: "How many?", schema };
  const responses = {
    few: { action: "accept", content: { n: "3" } },
    many: { action: "accept", content: { n: "30" } },
  };
  assert.deepEqual(await readAnswer(ask, "few", responses), {
    status: "answered",
    value: { n: 3 },
  });
  assert.deepEqual(await readAnswer(ask, "many", responses), {
    status: "missing",
  });
});

Deno.test("readAnswer() leaves a question standing that was not answered validly", async () => {
  const entries: unknown[] = [
    undefined,
    null,
    { action: "accept" },
    { action: "accept", content: { name: "" } },
    { action: "accept", content: { name: 7 } },
    { action: "ACCEPT", content: { name: "analytics" } },
    { result: named },
    said,
    listed,
  ];
  for (const entry of entries) {
    assert.deepEqual(await readAnswer(form, "a", { a: entry }), {
      status: "missing",
    });
  }
  assert.deepEqual(await readAnswer(form, "a", undefined), {
    status: "missing",
  });
  assert.deepEqual(await readAnswer(form, "constructor", {}), {
    status: "missing",
  });
});

Deno.test("readAnswer() takes no answer of another kind, a refusal included", async () => {
  const entries = { named, said, listed, declined: { action: "decline" } };
  const rows: [AskSpec, string[]][] = [
    [sampling, ["named", "listed", "declined"]],
    [roots, ["named", "said", "declined"]],
    [url, ["said", "listed"]],
  ];
  for (const [spec, keys] of rows) {
    for (const key of keys) {
      const reading = await readAnswer(spec, key, entries);
      assert.deepEqual(reading, { status: "missing" });
    }
  }
});

Deno.test("readAnswer() tells a refusal, and shows nothing that came with it", async () => {
  const responses = {
    no: { action: "decline", content: { name: "analytics" } },
    never: { action: "cancel", content: null },
  };
  for (const spec of [form, url]) {
    assert.deepEqual(await readAnswer(spec, "no", responses), {
      status: "declined",
      view: { kind: "elicit", action: "decline" },
    });
    assert.deepEqual(await readAnswer(spec, "never", responses), {
      status: "cancelled",
      view: { kind: "elicit", action: "cancel" },
    });
  }
});

Deno.test("declineError() says what was refused, and how", () => {
  const declined = declineError("name", { kind: "elicit", action: "decline" });
  assert.equal(declined.code, 422);
  assert.equal(declined.message, 'The user declined the question "name"');
  assert.deepEqual(declined.data, { reason: "input_declined", key: "name" });
  const cancelled = declineError("name", { kind: "elicit", action: "cancel" });
  assert.equal(cancelled.message, 'The user cancelled the question "name"');
  assert.deepEqual(cancelled.data, { reason: "input_cancelled", key: "name" });
});
