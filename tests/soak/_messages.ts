import { expect } from "./_tally.ts";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** One event of a stream. */
export interface SseEvent {
  readonly id: string | undefined;
  /** The message; undefined for an event without data. */
  readonly message: Json | undefined;
}

/** Reads the events of a response one by one; leaving the loop cancels it. */
export async function* readEvents(
  response: Response,
): AsyncGenerator<SseEvent> {
  expect(response.body, "a stream without a body");
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const lines = part.split("\n");
      const id = lines.find((line) => line.startsWith("id: "))?.slice(4);
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
      if (id === undefined && data === undefined) continue;
      yield {
        id,
        message: data === undefined || data === ""
          ? undefined
          : JSON.parse(data),
      };
    }
  }
}

/** Reads a response, of either kind, to the message with a result or an error. */
export async function readAnswer(
  response: Response,
  onMessage: (message: Json) => void = () => {},
): Promise<Json> {
  if (response.headers.get("content-type") !== "text/event-stream") {
    return await response.json();
  }
  let answer: Json | undefined;
  for await (const { message } of readEvents(response)) {
    if (message === undefined) continue;
    if ("method" in message) onMessage(message);
    else answer = message;
  }
  expect(answer, "a stream that ended without an answer");
  return answer;
}

/** The text of a tool's result, which must be one. */
export function textOf(answer: Json): string {
  const result = answer.result as {
    isError?: boolean;
    content?: { text: string }[];
  };
  expect(
    result?.content?.[0] !== undefined,
    `no content: ${JSON.stringify(answer).slice(0, 300)}`,
  );
  return result.content[0]!.text;
}

/** Bodies that are no messages, and the statuses they may get. */
export const MALFORMED: readonly (readonly [string, readonly number[]])[] = [
  ["", [400]],
  ["{", [400]],
  ["null", [400]],
  ["[]", [400]],
  ['"text"', [400]],
  ["[".repeat(10_000), [400]],
  ["[".repeat(10_000) + "]".repeat(10_000), [400]],
  ['{"jsonrpc":"2.0","id":1}', [400]],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', [400]],
  ['{"jsonrpc":"2.0","id":1,"method":"tools/call"', [400]],
  [`"${"x".repeat(1_100_000)}"`, [413]],
];
