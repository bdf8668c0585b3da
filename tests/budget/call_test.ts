import assert from "node:assert/strict";
import type { App } from "../../mod.ts";
import { countUses } from "./_counted.ts";
import {
  echoApp,
  legacyEcho,
  modernEcho,
  openSession,
  SERVED,
} from "./_echo_app.ts";
import { countPromises } from "./_promises.ts";

const MODERN_ANSWER =
  '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"{\\"message\\":\\"hello\\"}"}],"structuredContent":{"message":"hello"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"budget","version":"1.0.0"}}}}';
const LEGACY_ANSWER =
  '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"message\\":\\"hello\\"}"}],"structuredContent":{"message":"hello"}}}';

/** The calls of both eras, on an app that has answered them before. */
interface WarmCalls {
  readonly app: App;
  readonly eras: readonly { era: string; request: () => Request }[];
}

async function warmUp(): Promise<WarmCalls> {
  const app = echoApp();
  const session = await openSession(app);
  const eras = [
    { era: "modern", request: modernEcho },
    { era: "legacy", request: () => legacyEcho(session) },
  ];
  for (const { request } of eras) {
    for (let i = 0; i < 3; i++) await answered(app, request());
  }
  return { app, eras };
}

async function answered(app: App, request: Request): Promise<string> {
  return await (await app.fetch(request, SERVED)).text();
}

/** The least an asynchronous server can do: read the body, and answer. */
async function bare(request: Request): Promise<Response> {
  await request.json();
  return new Response("{}", {
    headers: { "content-type": "application/json" },
  });
}

Deno.test("a call is answered with its bytes, and one header", async () => {
  const { app, eras } = await warmUp();
  const texts = [MODERN_ANSWER, LEGACY_ANSWER];
  for (const [i, { era, request }] of eras.entries()) {
    const response = await app.fetch(request(), SERVED);
    // A second one leaves the fast path of the server.
    assert.deepEqual(
      [...response.headers],
      [["content-type", "application/json"]],
      era,
    );
    assert.equal(await response.text(), texts[i], era);
  }
  await app.close();
});

Deno.test("a call makes few promises, and always as many", async () => {
  const { app, eras } = await warmUp();
  const budget: Record<string, number> = { modern: 2, legacy: 4 };
  async function promisesOf(
    serve: (request: Request) => Promise<Response>,
    request: Request,
  ): Promise<number> {
    const { made, value } = await countPromises(() => serve(request));
    await value.text();
    return made;
  }
  const floor = await promisesOf(bare, modernEcho());
  for (const { era, request } of eras) {
    const counts: number[] = [];
    for (let i = 0; i < 3; i++) {
      const made = await promisesOf(
        (sent) => app.fetch(sent, SERVED),
        request(),
      );
      counts.push(made - floor);
    }
    assert.equal(new Set(counts).size, 1, `${era}: ${counts}`);
    assert.ok(
      counts[0]! <= budget[era]!,
      `${era}: ${counts[0]} more than reading and answering takes, wanted ${
        budget[era]
      } at most`,
    );
  }
  await app.close();
});

Deno.test("a call whose handler asks for nothing takes no timer, no AbortController and one UUID", async () => {
  const { app, eras } = await warmUp();
  for (const { era, request } of eras) {
    const sent = [1, 2, 3, 4, 5].map(request);
    const call = () => answered(app, sent.pop()!);
    const uses = {
      AbortController: await countUses(globalThis, "AbortController", call),
      setTimeout: await countUses(globalThis, "setTimeout", call),
      setInterval: await countUses(globalThis, "setInterval", call),
      TextEncoder: await countUses(globalThis, "TextEncoder", call),
      randomUUID: await countUses(crypto, "randomUUID", call),
    };
    assert.deepEqual(uses, {
      AbortController: 0,
      setTimeout: 0,
      setInterval: 0,
      TextEncoder: 0,
      randomUUID: 1,
    }, era);
  }
  await app.close();
});

Deno.test("a call reads neither the signal nor the stream of its request", async () => {
  const { app, eras } = await warmUp();
  for (const { era, request } of eras) {
    const sent = request();
    const touched: string[] = [];
    for (const name of ["signal", "body"] as const) {
      Object.defineProperty(sent, name, {
        get() {
          touched.push(name);
          return Reflect.get(Request.prototype, name, sent);
        },
      });
    }
    await answered(app, sent);
    // Each costs more than half of a call.
    assert.deepEqual(touched, [], era);
  }
  await app.close();
});
