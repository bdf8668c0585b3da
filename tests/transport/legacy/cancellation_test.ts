import assert from "node:assert/strict";
import { memoryState, tool, z } from "../../../mod.ts";
import { RawSession } from "./_raw_session.ts";
import { testApp } from "./_support.ts";

/** A tool that runs until it is aborted or let go. */
function waitingTool() {
  const running: { id: number; signal: AbortSignal }[] = [];
  const gate = Promise.withResolvers<void>();
  const definition = tool("wait", {
    input: z.object({ id: z.number() }),
    async handler({ id }, ctx) {
      running.push({ id, signal: ctx.signal });
      const aborted = new Promise<void>((resolve) => {
        ctx.signal.addEventListener("abort", () => resolve());
        if (ctx.signal.aborted) resolve();
      });
      await Promise.race([gate.promise, aborted]);
      return ctx.signal.aborted ? "aborted" : "let go";
    },
  });
  return { definition, running, letGo: () => gate.resolve() };
}

async function cancel(
  session: RawSession,
  params: unknown,
): Promise<void> {
  const method = "notifications/cancelled";
  const response = await session.post({ jsonrpc: "2.0", method, params });
  assert.equal(response.status, 202);
  assert.equal(await response.text(), "");
}

Deno.test("a cancellation on a POST of its own aborts the call, which is not answered", async () => {
  const { definition, running } = waitingTool();
  const app = testApp({ tools: [definition] });
  const session = await RawSession.open(app);
  for (const id of [0, "", "x", 17]) {
    const response = session.call("wait", { id: 1 }, id);
    await cancel(session, { requestId: id, reason: "Changed my mind" });
    const { signal } = running.pop()!;
    assert.equal(signal.aborted, true);
    assert.equal(signal.reason.message, "Changed my mind");
    const ended = await response;
    assert.equal(ended.status, 200);
    assert.equal(ended.headers.get("content-type"), "text/event-stream");
    assert.equal(await ended.text(), "");
  }
  await app.close();
});

Deno.test("a cancellation of what does not run is passed over", async () => {
  const { definition, running, letGo } = waitingTool();
  const app = testApp({ tools: [definition] });
  const session = await RawSession.open(app);
  const other = await RawSession.open(app);
  const response = session.call("wait", { id: 1 }, 0);
  for (
    const params of [
      undefined,
      {},
      [],
      { requestId: null },
      { requestId: "0" },
      { requestId: 99 },
      { requestId: { a: 1 } },
    ]
  ) {
    await cancel(session, params);
  }
  await cancel(other, { requestId: 0 });
  assert.equal(running[0]!.signal.aborted, false);
  letGo();
  const { result } = await (await response).json();
  assert.equal(result.content[0].text, "let go");
  // It is finished now.
  await cancel(session, { requestId: 0 });
  await app.close();
});

Deno.test("cancellations of what does not run leave next to nothing in the store", async () => {
  const state = memoryState();
  const app = testApp({ state });
  const session = await RawSession.open(app);
  const long = "x".repeat(500_000);
  for (
    const params of [
      { requestId: 1, reason: long },
      { requestId: long },
      { requestId: { a: long } },
      { requestId: [long] },
    ]
  ) await cancel(session, params);
  // Closing writes what waits to be told.
  const told = Promise.withResolvers<number>();
  const close = state.close.bind(state);
  state.close = async () => {
    let size = 0;
    const heads = await state.list({ prefix: ["parley", "relay"], limit: 9 });
    for (const { key } of heads) {
      const entries = await state.list({ prefix: key, limit: 99 });
      for (const { value } of entries) size += value.length;
    }
    told.resolve(size);
    await close();
  };
  await app.close();
  const size = await told.promise;
  assert.ok(size > 0 && size < 10_000, String(size));
});

Deno.test("a cancellation reaches the oldest of the calls with its id, and no other", async () => {
  const { definition, running, letGo } = waitingTool();
  const app = testApp({ tools: [definition] });
  const session = await RawSession.open(app);
  const first = session.call("wait", { id: 1 }, "same");
  const second = session.call("wait", { id: 2 }, "same");
  await cancel(session, { requestId: "same" });
  assert.deepEqual(
    running.map(({ id, signal }) => [id, signal.aborted]),
    [[1, true], [2, false]],
  );
  letGo();
  assert.equal(await (await first).text(), "");
  const { result } = await (await second).json();
  assert.equal(result.content[0].text, "let go");
  await app.close();
});

Deno.test("the end of the session aborts its calls, and they are answered with an error", async () => {
  const { definition, running, letGo } = waitingTool();
  const app = testApp({ tools: [definition] });
  const session = await RawSession.open(app);
  const other = await RawSession.open(app);
  const responses = [1, 2].map((id) => session.call("wait", { id }, id));
  const others = other.call("wait", { id: 3 }, 1);
  // The calls have begun once a later request is answered.
  await (await session.request("ping", undefined, "p")).text();
  assert.equal((await session.delete()).status, 204);
  assert.deepEqual(
    running.map(({ signal }) => signal.aborted),
    [true, true, false],
  );
  for (const [index, response] of responses.entries()) {
    const { id, error } = await (await response).json();
    assert.equal(id, index + 1);
    assert.equal(error.code, -32600);
  }
  letGo();
  const { result } = await (await others).json();
  assert.equal(result.content[0].text, "let go");
  await app.close();
});
