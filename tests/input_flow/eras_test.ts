import assert from "node:assert/strict";
import {
  type App,
  type AppOptions,
  inputRequired,
  prompt,
  resource,
  tool,
  z,
} from "../../mod.ts";
import {
  type Answerer,
  type ClientKind,
  CLIENTS,
  connect,
} from "./_clients.ts";
import type { Person, PersonOptions, Question } from "./_clients.ts";
import { sealingApp } from "./_rounds.ts";

const Text = z.object({ text: z.string().min(1) });
const one = { message: "one", schema: Text };
const two = { message: "two", schema: Text };
const three = { message: "three", schema: Text };

/** Answers each question with its own message. */
const echo: Answerer = ({ params }: Question) => ({
  action: "accept",
  content: { text: `<${params.message}>` },
});

interface Meeting {
  readonly app: App;
  readonly person: Person;
  /** Calls the tool `"it"`, and gives the text of its result. */
  say(): Promise<string>;
}

async function meet(
  kind: ClientKind,
  definitions: Partial<AppOptions>,
  answer: Answerer,
  use: (meeting: Meeting) => Promise<void>,
  options: PersonOptions = {},
): Promise<void> {
  const app = sealingApp(definitions);
  const person = await connect(kind, app, answer, options);
  const say = async () => {
    const result = await person.request("tools/call", {
      name: "it",
      arguments: {},
    });
    return (result.content as { text: string }[])[0]!.text;
  };
  try {
    await use({ app, person, say });
  } finally {
    await person.close();
    await app.close();
  }
}

function messages({ asked }: Person): unknown[] {
  return asked.map(({ params }) => params.message);
}

for (const kind of CLIENTS) {
  Deno.test(`questions in sequence, side by side and together reach the person (${kind})`, () => {
    const it = tool("it", {
      async handler(_args, ctx) {
        const first = await ctx.ask("one", one);
        const [second, third] = await Promise.all([
          ctx.ask("two", two),
          ctx.ask("three", three),
        ]);
        const last = await ctx.ask({
          four: { message: "four", schema: Text },
          five: { message: "five", schema: Text },
        });
        return [first, second, third, last.four, last.five]
          .map(({ text }) => text).join("");
      },
    });
    return meet(kind, { tools: [it] }, echo, async ({ person, say }) => {
      assert.equal(await say(), "<one><two><three><four><five>");
      assert.deepEqual(messages(person), [
        "one",
        "two",
        "three",
        "four",
        "five",
      ]);
    });
  });

  Deno.test(`a suspension that is swallowed or wrapped is one all the same (${kind})`, () => {
    const it = tool("it", {
      async handler(_args, ctx) {
        const first = await ctx.ask("one", one).catch(() => ({ text: "no" }));
        try {
          const second = await ctx.ask("two", two);
          return first.text + second.text;
        } catch (error) {
          throw new Error("wrapped", { cause: error });
        }
      },
    });
    return meet(kind, { tools: [it] }, echo, async ({ person, say }) => {
      assert.equal(await say(), "<one><two>");
      assert.deepEqual(messages(person), ["one", "two"]);
    });
  });

  Deno.test(`a question put by a service suspends the handler that awaits it (${kind})`, () => {
    async function service(ask: () => Promise<{ text: string }>) {
      const { text } = await ask();
      return `served ${text}`;
    }
    const it = tool("it", {
      async handler(_args, ctx) {
        return await service(() => ctx.ask("one", one));
      },
    });
    return meet(kind, { tools: [it] }, echo, async ({ say }) => {
      assert.equal(await say(), "served <one>");
    });
  });

  Deno.test(`a refusal ends the call, or goes to a handler that wants it (${kind})`, () => {
    const it = tool("it", {
      async handler(_args, ctx) {
        const view = await ctx.ask("one", { ...one, onDecline: "return" });
        const said = "text" in view ? view.text : view.action;
        ctx.log.info("said", { said });
        await ctx.ask("two", two);
        return said;
      },
    });
    const refuse: Answerer = ({ params }) => ({
      action: params.message === "one" ? "decline" : "cancel",
    });
    return meet(kind, { tools: [it] }, refuse, async ({ person }) => {
      const result = await person.request("tools/call", {
        name: "it",
        arguments: {},
      });
      assert.deepEqual(messages(person), ["one", "two"]);
      assert.equal(result.isError, true);
      const { error } = result.structuredContent as {
        error: { code: number; data: Record<string, unknown> };
      };
      assert.equal(error.code, 422);
      assert.equal(error.data.reason, "input_cancelled");
      assert.equal(error.data.key, "two");
    });
  });

  Deno.test(`consent is given once, and its id stays while another question follows (${kind})`, () => {
    const ids: string[] = [];
    let acted = 0;
    const it = tool("it", {
      async handler(_args, ctx) {
        const { answer, id } = await ctx.consent("sure", {
          message: "sure?",
          schema: Text,
          target: "/a",
          content: new Uint8Array([1, 2, 3]),
        });
        ids.push(id);
        const { text } = await ctx.ask("one", one);
        acted++;
        return answer.text + text;
      },
    });
    return meet(kind, { tools: [it] }, echo, async ({ person, say }) => {
      assert.equal(await say(), "<sure?><one>");
      assert.deepEqual(messages(person), ["sure?", "one"]);
      assert.equal(ids.length, 2);
      assert.equal(ids[0], ids[1]);
      assert.equal(acted, 1);
      // Another call asks again, whatever was agreed to in the last one.
      assert.equal(await say(), "<sure?><one>");
      assert.equal(messages(person).length, 4);
      assert.notEqual(ids[2], ids[0]);
    });
  });

  Deno.test(`reads and prompts ask, too (${kind})`, () => {
    const read = resource("note://{id}", {
      name: "note",
      async handler({ id }, ctx) {
        const { text } = await ctx.ask("one", one);
        return `${ctx.uri?.href} ${id} ${text}`;
      },
    });
    const by = resource("page://front", {
      name: "front",
      handler(_params, ctx) {
        const answer = ctx.inputs.accepted("two", Text);
        if (answer !== undefined) return answer.text + ctx.inputs.state();
        return inputRequired({
          inputRequests: {
            two: inputRequired.elicit({
              message: "two",
              requestedSchema: Text,
            }),
          },
          requestState: "!",
        });
      },
    });
    const greet = prompt("greet", {
      args: z.object({ who: z.string() }),
      async handler({ who }, ctx) {
        const { text } = await ctx.ask("three", three);
        return `${who} ${text}`;
      },
    });
    const definitions = { resources: [read, by], prompts: [greet] };
    return meet(kind, definitions, echo, async ({ person }) => {
      const note = await person.request("resources/read", { uri: "note://7" });
      assert.partialDeepStrictEqual(note.contents, [
        { uri: "note://7", text: "note://7 7 <one>" },
      ]);
      const page = await person.request("resources/read", {
        uri: "page://front",
      });
      assert.partialDeepStrictEqual(page.contents, [{ text: "<two>!" }]);
      const greeting = await person.request("prompts/get", {
        name: "greet",
        arguments: { who: "Ann" },
      });
      assert.partialDeepStrictEqual(greeting.messages, [
        { content: { text: "Ann <three>" } },
      ]);
      assert.deepEqual(messages(person), ["one", "two", "three"]);
    });
  });

  Deno.test(`a refused question of a read or a prompt is a JSON-RPC error (${kind})`, () => {
    const read = resource("note://a", {
      name: "note",
      async handler(_params, ctx) {
        return (await ctx.ask("one", one)).text;
      },
    });
    const greet = prompt("greet", {
      async handler(_args, ctx) {
        return (await ctx.ask("one", one)).text;
      },
    });
    const definitions = { resources: [read], prompts: [greet] };
    const decline: Answerer = () => ({ action: "decline" });
    return meet(kind, definitions, decline, async ({ person }) => {
      for (
        const [method, params] of [
          ["resources/read", { uri: "note://a" }],
          ["prompts/get", { name: "greet" }],
        ] as const
      ) {
        await assert.rejects(
          person.request(method, params),
          (error: { data?: { reason?: unknown } }) => {
            assert.equal(error.data?.reason, "input_declined");
            return true;
          },
        );
      }
    });
  });

  Deno.test(`an answer that does not fit is asked for again (${kind})`, () => {
    let tries = 0;
    const it = tool("it", {
      async handler(_args, ctx) {
        return (await ctx.ask("one", { message: "one", schema: Number })).n
          .toFixed(1);
      },
    });
    const Number = z.object({ n: z.number().int().refine((n) => n % 2 === 0) });
    const count: Answerer = () => ({
      action: "accept",
      content: { n: ++tries },
    });
    return meet(kind, { tools: [it] }, count, async ({ person, say }) => {
      assert.equal(await say(), "2.0");
      assert.deepEqual(messages(person), ["one", "one"]);
    });
  });

  Deno.test(`a request for nothing fails loudly on the server's side (${kind})`, () => {
    const literals: Record<string, unknown>[] = [
      {},
      { inputRequests: {} },
      { requestState: 7 },
      { inputRequests: { a: { method: "tools/call" } } },
      { inputRequests: { a: null } },
      { inputRequests: { a: "elicitation/create" } },
    ];
    const nothing = literals.map((literal, i) =>
      tool(`nothing${i}`, {
        handler: () => ({ resultType: "input_required", ...literal }) as never,
      })
    );
    return meet(kind, { tools: nothing }, echo, async ({ person }) => {
      for (const { name } of nothing) {
        await assert.rejects(
          person.request("tools/call", { name, arguments: {} }),
          { code: -32603 },
        );
      }
      assert.deepEqual(person.asked, []);
    });
  });
}

/** Asks a number of questions, one after the other. */
function interview(count: number) {
  return tool("it", {
    async handler(_args, ctx) {
      const said: string[] = [];
      for (let i = 1; i <= count; i++) {
        const message = String(i);
        const { text } = await ctx.ask(message, { message, schema: Text });
        said.push(text);
      }
      return said.join("");
    },
  });
}

for (const kind of CLIENTS) {
  // What the client, or the revision, allows of rounds in one call.
  const most = kind === "v2 modern" ? 10 : 8;
  Deno.test(`${most} questions in sequence are answered in one call (${kind})`, () =>
    meet(kind, { tools: [interview(most)] }, echo, async ({ person, say }) => {
      const numbers = Array.from({ length: most }, (_, i) => String(i + 1));
      assert.equal(await say(), numbers.map((n) => `<${n}>`).join(""));
      assert.deepEqual(messages(person), numbers);
    }));
}

Deno.test("a ninth round is the end of a call of the 2025 era, and it says so", () =>
  meet("v1 legacy", { tools: [interview(9)] }, echo, async ({ person }) => {
    const result = await person.request("tools/call", {
      name: "it",
      arguments: {},
    });
    assert.equal(person.asked.length, 8);
    assert.equal(result.isError, true);
    assert.partialDeepStrictEqual(result.structuredContent, {
      error: { data: { reason: "too_many_rounds" } },
    });
  }));

Deno.test("without the shim a question to a client of the 2025 era fails loudly", () => {
  const definitions = {
    tools: [interview(1)],
    inputRequired: { legacyShim: false },
  };
  return meet("v1 legacy", definitions, echo, async ({ person }) => {
    await assert.rejects(
      person.request("tools/call", { name: "it", arguments: {} }),
      { code: -32603 },
    );
    assert.equal(person.asked.length, 0);
  });
});
