import type { Authenticator } from "../auth/mod.ts";
import type { AppConfig } from "../config.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest, LegacyHttp } from "../http_request.ts";
import { errorResponse, jsonResponse, toWireError } from "../http_response.ts";
import {
  classify,
  invalidRequestError,
  type RequestId,
  resultMessage,
  type RpcRequest,
} from "../json_rpc.ts";
import type { KeepAlive } from "../keep_alive.ts";
import { LEGACY_VERSIONS } from "../protocol.ts";
import { readBatch } from "./batch.ts";
import type { LegacyClients } from "./clients.ts";
import { answerPost } from "./post.ts";
import { SessionClients } from "./session_clients.ts";
import { StatelessClients } from "./stateless_clients.ts";

/** What {@linkcode createLegacyHttp} takes besides the configuration. */
export interface LegacyHttpOptions {
  /** Sends keep-alive comments on streams. */
  readonly keepAlive: KeepAlive;
  /** Refuses callers without the scopes they need. */
  readonly authenticator: Authenticator | undefined;
}

/** Makes the 2025 era of an app over HTTP. */
export function createLegacyHttp(
  engine: Engine,
  config: AppConfig,
  options: LegacyHttpOptions,
): LegacyHttp {
  const clients: LegacyClients = config.sessionMode === "stateless"
    ? new StatelessClients(engine, config, options.keepAlive)
    : new SessionClients(engine, config, options.keepAlive);
  const { authenticator } = options;

  async function initialize(
    incoming: HttpRequest,
    message: RpcRequest,
  ): Promise<Response> {
    const { result, session } = await clients.initialize(incoming, message);
    const response = jsonResponse(resultMessage(message.id, result));
    if (session !== undefined) response.headers.set("mcp-session-id", session);
    return response;
  }

  async function postOne(
    incoming: HttpRequest,
    body: unknown,
  ): Promise<Response> {
    const classified = classify(body);
    if (classified.kind === "invalid") {
      throw invalidRequestError(classified.reason);
    }
    if (
      classified.kind === "request" &&
      classified.message.method === "initialize"
    ) {
      // Its version header may name what the client has yet to negotiate.
      return initialize(incoming, classified.message);
    }
    checkVersion(incoming);
    const client = await clients.find(incoming);
    switch (classified.kind) {
      case "request":
        return answerPost(engine, {
          client,
          request: incoming.request,
          messages: [classified.message],
          batch: false,
          authenticator,
        });
      case "response":
        client.answer(classified.message);
        return accepted();
      case "notification":
        client.notify(classified.message);
        return accepted();
    }
  }

  async function postBatch(
    incoming: HttpRequest,
    body: readonly unknown[],
  ): Promise<Response> {
    checkVersion(incoming);
    const client = await clients.find(incoming);
    const { requests, notifications, responses } = readBatch(
      body,
      client.negotiated,
    );
    for (const message of notifications) client.notify(message);
    for (const message of responses) client.answer(message);
    if (requests.length === 0) return accepted();
    return answerPost(engine, {
      client,
      request: incoming.request,
      messages: requests,
      batch: true,
      authenticator,
    });
  }

  async function refusing(
    body: unknown,
    run: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await run();
    } catch (error) {
      return errorResponse(idOf(body), toWireError(error));
    }
  }

  return {
    post: (incoming, body) =>
      refusing(
        body,
        () =>
          Array.isArray(body)
            ? postBatch(incoming, body)
            : postOne(incoming, body),
      ),
    get: (incoming) =>
      refusing(undefined, () => {
        checkVersion(incoming);
        return clients.listen(incoming);
      }),
    delete: (incoming) =>
      refusing(undefined, () => {
        checkVersion(incoming);
        return clients.end(incoming);
      }),
    endStreams: () => clients.endStreams(),
    close: () => clients.close(),
  };
}

/** Refuses a revision that is not served (2025-11-25, basic, transports). */
function checkVersion({ version }: HttpRequest): void {
  if (version === null || LEGACY_VERSIONS.includes(version)) return;
  throw invalidRequestError(
    `Unsupported MCP-Protocol-Version: use ${LEGACY_VERSIONS.join(", ")}`,
  );
}

function idOf(body: unknown): RequestId | undefined {
  const classified = classify(body);
  return classified.kind === "request" ? classified.message.id : undefined;
}

function accepted(): Response {
  return new Response(null, { status: 202 });
}
