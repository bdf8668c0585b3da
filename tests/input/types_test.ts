import type {
  CreateMessageResult,
  CreateMessageResultWithTools,
  InputRequiredResult as SdkResult,
  InputResponseView as SdkView,
  Root,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  acceptedContent,
  type AcceptedUrlView,
  type AskFunction,
  type ConsentFunction,
  type ContextInputs,
  type DeclinedView,
  type FormAsk,
  inputRequired,
  type InputResponseView,
} from "../../input/mod.ts";
import { type AnswerReading, readAnswer } from "../../input/read_answer.ts";

// These are checked, not run: a wrong type fails `deno check`.

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends
  (<T>() => T extends B ? 1 : 2) ? true : false;

function expectType<T extends true>(_: T | void): void {}

const Name = z.object({ name: z.string() });
const Size = z.object({ size: z.coerce.number(), note: z.string().optional() });
type Size = { size: number; note?: string | undefined };

Deno.test("types: acceptedContent() gives what the schema puts out", () => {
  const typed = acceptedContent({}, "size", Size);
  expectType<Equal<typeof typed, Size | undefined>>();
  const bare = acceptedContent({}, "size");
  expectType<Equal<typeof bare, Record<string, unknown> | undefined>>();
  const claimed = acceptedContent<{ ok: boolean }>(undefined, "size");
  expectType<Equal<typeof claimed, { ok: boolean } | undefined>>();
});

Deno.test("types: views and results are the SDK's", () => {
  expectType<Equal<InputResponseView, SdkView>>();
  const result = inputRequired({ requestState: "s" });
  expectType<Equal<typeof result, SdkResult>>();
});

Deno.test("types: inputRequired() takes no question without what it needs", () => {
  function unused(): void {
    // @ts-expect-error: a form has fields
    inputRequired.elicit({ message: "m" });
    // @ts-expect-error: a page has a URL
    inputRequired.elicitUrl({ message: "m" });
    // @ts-expect-error: a plain JSON Schema says its type
    inputRequired.elicit({ message: "m", requestedSchema: { properties: {} } });
    // @ts-expect-error: a request is built, not written down
    inputRequired({ inputRequests: { name: { message: "m" } } });
    // @ts-expect-error: a state is a string
    inputRequired({ requestState: 1 });
  }
  void unused;
});

async function asks(ask: AskFunction): Promise<void> {
  const name = await ask("name", { message: "m", schema: Name });
  expectType<Equal<typeof name, { name: string }>>();

  const size = await ask("size", {
    message: "m",
    schema: Size,
    onDecline: "return",
    fallbackHint: "Or call again with size supplied.",
  });
  expectType<Equal<typeof size, Size | DeclinedView>>();

  const thrown = await ask("size", {
    message: "m",
    schema: Size,
    onDecline: "throw",
  });
  expectType<Equal<typeof thrown, Size>>();

  const opened = await ask("page", { message: "m", url: "https://a.example" });
  expectType<Equal<typeof opened, AcceptedUrlView>>();

  const said = await ask("said", {
    sampling: {
      messages: [{ role: "user", content: { type: "text", text: "t" } }],
      maxTokens: 1,
    },
  });
  expectType<
    Equal<typeof said, CreateMessageResult | CreateMessageResultWithTools>
  >();

  const roots = await ask("roots", { roots: true });
  expectType<Equal<typeof roots, Root[]>>();

  const many = await ask({
    name: { message: "m", schema: Name },
    size: { message: "m", schema: Size, onDecline: "return" },
    roots: { roots: true },
  });
  expectType<
    Equal<
      typeof many,
      { name: { name: string }; size: Size | DeclinedView; roots: Root[] }
    >
  >();

  // @ts-expect-error: a form has fields
  await ask("name", { message: "m" });
  // @ts-expect-error: not a way to decline
  await ask("name", { message: "m", schema: Name, onDecline: "ignore" });
  // @ts-expect-error: roots are asked for, or they are not
  await ask("roots", { roots: false });
  // @ts-expect-error: a misspelt option
  await ask("name", { message: "m", schema: Name, fallbackHnt: "Or not." });
  // @ts-expect-error: a misspelt option, among several questions
  await ask({ name: { message: "m", schema: Name, fallbackHnt: "Or not." } });
  // @ts-expect-error: a misspelt field of the answer
  name.nmae;
}

async function consents(consent: ConsentFunction): Promise<void> {
  const given = await consent("confirm", {
    message: "m",
    schema: Name,
    target: "/a",
    content: new Uint8Array(),
    ttl: 60,
  });
  expectType<
    Equal<typeof given, { answer: { name: string }; id: string }>
  >();
  const { answer, id } = given;
  expectType<Equal<typeof answer, { name: string }>>();
  expectType<Equal<typeof id, string>>();

  const asked = await consent("confirm", {
    message: "m",
    schema: Name,
    target: "/a",
    onDecline: "return",
  });
  if ("action" in asked) expectType<Equal<typeof asked, DeclinedView>>();
  else expectType<Equal<typeof asked.answer, { name: string }>>();

  const misspelt = { contents: new Uint8Array() };
  // @ts-expect-error: a misspelt member binds nothing
  await consent("c", { message: "m", schema: Name, target: "t", ...misspelt });
  // @ts-expect-error: consent is to something
  await consent("confirm", { message: "m", schema: Name });
}

function inputs(of: ContextInputs): void {
  const typed = of.accepted("size", Size);
  expectType<Equal<typeof typed, Size | undefined>>();
  const bare = of.accepted("size");
  expectType<Equal<typeof bare, Record<string, unknown> | undefined>>();
  const state = of.state();
  expectType<Equal<typeof state, string | undefined>>();
  const decoded = of.state<{ step: string }>();
  expectType<Equal<typeof decoded, { step: string } | undefined>>();
}

async function readings(): Promise<void> {
  const reading = await readAnswer({ message: "m", schema: Name }, "a", {});
  expectType<Equal<typeof reading, AnswerReading<FormAsk<typeof Name>>>>();
  if (reading.status === "answered") {
    expectType<Equal<typeof reading.value, { name: string }>>();
  }
}

void asks;
void consents;
void inputs;
void readings;
