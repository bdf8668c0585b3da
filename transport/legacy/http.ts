import type { Authenticator } from "../auth/authenticator.ts";
import type { AppConfig } from "../config.ts";
import { McpError } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { HttpRequest, LegacyHttp } from "../http_request.ts";
import { errorResponse, jsonResponse, toWireError } from "../http_response.ts";
import {
  classify,
  invalidRequestError,
  isRequest,
  resultMessage,
  type RpcRequest,
} from "../json_rpc.ts";
import type { KeepAlive } from "../sse.ts";
import { LEGACY_VERSIONS } from "../protocol.ts";
import { storeUnavailable } from "../retry_later.ts";
import { answerPost, readBatch } from "./post.ts";
import type { LegacyClients, LegacyHttpClient } from "./clients.ts";
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

  function postRequest(
    incoming: HttpRequest,
    message: RpcRequest,
  ): Promise<Response> {
    // Its version header may name what the client has yet to negotiate.
    if (message.method === "initialize") return initialize(incoming, message);
    checkVersion(incoming);
    const found = clients.find(incoming);
    return found instanceof Promise
      ? found.then((client) => answerOne(client, incoming, message))
      : answerOne(found, incoming, message);
  }

  function answerOne(
    client: LegacyHttpClient,
    { request }: HttpRequest,
    message: RpcRequest,
  ): Promise<Response> {
    const messages = [message];
    const batch = false;
    return answerPost(engine, {
      client,
      request,
      messages,
      batch,
      authenticator,
    });
  }

  async function postOther(
    incoming: HttpRequest,
    body: unknown,
  ): Promise<Response> {
    const classified = classify(body);
    checkVersion(incoming);
    const client = await clients.find(incoming);
    switch (classified.kind) {
      case "notification":
        client.notify(classified.message);
        return accepted();
      case "response":
        client.answer(classified.message);
        return accepted();
      case "request":
        return answerOne(client, incoming, classified.message);
      case "invalid":
        throw invalidRequestError(classified.reason);
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

  function refuse(body: unknown, error: unknown): Response {
    const id = isRequest(body) ? body.id : undefined;
    // For the log, which alone is told what is in the way.
    const wire = toWireError(error);
    // Nothing but the store that keeps sessions throws one of these here.
    const known = error instanceof McpError ? storeUnavailable() : wire;
    return errorResponse(id, known);
  }

  return {
    async post(incoming, body) {
      try {
        if (isRequest(body)) return await postRequest(incoming, body);
        if (Array.isArray(body)) return await postBatch(incoming, body);
        return await postOther(incoming, body);
      } catch (error) {
        return refuse(body, error);
      }
    },
    async get(incoming) {
      try {
        checkVersion(incoming);
        return await clients.listen(incoming);
      } catch (error) {
        return refuse(undefined, error);
      }
    },
    async delete(incoming) {
      try {
        checkVersion(incoming);
        return await clients.end(incoming);
      } catch (error) {
        return refuse(undefined, error);
      }
    },
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

function accepted(): Response {
  return new Response(null, { status: 202 });
}
