import assert from "node:assert/strict";
import type { App } from "../../../mod.ts";

/** The revision these tests speak. */
export const VERSION = "2026-07-28";

const META = "io.modelcontextprotocol";

/** A JSON object. */
export type Json = Record<string, unknown>;

/** What a call may have besides its method and params. */
export interface CallOptions {
  /** The request's id. Default: 1. */
  readonly id?: unknown;
  /** What the client declares it can do. Default: nothing. */
  readonly capabilities?: unknown;
  /** Further members of `_meta`, or other values for its own; `undefined` leaves one out. */
  readonly meta?: Json;
  /** Further headers, or other values for the usual ones; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came. */
  readonly text: string;
  /** Every message of the body, in order. */
  readonly messages: readonly Json[];
  /** The message that carries a result or an error. */
  readonly response: Json;
  /** Its result, or `{}`. */
  readonly result: Json;
  /** Its error, or `{}`. */
  readonly error: Json;
  /** The messages ahead of it. */
  readonly notifications: readonly Json[];
}

/** The envelope a 2026-07-28 client sends with every request. */
export function envelope({ capabilities = {}, meta = {} }: CallOptions): Json {
  return {
    [`${META}/protocolVersion`]: VERSION,
    [`${META}/clientInfo`]: { name: "test", version: "1.0.0" },
    [`${META}/clientCapabilities`]: capabilities,
    ...meta,
  };
}

/** The body of a request, with its envelope. */
export function requestBody(
  method: string,
  params: Json = {},
  options: CallOptions = {},
): Json {
  const { id = 1 } = options;
  return {
    jsonrpc: "2.0",
    id,
    method,
    params: { ...params, _meta: envelope(options) },
  };
}

/** Makes a request out of a method and its params, as a client would send it. */
export function modernRequest(
  method: string,
  params: Json = {},
  options: CallOptions = {},
): Request {
  const name = method === "resources/read" ? params.uri : params.name;
  const named = ["tools/call", "prompts/get", "resources/read"];
  return post(requestBody(method, params, options), {
    "mcp-protocol-version": VERSION,
    "mcp-method": method,
    "mcp-name": named.includes(method) && typeof name === "string"
      ? headerValue(name)
      : undefined,
    ...options.headers,
  });
}

/** Makes a POST of any JSON body, with no headers but those of its format. */
export function post(
  body: unknown,
  headers: Readonly<Record<string, string | undefined>> = {},
): Request {
  const all = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: Object.entries(all).filter((entry): entry is [string, string] =>
      entry[1] !== undefined
    ),
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** The value of `Mcp-Name` or `Mcp-Param-*`, in Base64 where it has to be. */
export function headerValue(value: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e\t]*[\x21-\x7e])?$/.test(value) &&
    !value.startsWith("=?base64?");
  return plain ? value : encoded(value);
}

/** A header value between the Base64 markers. */
export function encoded(value: string): string {
  const text = new TextEncoder().encode(value).toBase64();
  return `=?base64?${text}?=`;
}

/** Sends a request and reads all of the answer. */
export async function call(
  app: Pick<App, "fetch">,
  method: string,
  params: Json = {},
  options: CallOptions = {},
): Promise<Answer> {
  return await read(await app.fetch(modernRequest(method, params, options)));
}

/** Sends a request as it is, and reads all of the answer. */
export async function send(
  app: Pick<App, "fetch">,
  request: Request,
): Promise<Answer> {
  return await read(await app.fetch(request));
}

/** Calls a tool. */
export function callTool(
  app: Pick<App, "fetch">,
  name: string,
  args?: unknown,
  options: CallOptions = {},
): Promise<Answer> {
  const params = args === undefined ? { name } : { name, arguments: args };
  return call(app, "tools/call", params, options);
}

/** Reads a response, a JSON one or an event stream, to its end. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get("content-type");
  const messages = type === "text/event-stream"
    ? events(text)
    : text === ""
    ? []
    : [JSON.parse(text) as Json];
  const last = messages.at(-1) ?? {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages,
    response: last,
    result: (last.result ?? {}) as Json,
    error: (last.error ?? {}) as Json,
    notifications: messages.filter((message) => "method" in message),
  };
}

/** The messages of an event stream; comments are left out. */
export function events(text: string): Json[] {
  return text.split("\n\n").flatMap((event) => {
    const data = event.split("\n").filter((line) => line.startsWith("data: "));
    return data.length === 0
      ? []
      : [JSON.parse(data.map((line) => line.slice(6)).join("\n")) as Json];
  });
}

/** Asserts that a value holds at least these members. */
export function assertMembers(actual: unknown, expected: unknown): void {
  assert.partialDeepStrictEqual(actual, expected);
}

/** The text of the first content block of a tool's result. */
export function textOf({ result }: Answer): string {
  const [first] = result.content as { text?: unknown }[];
  assert.equal(typeof first?.text, "string");
  return String(first?.text);
}
