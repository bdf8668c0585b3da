import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { App } from "../../mod.ts";

/** An official client, and the era it speaks. */
export type ClientKind = "v2 modern" | "v2 legacy" | "v1 legacy";

/** All of them. */
export const CLIENTS: readonly ClientKind[] = [
  "v2 modern",
  "v2 legacy",
  "v1 legacy",
];

/** A question as the client is asked it. */
export interface Question {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** What someone answers: a result, in the shape of the protocol. */
export type Answerer = (question: Question) => object | Promise<object>;

/** What a client is set up with. */
export interface PersonOptions {
  /** What it declares. Default: everything. */
  readonly capabilities?: ClientCapabilities;
  /** The headers it sends. */
  readonly headers?: Record<string, string>;
}

/** A connected client, whose questions are answered by a function. */
export interface Person {
  /** Every question it was asked, in order. */
  readonly asked: readonly Question[];
  /** Sends one request, and goes through all its rounds. */
  request(
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>>;
  /** Lets go of the connection. */
  close(): Promise<void>;
}

const EVERYTHING: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

const INFO = { name: "person", version: "1.0.0" };

/** Connects an official client to an app, without a socket. */
export function connect(
  kind: ClientKind,
  app: App,
  answer: Answerer,
  options: PersonOptions = {},
): Promise<Person> {
  return kind === "v1 legacy"
    ? connectV1(app, answer, options)
    : connectV2(kind, app, answer, options);
}

async function connectV2(
  kind: ClientKind,
  app: App,
  answer: Answerer,
  { capabilities = EVERYTHING, headers = {} }: PersonOptions,
): Promise<Person> {
  const client = new Client(INFO, {
    capabilities,
    versionNegotiation: {
      mode: kind === "v2 modern" ? { pin: "2026-07-28" } : "legacy",
    },
  });
  const asked: Question[] = [];
  const ask = (method: string) => async ({ params }: { params?: unknown }) => {
    const question = { method, params: { ...params as object } };
    asked.push(question);
    return await answer(question) as never;
  };
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler("elicitation/create", ask("elicitation/create"));
  }
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(
      "sampling/createMessage",
      ask("sampling/createMessage"),
    );
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler("roots/list", ask("roots/list"));
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
      fetch: fetchOf(app),
      requestInit: { headers },
    }),
  );
  return {
    asked,
    request: async (method, params) =>
      await client.request({ method, params } as never) as Record<
        string,
        unknown
      >,
    close: () => client.close(),
  };
}

async function connectV1(
  app: App,
  answer: Answerer,
  { capabilities = EVERYTHING, headers = {} }: PersonOptions,
): Promise<Person> {
  const client = new Client1(INFO, { capabilities: capabilities as never });
  const asked: Question[] = [];
  const ask = async (request: { method: string; params?: unknown }) => {
    const { method, params } = request;
    const question = { method, params: { ...params as object } };
    asked.push(question);
    return await answer(question) as never;
  };
  if (capabilities.elicitation !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, ask);
  }
  if (capabilities.sampling !== undefined) {
    client.setRequestHandler(CreateMessageRequestSchema, ask);
  }
  if (capabilities.roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, ask);
  }
  const transport = new Transport1(new URL("http://localhost/mcp"), {
    fetch: fetchOf(app),
    requestInit: { headers },
    // It would take up again what ended with an error.
    reconnectionOptions: {
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 0,
    },
  });
  // The declarations of the two disagree about `sessionId`.
  await client.connect(transport as never);
  return {
    asked,
    request: async (method, params) =>
      await client.request({ method, params } as never, ResultSchema),
    close: async () => {
      await transport.terminateSession();
      await client.close();
    },
  };
}

function fetchOf(
  app: App,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => await app.fetch(new Request(url, init));
}
