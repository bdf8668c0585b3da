import assert from "node:assert/strict";
import {
  type App,
  createApp,
  inputRequired,
  memoryState,
  tool,
  z,
} from "../../mod.ts";
import type { StateBackend } from "../../state/mod.ts";
import { countUses } from "./_counted.ts";
import {
  echoApp,
  legacyEcho,
  modernCall,
  modernEcho,
  openSession,
  SERVED,
} from "./_echo_app.ts";

/** A store that tells how often it is used. */
function countingState(): { state: StateBackend; used: () => string[] } {
  const inner = memoryState();
  let used: string[] = [];
  const state = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name !== "close") used.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
  function take(): string[] {
    const taken = used;
    used = [];
    return taken;
  }
  return { state, used: take };
}

async function answered(app: App, request: Request): Promise<string> {
  return await (await app.fetch(request, SERVED)).text();
}

Deno.test("a tool that keeps nothing costs the store nothing", async () => {
  const { state, used } = countingState();
  const app = echoApp(state);
  await answered(app, modernEcho());
  used();
  for (let i = 0; i < 5; i++) await answered(app, modernEcho());
  assert.deepEqual(used(), []);
  await app.close();
});

Deno.test("a call of a session that is known costs the store nothing", async () => {
  const { state, used } = countingState();
  const app = echoApp(state);
  const session = await openSession(app);
  assert.notDeepEqual(used(), []);
  await answered(app, legacyEcho(session));
  used();
  for (let i = 0; i < 5; i++) await answered(app, legacyEcho(session));
  assert.deepEqual(used(), []);
  await app.close();
});

Deno.test("each use of ctx.state is one use of the store", async () => {
  const { state, used } = countingState();
  const app = createApp({
    name: "budget",
    version: "1.0.0",
    tools: [
      tool("keep", {
        async handler(_args, ctx) {
          await ctx.state.set("a", 1);
          return String(await ctx.state.get("a"));
        },
      }),
    ],
    state,
  });
  await answered(app, modernCall("keep", {}));
  used();
  assert.match(await answered(app, modernCall("keep", {})), /"text":"1"/);
  assert.deepEqual(used(), ["commit", "get"]);
  await app.close();
});

const Confirm = z.object({ confirm: z.boolean() });

function askingApp(state: StateBackend, encrypt = false): App {
  return createApp({
    name: "budget",
    version: "1.0.0",
    tools: [
      tool("confirm", {
        handler(_args, ctx) {
          if (ctx.inputs.accepted("confirm", Confirm) !== undefined) {
            return ctx.inputs.state<string>();
          }
          return ctx.requestInput({
            inputRequests: {
              confirm: inputRequired.elicit({
                message: "Go on?",
                requestedSchema: Confirm,
              }),
            },
            requestState: "job-7",
          });
        },
      }),
    ],
    state,
    requestState: {
      keys: ["budget-key-0123456789-0123456789-0123456789"],
      encrypt,
    },
  });
}

/** Asks, and answers; gives the text of the last answer. */
async function twoRounds(app: App): Promise<string> {
  const first = JSON.parse(await answered(app, modernCall("confirm", {})));
  return await answered(
    app,
    modernCall("confirm", {}, {
      requestState: first.result.requestState,
      inputResponses: {
        confirm: { action: "accept", content: { confirm: true } },
      },
    }),
  );
}

const OPERATIONS = [
  "digest",
  "sign",
  "verify",
  "importKey",
  "encrypt",
  "decrypt",
] as const;

/** How often each operation of Web Crypto is used in two rounds. */
async function cryptoOf(app: App): Promise<Record<string, number>> {
  const uses: Record<string, number> = {};
  for (const name of OPERATIONS) {
    const count = await countUses(crypto.subtle, name, () => twoRounds(app));
    if (count > 0) uses[name] = count;
  }
  return uses;
}

Deno.test("two rounds of input cost the store nothing, and sign in place", async () => {
  const { state, used } = countingState();
  const app = askingApp(state);
  assert.match(await twoRounds(app), /"text":"job-7"/);
  used();
  assert.deepEqual(await cryptoOf(app), {});
  assert.deepEqual(used(), []);
  await app.close();
});

Deno.test("two rounds of encrypted state take one operation of Web Crypto each", async () => {
  const app = askingApp(memoryState(), true);
  assert.match(await twoRounds(app), /"text":"job-7"/);
  assert.deepEqual(await cryptoOf(app), { encrypt: 1, decrypt: 1 });
  await app.close();
});
