/** Makes sure that a server answers correctly before its speed is measured. */

import { deepStrictEqual } from "node:assert/strict";
import {
  ECHO_MESSAGE,
  type HttpMessage,
  initializedMessage,
  initializeMessage,
} from "./messages.ts";

/** A JSON-RPC result, read loosely. */
export type Result = Record<string, unknown>;

/** An answer that is not what the benchmark asked for. */
export class WrongAnswer extends Error {
  override name = "WrongAnswer";
}

/** Sends one message and gives the answer. */
export type Send = (message: HttpMessage) => Promise<Response>;

/** Sends messages to a server over HTTP. */
export function sendTo(url: string): Send {
  return (message) =>
    fetch(url, {
      method: "POST",
      headers: message.headers,
      body: message.body,
      signal: AbortSignal.timeout(20_000),
    });
}

/** The JSON-RPC messages of a response body, which is JSON or an SSE stream. */
export function messagesOf(contentType: string, text: string): unknown[] {
  if (!contentType.startsWith("text/event-stream")) return [JSON.parse(text)];
  return text.split(/\r?\n/).filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim()).filter((data) => data !== "")
    .map((data) => JSON.parse(data));
}

/** Sends a message and gives every JSON-RPC message of the answer. */
export async function exchange(
  send: Send,
  message: HttpMessage,
): Promise<Result[]> {
  const response = await send(message);
  const text = await response.text();
  try {
    const type = response.headers.get("content-type") ?? "";
    return messagesOf(type, text) as Result[];
  } catch {
    throw new WrongAnswer(
      `wrong answer: status ${response.status}, ${text.slice(0, 120)}`,
    );
  }
}

/** Sends a request and gives its result. */
export async function resultOf(
  send: Send,
  message: HttpMessage,
): Promise<Result> {
  const answers = await exchange(send, message);
  const last = answers.at(-1);
  if (last?.result === undefined) {
    throw new WrongAnswer(
      `wrong answer: ${JSON.stringify(last).slice(0, 160)}`,
    );
  }
  return last.result as Result;
}

/** Throws unless a result is the echo of the message that was sent. */
export function checkEcho(result: Result, structured: boolean): void {
  try {
    const actual = structured ? result.structuredContent : JSON.parse(
      (result.content as { text: string }[])[0]!.text,
    );
    deepStrictEqual(actual, { message: ECHO_MESSAGE });
  } catch {
    throw new WrongAnswer(
      `wrong answer: ${JSON.stringify(result).slice(0, 160)}`,
    );
  }
}

/** Opens a legacy session and gives its id. */
export async function openSession(send: Send): Promise<string> {
  const response = await send(initializeMessage());
  const id = response.headers.get("mcp-session-id");
  await response.text();
  if (id === null) {
    throw new WrongAnswer(
      `wrong answer: no session from initialize, status ${response.status}`,
    );
  }
  await (await send(initializedMessage(id))).body?.cancel();
  return id;
}
