import assert from "node:assert/strict";
import {
  acceptedContent,
  type App,
  type CallToolResult,
  createApp,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  memoryState,
  tool,
  z,
} from "../../mod.ts";
import {
  type Answerer,
  type ClientKind,
  CLIENTS,
  connect,
  type Person,
  type Question,
} from "../input_flow/_clients.ts";
import { sendRound, toolCall } from "../input_flow/_rounds.ts";
import { fakeClock } from "../seal/_clock.ts";

// Handlers written for the official SDK: only `server.registerTool(` was
// replaced by `tool(`.

const confirmationSchema = z.object({
  confirm: z.boolean().meta({ title: "Confirm deployment" }),
});

const deploy = tool(
  "deploy",
  {
    description: "Deploy after the operator confirms",
    inputSchema: z.object({ env: z.string() }),
  },
  // deno-lint-ignore require-await
  async ({ env }, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const confirmed = acceptedContent(
      ctx.mcpReq.inputResponses,
      "confirm",
      confirmationSchema,
    );
    if (confirmed?.confirm !== true) {
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: `Deploy to ${env}?`,
            requestedSchema: confirmationSchema,
          }),
        },
      });
    }
    return { content: [{ type: "text", text: `Deployed to ${env}` }] };
  },
);

const tagRelease = tool(
  "tag-release",
  {
    description: "Tag a release after the operator confirms",
    inputSchema: z.object({ tag: z.string() }),
  },
  // deno-lint-ignore require-await
  async ({ tag }, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "confirm");
    if (view.kind === "elicit" && view.action !== "accept") {
      return {
        content: [{ type: "text", text: "Tagging cancelled by the operator" }],
        isError: true,
      };
    }
    const confirmed = acceptedContent(
      ctx.mcpReq.inputResponses,
      "confirm",
      z.object({ confirm: z.boolean() }),
    );
    if (confirmed?.confirm !== true) {
      return inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: `Tag ${tag}?`,
            requestedSchema: {
              type: "object",
              properties: { confirm: { type: "boolean" } },
              required: ["confirm"],
            },
          }),
        },
      });
    }
    return { content: [{ type: "text", text: `Tagged ${tag}` }] };
  },
);

const provision = tool(
  "provision",
  { description: "Provision a database", inputSchema: z.object({}) },
  // deno-lint-ignore require-await
  async (_args, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const name = acceptedContent(
      ctx.mcpReq.inputResponses,
      "name",
      z.object({ name: z.string() }),
    );
    const region = acceptedContent(
      ctx.mcpReq.inputResponses,
      "region",
      z.object({ region: z.string() }),
    );
    if (name === undefined || region === undefined) {
      return inputRequired({
        inputRequests: {
          ...(name === undefined && {
            name: inputRequired.elicit({
              message: "Database name?",
              requestedSchema: {
                type: "object",
                properties: { name: { type: "string" } },
                required: ["name"],
              },
            }),
          }),
          ...(region === undefined && {
            region: inputRequired.elicit({
              message: "Which region?",
              requestedSchema: {
                type: "object",
                properties: { region: { type: "string" } },
                required: ["region"],
              },
            }),
          }),
        },
      });
    }
    return {
      content: [{
        type: "text",
        text: `Provisioned ${name.name} in ${region.region}`,
      }],
    };
  },
);

const kinds = tool(
  "kinds",
  { description: "Asks in all four ways", inputSchema: z.object({}) },
  // deno-lint-ignore require-await
  async (_args, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const responses = ctx.mcpReq.inputResponses;
    const views = ["confirm", "signin", "summary", "roots"].map((key) =>
      inputResponse(responses, key)
    );
    if (views.some(({ kind }) => kind === "missing")) {
      const next = inputRequired({
        inputRequests: {
          confirm: inputRequired.elicit({
            message: "Continue?",
            requestedSchema: {
              type: "object",
              properties: { ok: { type: "boolean" } },
              required: ["ok"],
            },
          }),
          signin: inputRequired.elicitUrl({
            message: "Sign in to continue",
            url: "https://example.com/auth",
          }),
          summary: inputRequired.createMessage({
            messages: [{
              role: "user",
              content: { type: "text", text: "Summarize the diff" },
            }],
            maxTokens: 200,
          }),
          roots: inputRequired.listRoots(),
        },
      });
      return next;
    }
    return { content: [{ type: "text", text: JSON.stringify(views) }] };
  },
);

const stateCodec = createRequestStateCodec<{ step: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
  ttlSeconds: 600,
});

const wipeCache = tool(
  "wipe-cache",
  {
    description: "Confirm, then pick a scope, then wipe",
    inputSchema: z.object({}),
  },
  async (_args, ctx): Promise<CallToolResult | InputRequiredResult> => {
    const state = ctx.mcpReq.requestState<{ step: string }>();

    if (state?.step !== "confirmed") {
      const confirmed = acceptedContent<{ confirm: boolean }>(
        ctx.mcpReq.inputResponses,
        "confirm",
      );
      if (confirmed?.confirm !== true) {
        return inputRequired({
          inputRequests: {
            confirm: inputRequired.elicit({
              message: "Really wipe the cache?",
              requestedSchema: {
                type: "object",
                properties: { confirm: { type: "boolean" } },
                required: ["confirm"],
              },
            }),
          },
        });
      }
      return inputRequired({
        inputRequests: {
          scope: inputRequired.elicit({
            message: "Which scope?",
            requestedSchema: {
              type: "object",
              properties: { scope: { type: "string" } },
              required: ["scope"],
            },
          }),
        },
        requestState: await stateCodec.mint({ step: "confirmed" }),
      });
    }

    const scope = acceptedContent<{ scope: string }>(
      ctx.mcpReq.inputResponses,
      "scope",
    );
    return {
      content: [{ type: "text", text: `Wiped ${scope?.scope ?? "all"}` }],
    };
  },
);

/** With or without a seal of its own around what handlers seal. */
function pagesApp(seal: boolean): App {
  return createApp({
    name: "releases",
    version: "1.0.0",
    state: memoryState(),
    tools: [deploy, tagRelease, provision, kinds, wipeCache],
    requestState: {
      verify: stateCodec.verify,
      ...(seal ? { keys: ["0123456789abcdef0123456789abcdef"] } : {}),
    },
    logLevel: "emergency",
  });
}

/** The log lines of the page: what a client prints when it is asked. */
function transcript({ asked }: Person): string[] {
  return asked.map(({ method, params }) => `${method} → ${params.message}`);
}

const ANSWERS: Readonly<Record<string, object>> = {
  "Deploy to prod?": { confirm: true },
  "Tag v2.1.0?": { confirm: true },
  "Database name?": { name: "analytics" },
  "Which region?": { region: "eu-west-1" },
  "Really wipe the cache?": { confirm: true },
  "Which scope?": { scope: "sessions" },
};

const agree: Answerer = ({ params }: Question) => ({
  action: "accept",
  content: ANSWERS[String(params.message)] ?? {},
});

async function withPerson(
  kind: ClientKind,
  answer: Answerer,
  use: (person: Person) => Promise<void>,
): Promise<void> {
  for (const seal of [true, false]) {
    const app = pagesApp(seal);
    const person = await connect(kind, app, answer);
    try {
      await use(person);
    } finally {
      await person.close();
      await app.close();
    }
  }
}

function callTool(
  person: Person,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return person.request("tools/call", { name, arguments: args });
}

/** What the page prints of a result. */
function printed(
  { content, isError }: Record<string, unknown>,
): Record<string, unknown> {
  return isError === undefined ? { content } : { content, isError };
}

for (const kind of CLIENTS) {
  Deno.test(`deploy asks once and goes on (${kind} client)`, () =>
    withPerson(kind, agree, async (person) => {
      const result = await callTool(person, "deploy", { env: "prod" });
      assert.deepEqual(transcript(person), [
        "elicitation/create → Deploy to prod?",
      ]);
      assert.deepEqual(printed(result), {
        content: [{ type: "text", text: "Deployed to prod" }],
      });
      const { requestedSchema } = person.asked[0]!.params as {
        requestedSchema: Record<string, unknown>;
      };
      assert.deepEqual(requestedSchema.properties, {
        confirm: { type: "boolean", title: "Confirm deployment" },
      });
    }));

  Deno.test(`tag-release takes a refusal for one (${kind} client)`, () =>
    withPerson(kind, () => ({ action: "decline" }), async (person) => {
      const result = await callTool(person, "tag-release", { tag: "v2.1.0" });
      assert.deepEqual(transcript(person), [
        "elicitation/create → Tag v2.1.0?",
      ]);
      assert.deepEqual(printed(result), {
        content: [{ type: "text", text: "Tagging cancelled by the operator" }],
        isError: true,
      });
    }));

  Deno.test(`tag-release tags what was confirmed (${kind} client)`, () =>
    withPerson(kind, agree, async (person) => {
      const result = await callTool(person, "tag-release", { tag: "v2.1.0" });
      assert.deepEqual(printed(result), {
        content: [{ type: "text", text: "Tagged v2.1.0" }],
      });
    }));

  Deno.test(`provision asks two questions in one round (${kind} client)`, () =>
    withPerson(kind, agree, async (person) => {
      const result = await callTool(person, "provision");
      assert.deepEqual(transcript(person), [
        "elicitation/create → Database name?",
        "elicitation/create → Which region?",
      ]);
      assert.deepEqual(printed(result), {
        content: [{
          type: "text",
          text: "Provisioned analytics in eu-west-1",
        }],
      });
    }));

  Deno.test(`the four kinds of questions reach the client (${kind} client)`, () =>
    withPerson(kind, answerAnyKind, async (person) => {
      const result = await callTool(person, "kinds");
      assert.deepEqual(person.asked.map(({ method }) => method).sort(), [
        "elicitation/create",
        "elicitation/create",
        "roots/list",
        "sampling/createMessage",
      ]);
      const page = person.asked.find(({ params }) => params.mode === "url");
      assert.equal(page?.params.url, "https://example.com/auth");
      const [block] = result.content as { text: string }[];
      const views = JSON.parse(block!.text);
      assert.deepEqual(views, [
        { kind: "elicit", action: "accept", content: { ok: true } },
        { kind: "elicit", action: "accept" },
        {
          kind: "sampling",
          result: {
            role: "assistant",
            model: "m-1",
            content: { type: "text", text: "It adds a test" },
          },
        },
        { kind: "roots", roots: [{ uri: "file:///home/ann" }] },
      ]);
    }));

  Deno.test(`wipe-cache goes through its rounds in sequence (${kind} client)`, () =>
    withPerson(kind, agree, async (person) => {
      const result = await callTool(person, "wipe-cache");
      assert.deepEqual(transcript(person), [
        "elicitation/create → Really wipe the cache?",
        "elicitation/create → Which scope?",
      ]);
      assert.deepEqual(printed(result), {
        content: [{ type: "text", text: "Wiped sessions" }],
      });
    }));

  Deno.test(`a tampered state is refused before the handler runs (${kind} client)`, () =>
    withPerson(kind, agree, async (person) => {
      await assert.rejects(
        person.request("tools/call", {
          name: "wipe-cache",
          arguments: {},
          requestState: "tampered",
        }),
        (error: { code?: unknown; message?: unknown; data?: unknown }) => {
          assert.equal(error.code, -32602);
          assert.match(
            String(error.message),
            /Invalid or expired requestState$/,
          );
          assert.deepEqual(error.data, { reason: "invalid_request_state" });
          return true;
        },
      );
      assert.deepEqual(person.asked, []);
    }));
}

function answerAnyKind({ method, params }: Question): object {
  switch (method) {
    case "sampling/createMessage":
      return {
        role: "assistant",
        model: "m-1",
        content: { type: "text", text: "It adds a test" },
      };
    case "roots/list":
      return { roots: [{ uri: "file:///home/ann" }] };
    default:
      return params.mode === "url"
        ? { action: "accept" }
        : { action: "accept", content: { ok: true } };
  }
}

Deno.test("a state that a codec minted is refused when it has expired, or under another key", async () => {
  const app = pagesApp(false);
  const other = createRequestStateCodec<{ step: string }>({
    key: crypto.getRandomValues(new Uint8Array(32)),
  });
  const wiped = async (requestState: string) => {
    const call = toolCall("wipe-cache");
    return (await sendRound(app, call, { requestState })).answer;
  };
  using clock = fakeClock(1_800_000_000);
  const minted = await stateCodec.mint({ step: "confirmed" });
  const foreign = await other.mint({ step: "confirmed" });
  clock.set(1_800_000_600);
  assert.deepEqual((await wiped(minted)).result.content, [
    { type: "text", text: "Wiped all" },
  ]);
  assert.equal((await wiped(foreign)).error.code, -32602);
  clock.set(1_800_000_601);
  const { error } = await wiped(minted);
  assert.equal(error.code, -32602);
  assert.equal(error.message, "Invalid or expired requestState");
});
