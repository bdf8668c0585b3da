import assert from "node:assert/strict";
import {
  type App,
  type AppOptions,
  createApp,
  memoryState,
} from "../../mod.ts";
import {
  type Answer,
  call,
  type CallOptions,
  type Json,
} from "../transport/modern/_client.ts";

/** Every capability that a question can need. */
export const ALL = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/** A secret that seals. */
export const KEY = "0123456789abcdef0123456789abcdef";

/** An app that keeps its state in memory and seals with a key. */
export function sealingApp(options: Partial<AppOptions>): App {
  return createApp({
    name: "rounds",
    version: "1.0.0",
    state: memoryState(),
    requestState: { keys: [KEY] },
    logLevel: "emergency",
    ...options,
  });
}

/** One request that may take several rounds. */
export interface Call {
  readonly method: string;
  readonly params: Json;
}

/** A call of a tool. */
export function toolCall(name: string, args: Json = {}): Call {
  return { method: "tools/call", params: { name, arguments: args } };
}

/** What one round came to. */
export interface Round {
  readonly call: Call;
  readonly options: CallOptions;
  readonly answer: Answer;
  /** The questions, by key. */
  readonly asked: Readonly<Record<string, Json>>;
  /** What has to come back with the answers. */
  readonly state: string | undefined;
}

/** Sends a round as it is. */
export async function sendRound(
  app: Pick<App, "fetch">,
  { method, params }: Call,
  retry: Json = {},
  options: CallOptions = {},
): Promise<Round> {
  const all = { capabilities: ALL, ...options };
  const answer = await call(app, method, { ...params, ...retry }, all);
  const { result } = answer;
  return {
    call: { method, params },
    options: all,
    answer,
    asked: (result.inputRequests ?? {}) as Record<string, Json>,
    state: result.requestState as string | undefined,
  };
}

/** Sends the answers to a round, as a client does. */
export function reply(
  app: Pick<App, "fetch">,
  { call, options, state }: Round,
  inputResponses: Json,
): Promise<Round> {
  return sendRound(
    app,
    call,
    state === undefined
      ? { inputResponses }
      : { inputResponses, requestState: state },
    options,
  );
}

/** Asserts that a round asks, and for what. */
export function assertAsks(round: Round, ...keys: string[]): void {
  assert.equal(
    round.answer.result.resultType,
    "input_required",
    round.answer.text,
  );
  assert.deepEqual(Object.keys(round.asked), keys);
}

/** The text of a finished round. */
export function textOf({ answer }: Round): string {
  assert.equal(answer.result.resultType, "complete", answer.text);
  const [block] = answer.result.content as { text: string }[];
  return block?.text ?? "";
}

/** Asserts that a round failed as a tool, and gives its `error`. */
export function failureOf({ answer }: Round): Json {
  assert.equal(answer.result.isError, true, answer.text);
  return (answer.result.structuredContent as { error: Json }).error;
}

/** An accepted form. */
export function accept(content: Json): Json {
  return { action: "accept", content };
}

/** A question that was declined. */
export const DECLINED: Json = { action: "decline" };

/** The message of a form or of a page. */
export function messageOf(request: Json | undefined): unknown {
  return (request?.params as Json | undefined)?.message;
}
