/**
 * Loads the server module that the first argument names and calls its `fetch`:
 * once and gives the answer, or for some milliseconds and gives the rate.
 */

import { pathToFileURL } from "node:url";
import type { HttpMessage } from "./messages.ts";

interface Server {
  fetch(request: Request): Response | Promise<Response>;
}

interface Order {
  message: HttpMessage;
  ms?: number;
}

const URL_OF_ENDPOINT = "http://127.0.0.1:8000/mcp";
const module = await import(pathToFileURL(Deno.args[0]!).href);
const server = module.default as Server;

async function call({ headers, body }: HttpMessage): Promise<Response> {
  return await server.fetch(
    new Request(URL_OF_ENDPOINT, { method: "POST", headers, body }),
  );
}

async function rate(message: HttpMessage, ms: number): Promise<number> {
  const start = performance.now();
  const end = start + ms;
  let calls = 0;
  while (performance.now() < end) {
    // The clock is read once a hundred calls.
    for (let i = 0; i < 100; i++) await (await call(message)).text();
    calls += 100;
  }
  return calls / ((performance.now() - start) / 1000);
}

async function obey({ message, ms }: Order): Promise<Record<string, unknown>> {
  if (ms !== undefined) return { perSecond: await rate(message, ms) };
  const response = await call(message);
  return {
    type: response.headers.get("content-type"),
    answer: await response.text(),
  };
}

let rest = "";
for await (
  const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())
) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    console.log(JSON.stringify(await obey(JSON.parse(line) as Order)));
  }
}
