import assert from "node:assert/strict";
import type {
  ClientCapabilities,
  InputRequests,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { McpError } from "../../errors.ts";
import { inputRequired } from "../../input/mod.ts";
import {
  capabilityRefusal,
  describeCapability,
  missingCapabilities,
  missingCapabilityError,
} from "../../input/capabilities.ts";

const message = {
  role: "user" as const,
  content: { type: "text" as const, text: "Hi" },
};
const sampling = { messages: [message], maxTokens: 10 };

const form = inputRequired.elicit({
  message: "m",
  requestedSchema: z.object({ ok: z.boolean() }),
});
const formByHand: InputRequests[string] = {
  method: "elicitation/create",
  params: {
    message: "m",
    requestedSchema: { type: "object", properties: {} },
  },
};
const url = inputRequired.elicitUrl({
  message: "m",
  url: "https://example.com/",
});
const sample = inputRequired.createMessage(sampling);
const sampleWithTools = inputRequired.createMessage({
  ...sampling,
  tools: [{ name: "t", inputSchema: { type: "object" } }],
});
const sampleWithChoice = inputRequired.createMessage({
  ...sampling,
  toolChoice: { mode: "none" },
});
const roots = inputRequired.listRoots();

type Declared = ClientCapabilities | undefined;
type Row = [
  what: string,
  declared: unknown,
  requests: InputRequests,
  missing: Declared,
];

const FORM = { elicitation: { form: {} } };
const URL_MODE = { elicitation: { url: {} } };
const TOOLS = { sampling: { tools: {} } };

const ROWS: Row[] = [
  ["nothing declared, a form", {}, { form }, FORM],
  ["nothing declared, a page", {}, { url }, URL_MODE],
  ["no view at all, a form", undefined, { form }, FORM],
  ["no view at all, roots", undefined, { roots }, { roots: {} }],
  ["bare elicitation, a form", { elicitation: {} }, { form }, undefined],
  ["bare elicitation, no mode", { elicitation: {} }, { formByHand }, undefined],
  ["bare elicitation, a page", { elicitation: {} }, { url }, URL_MODE],
  ["pages only, a form", URL_MODE, { form }, FORM],
  ["pages only, no mode", URL_MODE, { formByHand }, FORM],
  ["pages only, a page", URL_MODE, { url }, undefined],
  ["forms only, a page", FORM, { url }, URL_MODE],
  ["forms only, a form", FORM, { form }, undefined],
  [
    "both modes, both",
    { elicitation: { form: {}, url: {} } },
    { form, url },
    undefined,
  ],
  [
    "an unknown mode, a form",
    { elicitation: { voice: {} } },
    { form },
    undefined,
  ],
  ["sampling, a message", { sampling: {} }, { sample }, undefined],
  ["sampling, tools", { sampling: {} }, { sampleWithTools }, TOOLS],
  [
    "sampling, a choice of tools",
    { sampling: {} },
    { sampleWithChoice },
    TOOLS,
  ],
  ["sampling with tools, tools", TOOLS, { sampleWithTools }, undefined],
  ["sampling with tools, a message", TOOLS, { sample }, undefined],
  ["no sampling, a message", FORM, { sample }, { sampling: {} }],
  ["no sampling, tools", {}, { sampleWithTools }, TOOLS],
  [
    "no sampling, with and without tools",
    {},
    { sample, sampleWithTools },
    TOOLS,
  ],
  ["roots, roots", { roots: {} }, { roots }, undefined],
  [
    "nothing declared, everything",
    {},
    { form, url, sampleWithTools, roots },
    {
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
      roots: {},
    },
  ],
  ["elicitation: null, a form", { elicitation: null }, { form }, FORM],
  ["elicitation: true, a form", { elicitation: true }, { form }, FORM],
  ["elicitation: [], a form", { elicitation: [] }, { form }, FORM],
  ["form: null, a form", { elicitation: { form: null } }, { form }, FORM],
  ["url: false, a page", { elicitation: { url: false } }, { url }, URL_MODE],
  ["capabilities that are text, a form", "elicitation", { form }, FORM],
  ["nothing declared, nothing asked", {}, {}, undefined],
];

for (const [what, declared, requests, missing] of ROWS) {
  Deno.test(`missingCapabilities() with ${what}`, () => {
    assert.deepEqual(
      missingCapabilities(requests, declared as Declared),
      missing,
    );
  });
}

Deno.test("missingCapabilities() does not take a prototype for a declaration", () => {
  const declared = Object.create({ elicitation: {} });
  assert.deepEqual(missingCapabilities({ form }, declared), FORM);
});

Deno.test("describeCapability() names one, two and several", () => {
  assert.equal(describeCapability(FORM), "`elicitation.form`");
  assert.equal(describeCapability({ sampling: {} }), "`sampling`");
  assert.equal(
    describeCapability({ elicitation: { form: {} }, roots: {} }),
    "`elicitation.form` and `roots`",
  );
  assert.equal(
    describeCapability({
      elicitation: { form: {}, url: {} },
      sampling: { tools: {} },
    }),
    "`elicitation.form`, `elicitation.url` and `sampling.tools`",
  );
});

Deno.test("capabilityRefusal() is an invalid request that a program can read", () => {
  const refusal = capabilityRefusal(FORM, { stateless: false });
  assert(refusal instanceof McpError);
  assert.equal(refusal.code, -32600);
  assert.match(refusal.message, /`elicitation\.form`/);
  assert.deepEqual(refusal.data, {
    reason: "client_capability_missing",
    requiredCapabilities: FORM,
    recovery: {
      hint:
        "Reconnect with a client that declares the `elicitation.form` capability.",
    },
  });
});

Deno.test("capabilityRefusal() puts the fallback behind the hint", () => {
  const { data } = capabilityRefusal(FORM, {
    stateless: false,
    fallbackHint: "Or call again with noun supplied.",
  });
  assert.deepEqual(data?.["recovery"], {
    hint:
      "Reconnect with a client that declares the `elicitation.form` capability. Or call again with noun supplied.",
  });
});

Deno.test("capabilityRefusal() without a session points at a stateful one", () => {
  const refusal = capabilityRefusal({ sampling: { tools: {} }, roots: {} }, {
    stateless: true,
  });
  assert.equal(refusal.code, -32600);
  assert.equal(refusal.data?.["reason"], "client_capability_missing");
  assert.match(refusal.message, /this request was served without a session/);
  assert.deepEqual(refusal.data?.["recovery"], {
    hint:
      "Reconnect over a stateful session with a client that declares the `sampling.tools` and `roots` capabilities.",
  });
});

Deno.test("missingCapabilityError() lists all that is missing, as the specification wants", () => {
  const missing = { elicitation: { form: {} }, sampling: {} };
  const error = missingCapabilityError(missing);
  assert.equal(error.code, -32021);
  assert.deepEqual(error.data, { requiredCapabilities: missing });
});
