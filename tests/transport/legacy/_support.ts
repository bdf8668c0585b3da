import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import {
  type App,
  type AppOptions,
  createApp,
  memoryState,
} from "../../../mod.ts";

/** Makes an app that keeps its state in memory and logs next to nothing. */
export function testApp(options: Partial<AppOptions> = {}): App {
  return createApp({
    name: "test",
    version: "1.0.0",
    state: memoryState(),
    logLevel: "emergency",
    ...options,
  });
}

/** An app that listens on a port of its own. */
export interface Served extends AsyncDisposable {
  readonly app: App;
  readonly url: string;
}

/** Lets an app listen until the end of the test. */
export async function serve(app: App): Promise<Served> {
  const listener = await app.listen({ port: 0, onListen() {} });
  return {
    app,
    url: listener.url,
    async [Symbol.asyncDispose]() {
      await app.close();
    },
  };
}

/** A client of the official SDK's first version. */
export interface V1Client extends AsyncDisposable {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  /** What went wrong on the way. */
  readonly errors: Error[];
}

/** What {@linkcode connectV1} takes besides the URL. */
export interface V1Options {
  readonly capabilities?: ClientCapabilities;
  /** Prepares the client before it connects. */
  prepare?(client: Client): void;
}

/** Connects a client of the official SDK's first version. */
export async function connectV1(
  url: string,
  options: V1Options = {},
): Promise<V1Client> {
  const { capabilities = {} } = options;
  const client = new Client({ name: "v1", version: "1.2.3" }, { capabilities });
  const errors: Error[] = [];
  client.onerror = (error: Error) => void errors.push(error);
  options.prepare?.(client);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 200,
      reconnectionDelayGrowFactor: 1.5,
      maxRetries: 10,
    },
  });
  // The SDK's own types disagree on members that may be undefined.
  const connected: unknown = transport;
  await client.connect(connected as Transport);
  return {
    client,
    transport,
    errors,
    async [Symbol.asyncDispose]() {
      await client.close();
    },
  };
}
