import assert from "node:assert/strict";
import { MAX_CARRIED_BYTES } from "../../input/mod.ts";
import { prompt, resource, tool, z } from "../../mod.ts";
import {
  accept,
  assertAsks,
  failureOf,
  reply,
  type Round,
  sealingApp,
  sendRound,
  textOf,
  toolCall,
} from "./_rounds.ts";

const Text = z.object({ text: z.string() });

/** Asks a number of questions, one after the other. */
function interview(count: number) {
  return tool("interview", {
    async handler(_args, ctx) {
      let length = 0;
      for (let i = 0; i < count; i++) {
        const { text } = await ctx.ask(`question${i}`, {
          message: `Question ${i}?`,
          schema: Text,
        });
        length += text.length;
      }
      return String(length);
    },
  });
}

Deno.test("ten questions in sequence keep the state below 2,048 characters", async () => {
  const app = sealingApp({ tools: [interview(10)] });
  let round = await sendRound(app, toolCall("interview"));
  const sizes: number[] = [];
  for (let i = 0; i < 10; i++) {
    assertAsks(round, `question${i}`);
    sizes.push(round.state?.length ?? 0);
    const text = "an answer of 30 characters ...";
    round = await reply(app, round, { [`question${i}`]: accept({ text }) });
  }
  assert.equal(textOf(round), "300");
  assert.equal(sizes[0], 0);
  assert.deepEqual(sizes.toSorted((a, b) => a - b), sizes);
  assert.ok(sizes.at(-1)! < 2_048, `${sizes}`);
});

Deno.test("answers that take more than the limit end the call with an error that says so", async () => {
  const app = sealingApp({ tools: [interview(3)] });
  const answers = async (size: number): Promise<Round> => {
    const first = await sendRound(app, toolCall("interview"));
    return await reply(app, first, {
      question0: accept({ text: "x".repeat(size) }),
    });
  };
  const framing = JSON.stringify({ question0: accept({ text: "" }) }).length;
  const fits = await answers(MAX_CARRIED_BYTES - framing);
  assertAsks(fits, "question1");
  assert.ok(fits.state!.length < 128 * 1024, `${fits.state!.length}`);

  const error = failureOf(await answers(MAX_CARRIED_BYTES - framing + 1));
  assert.equal(error.code, 422);
  assert.match(
    String(error.message),
    /answers.*65537 bytes, want at most 65536$/,
  );
  assert.partialDeepStrictEqual(error.data, {
    reason: "carried_answers_too_large",
    bytes: MAX_CARRIED_BYTES + 1,
    limit: MAX_CARRIED_BYTES,
  });
});

Deno.test("the last answer of a flow may be large, as nothing carries it", async () => {
  const app = sealingApp({ tools: [interview(1)] });
  const first = await sendRound(app, toolCall("interview"));
  const text = "x".repeat(3 * MAX_CARRIED_BYTES);
  const done = await reply(app, first, { question0: accept({ text }) });
  assert.equal(textOf(done), String(text.length));
});

Deno.test("a state of a handler's own that cannot be sealed is a loud error of the server", async () => {
  const handler = (
    _input: unknown,
    ctx: {
      requestInput(spec: { requestState: string }): never;
      inputs: { state(): string | undefined };
    },
  ) => {
    const state = ctx.inputs.state();
    if (state !== undefined) return `${state.length}`;
    return ctx.requestInput({ requestState: "x".repeat(size) });
  };
  let size = 180_000;
  const app = sealingApp({
    tools: [tool("large", { handler })],
    resources: [resource("large://a", { name: "large", handler })],
    prompts: [prompt("large", { handler })],
  });
  const fits = await sendRound(app, toolCall("large"));
  assert.equal(textOf(await reply(app, fits, {})), "180000");
  size = 300_000;
  for (
    const call of [
      toolCall("large"),
      { method: "resources/read", params: { uri: "large://a" } },
      { method: "prompts/get", params: { name: "large" } },
    ]
  ) {
    const { error } = (await sendRound(app, call)).answer;
    assert.equal(error.code, -32603);
    assert.match(String(error.message), /requestState.*want at most 262144/);
    assert.partialDeepStrictEqual(error.data, {
      reason: "request_state_too_large",
    });
  }
});
