import assert from "node:assert/strict";
import {
  type AppOptions,
  createApp,
  generateSealKey,
  inputRequired,
  kvState,
  memoryState,
  tool,
  z,
} from "../../mod.ts";
import { startServer } from "../transport/modern/_server_process.ts";
import { sealKeyOf } from "../../transport/run/create_state_seal.ts";
import {
  accept,
  assertAsks,
  KEY,
  reply,
  type Round,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Ok = z.object({ ok: z.boolean() });

const step = tool("step", {
  handler: (_args, ctx) =>
    ctx.inputs.state() ?? ctx.requestInput({
      inputRequests: {
        ok: inputRequired.elicit({ message: "?", requestedSchema: Ok }),
      },
      requestState: "step 1",
    }),
});

const stepCall = toolCall("step");
const ok = { ok: accept({ ok: true }) };

function appWith(options: Partial<AppOptions>) {
  return createApp({
    name: "seal",
    version: "1.0.0",
    tools: [step],
    logLevel: "emergency",
    ...options,
  });
}

/** A server in another process, as far as a test needs it. */
function remote(url: string) {
  return {
    fetch: (request: Request) =>
      fetch(url, {
        method: request.method,
        headers: request.headers,
        body: request.body,
      }),
  };
}

function assertRefused({ answer }: Round): void {
  assert.equal(answer.error.code, -32602);
  assert.deepEqual(answer.error.data, { reason: "invalid_request_state" });
}

Deno.test("settings that cannot seal stop the app from being made, and show no key", () => {
  const short = "only 20 bytes, 20 ..";
  const odd: Record<string, AppOptions["requestState"]> = {
    "a short key": { keys: [short] },
    "a short key of bytes": { keys: [new Uint8Array(31)] },
    "a short key behind a good one": { keys: [KEY, short] },
    "the same key twice": { keys: [KEY, KEY] },
    "the same key as bytes": { keys: [KEY, new TextEncoder().encode(KEY)] },
    "no keys": { keys: [] },
    "a key that is none": { keys: [7 as never] },
    "ttl 0": { keys: [KEY], ttlSeconds: 0 },
    "a negative ttl": { keys: [KEY], ttlSeconds: -1 },
    "an infinite ttl": { keys: [KEY], ttlSeconds: Infinity },
    "no number": { keys: [KEY], ttlSeconds: NaN },
    "an infinite ttl, and a key from the store": { ttlSeconds: Infinity },
    "encryption without a key": { encrypt: true },
    "encryption without a seal": { encrypt: true, seal: false, keys: [KEY] },
  };
  for (const [name, requestState] of Object.entries(odd)) {
    assert.throws(
      () => appWith({ requestState, state: memoryState() }),
      (error: Error) => {
        assert.ok(!error.message.includes(short), name);
        assert.ok(!error.message.includes(KEY), name);
        return true;
      },
      name,
    );
  }
});

Deno.test("keys come from MCP_REQUEST_STATE_KEY, the first of which signs", async () => {
  const old = generateSealKey();
  const app = appWith({ requestState: { keys: [old] }, state: memoryState() });
  const asked = await sendRound(app, stepCall);
  const name = "MCP_REQUEST_STATE_KEY";
  const before = Deno.env.get(name);
  try {
    Deno.env.set(name, `${KEY}, ${old}`);
    const rotated = appWith({ state: memoryState() });
    assert.equal(textOf(await reply(rotated, asked, ok)), "step 1");
    const fresh = await sendRound(rotated, stepCall);
    assertRefused(await reply(app, fresh, ok));
    const first = appWith({
      requestState: { keys: [KEY] },
      state: memoryState(),
    });
    assert.equal(textOf(await reply(first, fresh, ok)), "step 1");
    // Options win over the environment.
    const chosen = appWith({
      requestState: { keys: [generateSealKey()] },
      state: memoryState(),
    });
    assertRefused(await reply(chosen, fresh, ok));
    Deno.env.set(name, "too short");
    assert.throws(() => appWith({ state: memoryState() }), /MCP_REQUEST_STATE/);
  } finally {
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
});

Deno.test("an app on a durable store seals with a key that is kept there", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/state.sqlite`;
  try {
    for (const encrypt of [false, true]) {
      const requestState = { encrypt };
      const app = appWith({ state: kvState(path), requestState });
      const asked = await sendRound(app, stepCall);
      assert.match(asked.state!, encrypt ? /^v1e\./ : /^v1\./);
      assertRefused(
        await sendRound(app, stepCall, { requestState: "step 1" }),
      );
      await app.close();
      const restarted = appWith({ state: kvState(path), requestState });
      assert.equal(textOf(await reply(restarted, asked, ok)), "step 1");
      await restarted.close();
    }
    const elsewhere = appWith({ state: kvState(`${directory}/other.sqlite`) });
    const asked = await sendRound(elsewhere, stepCall);
    await elsewhere.close();
    const app = appWith({ state: kvState(path) });
    assertRefused(await reply(app, asked, ok));
    await app.close();
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("eight processes' worth of apps that make the key at once agree on one", async () => {
  const directory = await Deno.makeTempDir();
  const path = `${directory}/state.sqlite`;
  const stores = Array.from({ length: 8 }, () => kvState(path));
  try {
    const keys = await Promise.all(stores.map((store) => sealKeyOf(store)));
    assert.equal(new Set(keys).size, 1);
    assert.match(keys[0]!, /^[\w-]{43}$/);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("two processes on one KV file open what the other one sealed", async () => {
  const directory = await Deno.makeTempDir();
  const program = new URL("programs/seal_server.ts", import.meta.url).pathname;
  const args = ["run", "-A", program, `${directory}/state.sqlite`];
  try {
    await using one = await startServer(args);
    await using two = await startServer(args);
    const apps = [remote(one.url), remote(two.url)];
    for (const [asking, answered] of [apps, apps.toReversed()]) {
      const asked = await sendRound(asking!, stepCall);
      assertAsks(asked, "ok");
      assert.match(asked.state!, /^v1\./);
      assert.equal(textOf(await reply(answered!, asked, ok)), "step 1");
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a store that cannot give its key refuses the round, and serves the next one", async () => {
  const kv = kvState(":memory:");
  let broken = true;
  const app = appWith({
    state: {
      name: kv.name,
      shared: false,
      durable: true,
      get: (keys) =>
        broken ? Promise.reject(new Error("no disk")) : kv.get(keys),
      list: (range) => kv.list(range),
      commit: (write) => kv.commit(write),
      close: () => kv.close(),
    },
  });
  const { error } = (await sendRound(app, stepCall)).answer;
  assert.equal(error.message, "no disk");
  broken = false;
  const asked = await sendRound(app, stepCall);
  assert.equal(textOf(await reply(app, asked, ok)), "step 1");
  await app.close();
});

Deno.test("a round takes at most two operations of Web Crypto", async () => {
  for (const encrypt of [false, true]) {
    for (const keys of [[KEY], [generateSealKey(), KEY]]) {
      const app = sealingApp({
        tools: [tool("thrice", {
          async handler(_args, ctx) {
            await ctx.ask("one", { message: "1", schema: Ok });
            await ctx.ask("two", { message: "2", schema: Ok });
            await ctx.ask("three", { message: "3", schema: Ok });
            return "done";
          },
        })],
        requestState: { keys, encrypt },
      });
      const run = async () => {
        let round = await sendRound(app, toolCall("thrice"));
        const counts: number[] = [];
        for (const key of ["one", "two", "three"]) {
          using counted = countCrypto();
          round = await reply(app, round, { [key]: accept({ ok: true }) });
          counts.push(counted.count);
        }
        assert.equal(textOf(round), "done");
        return counts;
      };
      // The first time keys are prepared, which is kept.
      await run();
      const counts = await run();
      assert.ok(counts.every((count) => count <= 2), `${counts}`);
      // Signing has a shorter way where the platform gives one.
      if (encrypt) assert.deepEqual(counts, [1, 2, 1]);
    }
  }
});

/** Counts what is asked of Web Crypto until it is disposed. */
function countCrypto(): Disposable & { readonly count: number } {
  let count = 0;
  const names = Object.getOwnPropertyNames(SubtleCrypto.prototype);
  const restore = names.filter((name) => name !== "constructor").map((name) => {
    const original = Reflect.get(crypto.subtle, name);
    if (typeof original !== "function") return () => {};
    Object.defineProperty(crypto.subtle, name, {
      configurable: true,
      value: (...args: unknown[]) => {
        count++;
        return Reflect.apply(original, crypto.subtle, args);
      },
    });
    return () => void Reflect.deleteProperty(crypto.subtle, name);
  });
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => restore.forEach((undo) => undo()),
  };
}
