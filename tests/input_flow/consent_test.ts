import assert from "node:assert/strict";
import {
  type App,
  type AppOptions,
  type AuthContext,
  createApp,
  kvState,
  memoryState,
  type StateBackend,
  tool,
  type ToolDefinition,
  z,
} from "../../mod.ts";
import { fakeClock } from "../seal/_clock.ts";
import type { Json } from "../transport/modern/_client.ts";
import { connect } from "./_clients.ts";
import {
  accept,
  ALL,
  assertAsks,
  type Call,
  DECLINED,
  failureOf,
  KEY,
  reply,
  type Round,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Yes = z.object({ yes: z.boolean() });
const yes = { sure: accept({ yes: true }) };

/** What the tools below act on, and what they did. */
class World {
  /** What is at a path. */
  readonly files = new Map<string, unknown>([["/a", "old"], ["/b", "old"]]);
  /** The ids of the consents that were acted on, in order. */
  readonly actions: string[] = [];
}

function wipe(world: World, name = "wipe"): ToolDefinition {
  return tool(name, {
    input: z.object({ path: z.string(), ttl: z.number().optional() }),
    async handler({ path, ttl }, ctx) {
      const { answer, id } = await ctx.consent("sure", {
        message: `Wipe ${path}?`,
        schema: Yes,
        target: path,
        content: world.files.get(path),
        ...(ttl !== undefined && { ttl }),
      });
      if (!answer.yes) return "left alone";
      world.actions.push(id);
      return "wiped";
    },
  });
}

const wipeA = toolCall("wipe", { path: "/a" });

interface Setting {
  readonly app: App;
  readonly world: World;
  readonly state: StateBackend;
}

function setting(
  options: Partial<AppOptions> & { tools?: readonly ToolDefinition[] } = {},
): Setting {
  const world = new World();
  const state = options.state ?? memoryState();
  const app = createApp({
    name: "consent",
    version: "1.0.0",
    logLevel: "emergency",
    tools: [wipe(world), wipe(world, "wipe_all")],
    ...options,
    state,
  });
  return { app, world, state };
}

/** How many records wait for their answer. */
async function records(
  state: StateBackend,
  tenant = "default",
): Promise<number> {
  const prefix = ["parley", "consent", tenant];
  return (await state.list({ prefix, limit: 100 })).length;
}

// Both ways for the id of a record to come back: sealed, and as it is.
for (
  const [how, requestState] of [
    ["sealed", { keys: [KEY] }],
    ["not sealed", { seal: false }],
  ] as const
) {
  Deno.test(`consent() asks, and gives the answer once (${how})`, async () => {
    const { app, world, state } = setting({ requestState });
    const asked = await sendRound(app, wipeA);
    assertAsks(asked, "sure");
    assert.equal(await records(state), 1);
    const done = await reply(app, asked, yes);
    assert.equal(textOf(done), "wiped");
    assert.match(world.actions.join(), /^[0-9a-f-]{36}$/);
    // The id is for the upstream alone; the client has seen another one.
    assert.ok(!asked.state!.includes(world.actions[0]!));
    assert.equal(await records(state), 0);
  });

  Deno.test(`consent() that was used asks again, and acts on the new answer only (${how})`, async () => {
    const { app, world } = setting({ requestState });
    const asked = await sendRound(app, wipeA);
    assert.equal(textOf(await reply(app, asked, yes)), "wiped");
    for (let i = 0; i < 3; i++) {
      assertAsks(await reply(app, asked, yes), "sure");
    }
    const again = await reply(app, asked, yes);
    assert.equal(world.actions.length, 1);
    assert.equal(textOf(await reply(app, again, yes)), "wiped");
    assert.equal(new Set(world.actions).size, 2);
  });

  Deno.test(`consent() answered eight times at once counts once (${how})`, async () => {
    for (
      const state of [memoryState(), kvState(":memory:")]
    ) {
      const { app, world } = setting({ requestState, state });
      const asked = await sendRound(app, wipeA);
      const rounds = await Promise.all(
        Array.from({ length: 8 }, () => reply(app, asked, yes)),
      );
      const done = rounds.filter(({ answer }) =>
        answer.result.resultType === "complete"
      );
      assert.equal(done.length, 1);
      assert.equal(world.actions.length, 1);
      await app.close();
    }
  });

  Deno.test(`consent() is for what the target held when it was asked (${how})`, async () => {
    const { app, world, state } = setting({ requestState });
    const asked = await sendRound(app, wipeA);
    world.files.set("/a", "new");
    const again = await reply(app, asked, yes);
    assertAsks(again, "sure");
    assert.deepEqual(world.actions, []);
    // The record of what is no more is gone, even if it comes back.
    assert.equal(await records(state), 1);
    world.files.set("/a", "old");
    assertAsks(await reply(app, asked, yes), "sure");
    world.files.set("/a", "new");
    assert.equal(textOf(await reply(app, again, yes)), "wiped");
  });

  Deno.test(`consent() that runs out asks again (${how})`, async () => {
    using clock = fakeClock(1_800_000_000);
    const state = memoryState({ now: () => Date.now() });
    const { app, world } = setting({ state, requestState });
    let now = 1_800_000_000;
    for (const [ttl, seconds] of [[undefined, 600], [30, 30]] as const) {
      const call = toolCall("wipe", {
        path: "/a",
        ...(ttl !== undefined && { ttl }),
      });
      const asked = await sendRound(app, call);
      clock.set(now += seconds - 1);
      assert.equal(textOf(await reply(app, asked, yes)), "wiped");
      const late = await sendRound(app, call);
      assert.equal(await records(state), 1);
      clock.set(now += seconds);
      assert.equal(await records(state), 0);
      assertAsks(await reply(app, late, yes), "sure");
      clock.set(now += seconds);
    }
    assert.equal(world.actions.length, 2);
  });

  Deno.test(`consent() goes on without its answer only by asking again (${how})`, async () => {
    const { app, world } = setting({ requestState });
    const asked = await sendRound(app, wipeA);
    const again = await reply(app, asked, {});
    assertAsks(again, "sure");
    assertAsks(await reply(app, asked, yes), "sure");
    const wrong = await reply(app, again, { sure: accept({ yes: "yes" }) });
    assertAsks(wrong, "sure");
    assert.deepEqual(world.actions, []);
    assert.equal(textOf(await reply(app, wrong, yes)), "wiped");
  });

  Deno.test(`consent() is spent when the handler fails behind it (${how})`, async () => {
    let acted = 0;
    const { app } = setting({
      requestState,
      tools: [tool("breaks", {
        async handler(_args, ctx) {
          await ctx.consent("sure", { message: "?", schema: Yes, target: "/" });
          acted++;
          throw new Error("broken");
        },
      })],
    });
    const asked = await sendRound(app, toolCall("breaks"));
    assert.equal(failureOf(await reply(app, asked, yes)).message, "broken");
    assertAsks(await reply(app, asked, yes), "sure");
    assert.equal(acted, 1);
  });
}

Deno.test("consent() outlives a restart, and stays used after one", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/state.sqlite`;
  const world = new World();
  const start = () =>
    setting({ state: kvState(path), tools: [wipe(world)] }).app;
  try {
    let app = start();
    const asked = await sendRound(app, wipeA);
    await app.close();
    app = start();
    assert.equal(textOf(await reply(app, asked, yes)), "wiped");
    await app.close();
    app = start();
    assertAsks(await reply(app, asked, yes), "sure");
    await app.close();
    assert.equal(world.actions.length, 1);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("consent() needs a record: answers that come unasked are no consent", async () => {
  const { app, world } = setting({ requestState: { seal: false } });
  const forged = [
    undefined,
    "",
    crypto.randomUUID(),
    carry(crypto.randomUUID()),
    carry("../../tenant/default/x"),
    carry(7),
    carry({ answer: accept({ yes: true }) }),
    `parley.carry.1:${JSON.stringify({ answers: { sure: yes.sure } })}`,
  ];
  for (const requestState of forged) {
    const round = await sendRound(app, wipeA, {
      inputResponses: yes,
      ...(requestState !== undefined && { requestState }),
    });
    assertAsks(round, "sure");
  }
  assert.deepEqual(world.actions, []);
});

/** What an unsealed state with the id of a record looks like. */
function carry(id: unknown, key = "sure"): string {
  return `parley.carry.1:${
    JSON.stringify({ answers: { [`parley.consent:${key}`]: id } })
  }`;
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
  scopes: [],
};

function as(caller: AuthContext) {
  return {
    capabilities: ALL,
    headers: { "x-caller": JSON.stringify(caller) },
  };
}

Deno.test("consent() of one caller for one operation is nobody else's, and waits for them", async () => {
  // Not sealed, so that the state of another call gets as far as the record.
  const { app, world } = setting({
    auth: { verify },
    requestState: { seal: false },
  });
  const asked = await sendRound(app, wipeA, {}, as(ANN));
  const attempts: [string, AuthContext, Call][] = [
    ["another subject", { ...ANN, sub: "bob" }, wipeA],
    ["another client", { ...ANN, clientId: "other" }, wipeA],
    ["another issuer", { ...ANN, issuer: "https://evil.example" }, wipeA],
    ["another tenant", { ...ANN, tenantId: "umbrella" }, wipeA],
    ["another tool", ANN, toolCall("wipe_all", { path: "/a" })],
  ];
  for (const [name, caller, call] of attempts) {
    const round = await sendRound(
      app,
      call,
      { inputResponses: yes, requestState: asked.state },
      as(caller),
    );
    assertAsks(round, "sure");
    assert.deepEqual(world.actions, [], name);
  }
  const done = await reply(app, asked, yes);
  assert.equal(textOf(done), "wiped");
  const other = await sendRound(app, wipeA, {}, as(ANN));
  const elsewhere = await sendRound(
    app,
    toolCall("wipe", { path: "/b" }),
    { inputResponses: yes, requestState: other.state },
    as(ANN),
  );
  assertAsks(elsewhere, "sure");
  assert.equal(world.actions.length, 1);
});

Deno.test("consent() cannot be asked of a caller without a tenant", async () => {
  const { tenantId: _, ...nobody } = ANN;
  const { app } = setting({ auth: { verify }, requestState: { keys: [KEY] } });
  const round = await sendRound(app, wipeA, {}, as(nobody));
  const error = failureOf(round);
  assert.equal(error.code, -32600);
  assert.match(String(error.message), /without a tenant/);
});

Deno.test("consent() is refused with the answer, and the refusal is remembered", async () => {
  const { app, state } = setting({
    requestState: { keys: [KEY] },
    tools: [
      tool("wipe", {
        async handler(_args, ctx) {
          const { answer } = await ctx.consent("sure", {
            message: "Wipe?",
            schema: Yes,
            target: "/",
          });
          return String(answer.yes);
        },
      }),
      tool("why", {
        async handler(_args, ctx) {
          const given = await ctx.consent("sure", {
            message: "Wipe?",
            schema: Yes,
            target: "/",
            onDecline: "return",
          });
          if ("answer" in given) return "wiped";
          const { why } = await ctx.ask("why", {
            message: "Why not?",
            schema: z.object({ why: z.string() }),
          });
          return `${given.action}: ${why}`;
        },
      }),
    ],
  });
  const first = await sendRound(app, toolCall("wipe"));
  const declined = failureOf(await reply(app, first, { sure: DECLINED }));
  assert.partialDeepStrictEqual(declined.data, {
    reason: "input_declined",
    key: "sure",
  });
  assert.equal(await records(state), 0);

  const asked = await sendRound(app, toolCall("why"));
  const why = await reply(app, asked, { sure: { action: "cancel" } });
  assertAsks(why, "why");
  const done = await reply(app, why, { why: accept({ why: "too late" }) });
  assert.equal(textOf(done), "cancel: too late");
  assert.equal(await records(state), 0);
});

/** Acts after a consent and a question. */
function twoSteps(world: World): ToolDefinition {
  return tool("two_steps", {
    async handler(_args, ctx) {
      const { id } = await ctx.consent("sure", {
        message: "Wipe?",
        schema: Yes,
        target: "/a",
        content: world.files.get("/a"),
      });
      const { scope } = await ctx.ask("scope", {
        message: "Which scope?",
        schema: z.object({ scope: z.string().min(3) }),
      });
      world.actions.push(id);
      return scope;
    },
  });
}

Deno.test("consent() stays good while other questions follow, and is spent by the run that finishes", async () => {
  const world = new World();
  const { app, state } = setting({
    requestState: { keys: [KEY] },
    tools: [twoSteps(world)],
  });
  const first = await sendRound(app, toolCall("two_steps"));
  const second = await reply(app, first, yes);
  assertAsks(second, "scope");
  // The answer is in the record: the client has only an id to send.
  assert.ok(!atob64(second.state!).includes("yes"));
  const third = await reply(app, second, { scope: accept({ scope: "x" }) });
  assertAsks(third, "scope");
  const answers = { scope: accept({ scope: "sessions" }) };
  assert.equal(textOf(await reply(app, third, answers)), "sessions");
  assert.equal(world.actions.length, 1);
  assert.equal(await records(state), 0);
  // No state of the flow is good for another action.
  for (const round of [first, second, third]) {
    assertAsks(await reply(app, round, { ...yes, ...answers }), "sure");
  }
  assert.equal(world.actions.length, 1);
});

Deno.test("consent() that was given and travels on is redeemed by one of eight", async () => {
  const world = new World();
  const { app } = setting({
    requestState: { keys: [KEY] },
    tools: [twoSteps(world)],
  });
  const first = await sendRound(app, toolCall("two_steps"));
  const seconds = await Promise.all(
    Array.from({ length: 8 }, () => reply(app, first, yes)),
  );
  const granted = seconds.filter(({ asked }) => "scope" in asked);
  assert.equal(granted.length, 1);
  const answers = { scope: accept({ scope: "sessions" }) };
  const thirds = await Promise.all(
    Array.from({ length: 8 }, () => reply(app, granted[0]!, answers)),
  );
  const done = thirds.filter(({ answer }) =>
    answer.result.resultType === "complete"
  );
  assert.equal(done.length, 1);
  assert.equal(world.actions.length, 1);
});

Deno.test("consent() that was given is for what the target holds in the end", async () => {
  const world = new World();
  const { app } = setting({
    requestState: { keys: [KEY] },
    tools: [twoSteps(world)],
  });
  const first = await sendRound(app, toolCall("two_steps"));
  const second = await reply(app, first, yes);
  world.files.set("/a", "new");
  const third = await reply(app, second, {
    scope: accept({ scope: "sessions" }),
  });
  assertAsks(third, "sure");
  assert.deepEqual(world.actions, []);
});

Deno.test("consent() that a round does not come to waits for the next one", async () => {
  let gate = true;
  const { app } = setting({
    requestState: { keys: [KEY] },
    tools: [tool("gated", {
      async handler(_args, ctx) {
        await ctx.ask("gate", {
          message: "?",
          schema: z.object({ open: z.boolean().refine(() => gate) }),
        });
        const { answer } = await ctx.consent("sure", {
          message: "?",
          schema: Yes,
          target: "/",
        });
        return String(answer.yes);
      },
    })],
  });
  const open = { gate: accept({ open: true }) };
  const first = await sendRound(app, toolCall("gated"));
  const second = await reply(app, first, open);
  assertAsks(second, "sure");
  gate = false;
  const third = await reply(app, second, yes);
  assertAsks(third, "gate");
  gate = true;
  const done = await reply(app, third, { ...open, ...yes });
  assert.equal(textOf(done), "true");
});

Deno.test("consent() to one question is no consent to another one about the same", async () => {
  const done: string[] = [];
  const { app } = setting({
    requestState: { seal: false },
    tools: [tool("either", {
      input: z.object({ key: z.string() }),
      async handler({ key }, ctx) {
        await ctx.consent(key, { message: "Sure?", schema: Yes, target: "/" });
        done.push(key);
        return "done";
      },
    })],
  });
  const hide = toolCall("either", { key: "hide" });
  const asked = await sendRound(app, hide);
  const [id] = /[0-9a-f-]{36}/.exec(asked.state!)!;
  const wipe = toolCall("either", { key: "wipe" });
  const swapped = { ...asked, call: wipe, state: carry(id, "wipe") };
  const answers = {
    hide: accept({ yes: true }),
    wipe: accept({ yes: true }),
  };
  assertAsks(await reply(app, swapped, answers), "wipe");
  assert.deepEqual(done, []);
  assert.equal(textOf(await reply(app, asked, answers)), "done");
  assert.deepEqual(done, ["hide"]);
});

Deno.test("consent() and ask() side by side go out in one round", async () => {
  const { app, state } = setting({
    requestState: { keys: [KEY] },
    tools: [tool("both", {
      async handler(_args, ctx) {
        const [one, two, scope] = await Promise.all([
          ctx.consent("one", { message: "1?", schema: Yes, target: "/1" }),
          ctx.consent("two", { message: "2?", schema: Yes, target: "/2" }),
          ctx.ask("scope", {
            message: "Scope?",
            schema: z.object({ scope: z.string() }),
          }),
        ]);
        assert.notEqual(one.id, two.id);
        return `${one.answer.yes} ${two.answer.yes} ${scope.scope}`;
      },
    })],
  });
  const first = await sendRound(app, toolCall("both"));
  assert.deepEqual(Object.keys(first.asked).sort(), ["one", "scope", "two"]);
  assert.equal(await records(state), 2);
  // One is answered, the others are not: it is not asked again.
  const second = await reply(app, first, { one: accept({ yes: true }) });
  assert.deepEqual(Object.keys(second.asked).sort(), ["scope", "two"]);
  const done = await reply(app, second, {
    two: accept({ yes: false }),
    scope: accept({ scope: "all" }),
  });
  assert.equal(textOf(done), "true false all");
  assert.equal(await records(state), 0);
});

Deno.test("consent() under one key is to one thing: the same again gives the same, another is refused", async () => {
  const consent = { message: "Sure?", schema: Yes };
  const { app } = setting({
    requestState: { keys: [KEY] },
    tools: [tool("twice", {
      input: z.object({ targets: z.array(z.string()) }),
      async handler({ targets }, ctx) {
        const ids: string[] = [];
        for (const target of targets) {
          ids.push((await ctx.consent("sure", { ...consent, target })).id);
        }
        return String(new Set(ids).size);
      },
    })],
  });
  const same = toolCall("twice", { targets: ["/a", "/a"] });
  const asked = await sendRound(app, same);
  assert.equal(textOf(await reply(app, asked, yes)), "1");
  const other = await sendRound(
    app,
    toolCall("twice", { targets: ["/a", "/b"] }),
  );
  const error = failureOf(await reply(app, other, yes));
  assert.match(String(error.message), /"sure".*key of its own/);
});

Deno.test("consent() is never skipped for want of a capability, and leaves no record behind", async () => {
  const { app, world, state } = setting({ requestState: { keys: [KEY] } });
  for (const capabilities of [{}, { elicitation: { url: {} } }]) {
    const round = await sendRound(
      app,
      wipeA,
      { inputResponses: yes },
      { capabilities },
    );
    assert.equal(round.answer.status, 400);
    assert.equal(round.answer.error.code, -32021);
  }
  const person = await connect("v2 legacy", app, () => accept({ yes: true }), {
    capabilities: {},
  });
  const result = await person.request("tools/call", {
    name: "wipe",
    arguments: { path: "/a" },
  });
  assert.partialDeepStrictEqual(result, {
    isError: true,
    structuredContent: { error: { code: -32600 } },
  });
  await person.close();
  assert.equal(await records(state), 0);
  assert.deepEqual(world.actions, []);
  await app.close();
});

Deno.test("consent() refuses what cannot be kept", async () => {
  const odd: Record<string, Json> = {
    ttl0: { ttl: 0 },
    ttlNegative: { ttl: -1 },
    ttlNaN: { ttl: NaN },
    ttlInfinite: { ttl: Infinity },
    ttlText: { ttl: "600" },
    noTarget: { target: undefined },
    content: { content: () => {} },
    big: { content: { n: 1n } },
  };
  const { app, state } = setting({
    requestState: { keys: [KEY] },
    tools: Object.entries(odd).map(([name, spec]) =>
      tool(name, {
        async handler(_args, ctx) {
          await ctx.consent("sure", {
            message: "?",
            schema: Yes,
            target: "/",
            ...spec as Record<never, never>,
          });
        },
      })
    ),
  });
  const said: Record<string, RegExp> = {
    ttl: /ttl is .* positive number of seconds/,
    noTarget: /target is of type undefined, want a string/,
    content: /JSON|bytes/,
    big: /JSON|bytes|bigint/i,
  };
  for (const name of Object.keys(odd)) {
    const { message } = failureOf(await sendRound(app, toolCall(name)));
    const wanted = said[name.startsWith("ttl") ? "ttl" : name]!;
    assert.match(String(message), wanted, name);
  }
  assert.equal(await records(state), 0);
});

Deno.test("consent() is not asked for when its record cannot be written", async () => {
  const state = memoryState();
  const { app, world } = setting({
    state: { ...bound(state), commit: () => Promise.resolve().then(fail) },
    requestState: { keys: [KEY] },
  });
  const round: Round = await sendRound(app, wipeA);
  assert.equal(failureOf(round).message, "The disk is full");
  assert.deepEqual(world.actions, []);
});

function fail(): never {
  throw new Error("The disk is full");
}

/** A store with methods that can be replaced one by one. */
function bound(state: StateBackend): StateBackend {
  return {
    name: state.name,
    shared: state.shared,
    durable: state.durable,
    get: (keys) => state.get(keys),
    list: (range) => state.list(range),
    commit: (write) => state.commit(write),
    close: () => state.close(),
  };
}

/** What can be read in a signed token. */
function atob64(token: string): string {
  return new TextDecoder().decode(
    Uint8Array.fromBase64(token.split(".")[1]!, { alphabet: "base64url" }),
  );
}
