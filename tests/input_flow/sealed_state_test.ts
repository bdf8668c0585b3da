import assert from "node:assert/strict";
import {
  type App,
  type AppOptions,
  type AuthContext,
  inputRequired,
  prompt,
  resource,
  tool,
  z,
} from "../../mod.ts";
import { mutations, splices } from "../seal/_mutations.ts";
import { fakeClock } from "../seal/_clock.ts";
import {
  type Json,
  post,
  requestBody,
  send,
  VERSION,
} from "../transport/modern/_client.ts";
import {
  accept,
  ALL,
  assertAsks,
  type Call,
  KEY,
  type Round,
  sealingApp,
  sendRound,
  textOf,
} from "./_rounds.ts";

const OLD_KEY = "an old key, which is 32 bytes long";
const Ok = z.object({ ok: z.boolean() });
const questions = {
  ok: inputRequired.elicit({ message: "?", requestedSchema: Ok }),
};

/** What the handlers below saw of a round that carried a state. */
interface Seen {
  readonly states: unknown[];
}

/** Whoever the header names. */
function verify({ headers }: Request): AuthContext {
  return JSON.parse(headers.get("x-caller") ?? "null");
}

const ANN: AuthContext = {
  clientId: "app",
  sub: "ann",
  tenantId: "acme",
  issuer: "https://id.example.com",
  scopes: ["a"],
};

function appFor(
  seen: Seen,
  requestState: AppOptions["requestState"],
  options: Partial<AppOptions> = {},
): App {
  function handler(
    _input: unknown,
    ctx: {
      inputs: { state(): string | undefined };
      requestInput(
        spec: { inputRequests: typeof questions; requestState: string },
      ): never;
    },
  ): string {
    const state = ctx.inputs.state();
    if (state === undefined) {
      return ctx.requestInput({
        inputRequests: questions,
        requestState: "job-7",
      });
    }
    seen.states.push(state);
    return state;
  }
  const input = z.looseObject({});
  return sealingApp({
    tools: [
      tool("delete_file", { input, handler }),
      tool("delete_all", { input, handler }),
    ],
    prompts: [prompt("delete_file", { handler })],
    resources: [
      resource("file://a", { name: "a", handler }),
      resource("file://b", { name: "b", handler }),
    ],
    auth: { verify },
    requestState,
    maxBodyBytes: 4 * 1024 * 1024,
    ...options,
  });
}

function deleteFile(args: Json = {}, name = "delete_file"): Call {
  const usual = { path: "/a", opts: { x: 1, y: 2 } };
  return {
    method: "tools/call",
    params: { name, arguments: { ...usual, ...args } },
  };
}

interface Sender {
  readonly app: App;
  readonly caller?: AuthContext;
  readonly call?: Call;
}

function start({ app, caller = ANN, call = deleteFile() }: Sender) {
  return sendRound(app, call, {}, optionsOf(caller));
}

function retry(
  requestState: unknown,
  { app, caller = ANN, call = deleteFile() }: Sender,
): Promise<Round> {
  const inputResponses = { ok: accept({ ok: true }) };
  return sendRound(
    app,
    call,
    { inputResponses, requestState },
    optionsOf(caller),
  );
}

function optionsOf(caller: AuthContext) {
  return {
    capabilities: ALL,
    headers: { "x-caller": JSON.stringify(caller) },
  };
}

/** Every refusal is the same to the byte, whatever was wrong. */
const REFUSAL = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  error: {
    code: -32602,
    message: "Invalid or expired requestState",
    data: { reason: "invalid_request_state" },
  },
});

for (const encrypt of [false, true]) {
  const form = encrypt ? "encrypted" : "signed";

  Deno.test(`no altered ${form} state reaches a handler`, async () => {
    const seen: Seen = { states: [] };
    const app = appFor(seen, { keys: [KEY, OLD_KEY], encrypt });
    const { state } = await start({ app });
    const other = await start({ app, call: deleteFile({ path: "/b" }) });
    const good = await retry(state, { app });
    assert.equal(textOf(good), "job-7");
    assert.deepEqual(seen.states.splice(0), ["job-7"]);

    let count = 0;
    for (
      const { name, token } of [
        ...mutations(state!),
        ...splices(state!, other.state!),
      ]
    ) {
      const { answer } = await retry(token, { app });
      assert.equal(answer.text, REFUSAL, name);
      count++;
    }
    assert.ok(count >= 2_000, `${count} mutations`);
    for (const value of [null, 7, true, {}, [], [state], { state }]) {
      const { answer } = await retry(value, { app });
      assert.equal(answer.text, REFUSAL);
    }
    assert.deepEqual(seen.states, []);
    // The state itself is as good as ever.
    assert.equal(textOf(await retry(state, { app })), "job-7");
  });

  Deno.test(`${form} state is good for its own call and caller only`, async () => {
    const seen: Seen = { states: [] };
    const app = appFor(seen, { keys: [KEY, OLD_KEY], encrypt });
    const { state } = await start({ app });

    const foreign: Record<string, Partial<Sender>> = {
      "another subject": { caller: { ...ANN, sub: "bob" } },
      "no subject": { caller: withoutKey(ANN, "sub") },
      "another client": { caller: { ...ANN, clientId: "other" } },
      "another tenant": { caller: { ...ANN, tenantId: "umbrella" } },
      "no tenant": { caller: withoutKey(ANN, "tenantId") },
      "another issuer": { caller: { ...ANN, issuer: "https://evil.example" } },
      "no issuer": { caller: withoutKey(ANN, "issuer") },
      "another tool": { call: deleteFile({}, "delete_all") },
      "a prompt of the same name": {
        call: {
          method: "prompts/get",
          params: { name: "delete_file", arguments: {} },
        },
      },
      "a resource": {
        call: { method: "resources/read", params: { uri: "file://a" } },
      },
      "another argument": { call: deleteFile({ path: "/b" }) },
      "an argument within": { call: deleteFile({ opts: { x: 1, y: 3 } }) },
      "an argument more": { call: deleteFile({ force: true }) },
      "text for a number": { call: deleteFile({ opts: { x: "1", y: 2 } }) },
      "another key": { app: appFor(seen, { keys: ["x".repeat(32)], encrypt }) },
      "another form": { app: appFor(seen, { keys: [KEY], encrypt: !encrypt }) },
      "another app under the same key": {
        app: appFor(seen, { keys: [KEY], encrypt }, { name: "other" }),
      },
    };
    for (const [name, sender] of Object.entries(foreign)) {
      const { answer } = await retry(state, { app, ...sender });
      assert.equal(answer.text, REFUSAL, name);
    }
    assert.deepEqual(seen.states, []);

    const own: Record<string, Partial<Sender>> = {
      "the same": {},
      "a refreshed token": {
        caller: { ...ANN, scopes: ["b"], claims: { jti: "2" } },
      },
      "another process with the same key": {
        app: appFor(seen, { keys: [KEY], encrypt }),
      },
      "the key retired": {
        app: appFor(seen, { keys: ["y".repeat(32), KEY], encrypt }),
      },
    };
    for (const [name, sender] of Object.entries(own)) {
      const round = await retry(state, { app, ...sender });
      assert.equal(textOf(round), "job-7", name);
    }
    for (
      const args of [
        '{"opts":{"y":2,"x":1},"path":"/a"}',
        '{"path":"/a","opts":{"x":1.0,"y":20e-1}}',
        '{"path":"\\u002fa","opts":{"x":1,"y":2}}',
      ]
    ) {
      const { text } = await send(app, spelledRetry(state!, args));
      assert.match(text, /"text":"job-7"/, args);
    }
  });

  Deno.test(`${form} state names neither its caller nor the keys`, async () => {
    const app = appFor({ states: [] }, { keys: [KEY], encrypt });
    const { state } = await start({ app });
    const readable = state!.split(".").slice(1).map((part) =>
      new TextDecoder().decode(
        Uint8Array.fromBase64(part, { alphabet: "base64url" }),
      )
    ).join() + state;
    for (const secret of ["ann", "acme", "app", "/a", KEY.slice(0, 8)]) {
      assert.ok(!readable.includes(secret), secret);
    }
    assert.equal(readable.includes("job-7"), !encrypt);
  });

  Deno.test(`${form} state expires, and each round gives it a new lifetime`, async () => {
    const app = sealingApp({
      requestState: { keys: [KEY], encrypt, ttlSeconds: 100 },
      tools: [tool("two", {
        async handler(_args, ctx) {
          await ctx.ask("one", { message: "1", schema: Ok });
          await ctx.ask("two", { message: "2", schema: Ok });
          await ctx.ask("three", { message: "3", schema: Ok });
          return "done";
        },
      })],
    });
    const call = { method: "tools/call", params: { name: "two" } };
    const answer = (key: string, round: Round) =>
      sendRound(app, call, {
        inputResponses: { [key]: accept({ ok: true }) },
        ...(round.state !== undefined && { requestState: round.state }),
      });
    using clock = fakeClock(1_800_000_000);
    const first = await sendRound(app, call);
    const second = await answer("one", first);
    assertAsks(second, "two");
    clock.set(1_800_000_099);
    const third = await answer("two", second);
    assertAsks(third, "three");
    clock.set(1_800_000_101);
    assert.equal((await answer("two", second)).answer.text, REFUSAL);
    clock.set(1_800_000_198);
    assert.equal(textOf(await answer("three", third)), "done");
    clock.set(1_800_000_200);
    assert.equal((await answer("three", third)).answer.text, REFUSAL);
  });
}

Deno.test("state lasts 900 seconds unless told otherwise", async () => {
  const app = appFor({ states: [] }, { keys: [KEY] });
  using clock = fakeClock(1_800_000_000);
  const { state } = await start({ app });
  clock.set(1_800_000_899);
  assert.equal(textOf(await retry(state, { app })), "job-7");
  clock.set(1_800_000_901);
  assert.equal((await retry(state, { app })).answer.text, REFUSAL);
});

Deno.test("with `seal: false`, and in memory without a key, handlers read what clients send", async () => {
  for (const requestState of [{ seal: false }, undefined]) {
    const seen: Seen = { states: [] };
    const app = appFor(seen, requestState);
    const { state } = await start({ app });
    assert.equal(state, "job-7");
    assert.equal(textOf(await retry("whatever", { app })), "whatever");
    assert.equal((await retry(7, { app })).answer.text, REFUSAL);
    assert.deepEqual(seen.states, ["whatever"]);
  }
});

Deno.test("arguments nested too deep to be told apart are refused", async () => {
  const app = appFor({ states: [] }, { keys: [KEY] });
  const deep = JSON.parse("[".repeat(1_500) + "]".repeat(1_500));
  const round = await start({ app, call: deleteFile({ deep }) });
  assert.equal(round.answer.error.code, -32602);
  assert.match(String(round.answer.error.message), /nested|deep/);
});

/** A retry whose arguments reach the app as this very text. */
function spelledRetry(requestState: string, args: string): Request {
  const body = requestBody(
    "tools/call",
    { name: "delete_file", arguments: "ARGS", requestState },
    { capabilities: ALL },
  );
  return post(JSON.stringify(body).replace('"ARGS"', args), {
    "mcp-protocol-version": VERSION,
    "mcp-method": "tools/call",
    "mcp-name": "delete_file",
    "x-caller": JSON.stringify(ANN),
  });
}

function withoutKey(caller: AuthContext, key: keyof AuthContext): AuthContext {
  const { [key]: _, ...rest } = caller;
  return rest as AuthContext;
}
