import type { ClientCapabilities, Implementation } from "../../types.ts";
import type { LogLevel } from "../../context/log/levels.ts";
import type { App } from "../app.ts";
import { isObject, type JsonObject } from "../json_rpc.ts";
import type { AnswerScript } from "./answers.ts";
import { RpcError } from "./rpc_error.ts";

/** A message that wants no answer. */
export interface ReceivedNotification {
  /** Its method. */
  readonly method: string;
  /** Its parameters. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a client is, and where it keeps what it hears. */
export interface WireOptions {
  /** The server. */
  readonly app: Pick<App, "fetch">;
  /** Where its endpoint is. */
  readonly url: string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** What the client says it can do. */
  readonly capabilities: ClientCapabilities;
  /** Who it says it is. */
  readonly clientInfo: Implementation;
  /** The level from which it wants log messages. */
  readonly logLevel: LogLevel | undefined;
  /** Whether it wants to hear of progress. */
  readonly progress: boolean;
  /** How often one request may ask. */
  readonly maxRounds: number;
  /** Answers questions. */
  readonly script: AnswerScript;
  /** Takes a notification. */
  hear(notification: ReceivedNotification): void;
}

/** What one request has of its own. */
export interface RequestOptions {
  /** Cancels it. */
  readonly signal?: AbortSignal | undefined;
  /** Further members of `_meta`. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** How one era's requests are sent and answered. */
export interface Wire {
  /**
   * Sends a request, answers what it asks, and gives its result.
   *
   * @throws {RpcError} When the answer is an error.
   */
  request(
    method: string,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject>;
  /** Ends what it holds open. */
  close(): Promise<void>;
}

/** Posts a message to the server. */
export async function post(
  { app, url, headers: shared }: WireOptions,
  headers: Record<string, string | undefined>,
  message: JsonObject,
  signal?: AbortSignal,
): Promise<Response> {
  const all = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...shared,
  });
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) all.set(name, value);
  }
  const request = new Request(url, {
    method: "POST",
    headers: all,
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    ...(signal !== undefined && { signal }),
  });
  return await app.fetch(request);
}

/**
 * Gives the result of a message that answers a request.
 *
 * @throws {RpcError} When it is an error.
 */
export function resultOf(
  { result, error }: JsonObject,
  { status }: Response,
): JsonObject {
  if (isObject(error)) {
    const { code, message, data } = error;
    throw new RpcError(Number(code), String(message), data, status);
  }
  if (isObject(result)) return result;
  throw new Error("The server answered with neither a result nor an error");
}

/** The error of a response without an answer in it. */
export function noAnswer({ status }: Response): Error {
  return new Error(`The server did not answer: HTTP ${status}`);
}

/** Takes note of a message that is no answer, if it is a notification. */
export function hear(options: WireOptions, message: JsonObject): void {
  const { method, params } = message;
  if (typeof method !== "string" || "id" in message) return;
  options.hear({ method, params: isObject(params) ? params : {} });
}
