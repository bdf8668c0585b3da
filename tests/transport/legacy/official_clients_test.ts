import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpTransportV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioTransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioTransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpTransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createApp, memoryState, type SessionMode } from "../../../mod.ts";
import { exhibition } from "./_exhibition.ts";
import { serve } from "./_support.ts";
import {
  ANSWERS,
  type Heard,
  visit,
  type VisitingClient,
  VISITOR_CAPABILITIES,
} from "./_visit.ts";

const INFO = { name: "visitor", version: "1.0.0" };

/** A client, and how it connects. */
interface Visitor extends VisitingClient {
  connect(transport: unknown): Promise<void>;
}

function visitorV1(): Visitor {
  const client = new ClientV1(INFO, { capabilities: VISITOR_CAPABILITIES });
  client.setRequestHandler(
    ElicitRequestSchema,
    ({ params }: { params: { mode?: string; message: string } }) =>
      ANSWERS.elicit(params),
  );
  client.setRequestHandler(CreateMessageRequestSchema, () => ANSWERS.sample());
  client.setRequestHandler(ListRootsRequestSchema, () => ANSWERS.roots());
  const heard: Heard[] = [];
  client.fallbackNotificationHandler = (notification: Heard) => {
    heard.push(notification);
    return Promise.resolve();
  };
  return {
    client,
    heard,
    callTool: (name, options) =>
      client.callTool({ name, arguments: {} }, undefined, options),
    connect: (transport) => client.connect(transport as never),
  };
}

function visitorV2(): Visitor {
  const client = new ClientV2(INFO, { capabilities: VISITOR_CAPABILITIES });
  client.setRequestHandler(
    "elicitation/create",
    ({ params }) => ANSWERS.elicit(params),
  );
  client.setRequestHandler("sampling/createMessage", () => ANSWERS.sample());
  client.setRequestHandler("roots/list", () => ANSWERS.roots());
  const heard: Heard[] = [];
  client.fallbackNotificationHandler = (notification) => {
    heard.push(notification);
    return Promise.resolve();
  };
  return {
    client,
    heard,
    callTool: (name, options) =>
      client.callTool({ name, arguments: {} }, options),
    connect: (transport) => client.connect(transport as never),
  };
}

const VERSIONS = [
  ["v1", visitorV1, HttpTransportV1, StdioTransportV1],
  ["v2 in its legacy mode", visitorV2, HttpTransportV2, StdioTransportV2],
] as const;

for (const [name, visitor, HttpTransport, StdioTransport] of VERSIONS) {
  for (
    const sessionMode of ["stateful", "auto", "stateless"] as SessionMode[]
  ) {
    Deno.test(`the official client, ${name}, finds everything over HTTP, ${sessionMode}`, async () => {
      const app = createApp({
        ...exhibition,
        state: memoryState(),
        logLevel: "warning",
        sessionMode,
      });
      await using server = await serve(app);
      const visiting = visitor();
      const transport = new HttpTransport(new URL(server.url));
      await visiting.connect(transport);
      await visit(visiting, { session: sessionMode !== "stateless" });
      await transport.terminateSession();
      await visiting.client.close();
    });
  }

  Deno.test(`the official client, ${name}, finds everything over stdio`, async () => {
    const visiting = visitor();
    await visiting.connect(
      new StdioTransport({
        command: Deno.execPath(),
        args: [
          "run",
          "-A",
          "stdio.ts",
          "tests/transport/legacy/_exhibition.ts",
        ],
        stderr: "ignore",
      }),
    );
    await visit(visiting, { session: true });
    await visiting.client.close();
    // The transport leaves a timer of two seconds behind.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
  });
}
