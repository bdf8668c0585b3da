/**
 * What the runtime itself can do: parses the request and answers JSON of the
 * same bytes as Parley's answer, which `--answer` names a file of.
 */

import { PROGRESS_EVENTS, step } from "../harness/messages.ts";
import { serverOptions } from "../harness/server_options.ts";

const options = serverOptions(Deno.args);
const result: Record<string, unknown> = options.answer === undefined
  ? {}
  : JSON.parse(Deno.readTextFileSync(options.answer));
const encoder = new TextEncoder();
const JSON_INIT = { headers: { "content-type": "application/json" } };
const SSE_INIT = { headers: { "content-type": "text/event-stream" } };
const sessions = new Map<string, { opened: number }>();

interface Message {
  id: number;
  method: string;
  params: {
    arguments?: { message: string };
    requestState?: string;
    _meta?: { progressToken?: string | number };
  };
}

function answer(id: number, value: unknown): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", id, result: value });
  return new Response(body, JSON_INIT);
}

function echo(message: Message): Response {
  const value = { message: message.params.arguments!.message };
  return answer(message.id, {
    ...result,
    content: [{ type: "text", text: JSON.stringify(value) }],
    structuredContent: value,
  });
}

/** One of the two fixed rounds, told apart by the state coming back. */
function confirm(message: Message): Response {
  const round = message.params.requestState === undefined ? "first" : "second";
  return answer(message.id, result[round]);
}

/** Sends each progress event as a chunk of its own, then the result. */
function count(message: Message): Response {
  const progressToken = message.params._meta?.progressToken;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (let progress = 1; progress <= PROGRESS_EVENTS; progress++) {
        const event = JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken, progress, total: PROGRESS_EVENTS },
        });
        controller.enqueue(
          encoder.encode(`event: message\ndata: ${event}\n\n`),
        );
        await step();
      }
      const value = { message: message.params.arguments!.message };
      const last = JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        result: { ...result, structuredContent: value },
      });
      controller.enqueue(encoder.encode(`event: message\ndata: ${last}\n\n`));
      controller.close();
    },
  });
  return new Response(stream, SSE_INIT);
}

/** A stream that stays open and has nothing to say after its first event. */
function listen(): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(": open\n\n"));
    },
  });
  return new Response(stream, SSE_INIT);
}

function initialize(message: Message): Response {
  const id = crypto.randomUUID();
  sessions.set(id, { opened: Date.now() });
  const response = answer(message.id, {});
  response.headers.set("mcp-session-id", id);
  return response;
}

async function handle(request: Request): Promise<Response> {
  const message = await request.json() as Message;
  switch (message.method) {
    case "tools/list":
      return answer(message.id, result);
    case "subscriptions/listen":
      return listen();
    case "initialize":
      return initialize(message);
    case "notifications/initialized":
      return new Response(null, { status: 202 });
  }
  if (options.kit === "confirm") return confirm(message);
  if (options.kit === "count") return count(message);
  return echo(message);
}

export default { fetch: handle };
