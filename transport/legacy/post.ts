import { clientPayload } from "../../context/log/client_payload.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Engine } from "../engine.ts";
import { type Caller, Exchange } from "../exchange.ts";
import { refusalResponse, toWireError } from "../http_response.ts";
import {
  classify,
  invalidRequestError,
  resultMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  wellFormed,
  wireErrorMessage,
} from "../json_rpc.ts";
import { type PostPeer, PostReply } from "./post_reply.ts";
import { RunningCall } from "./running_call.ts";
import { progressTokenOf, readParams, serveLegacy } from "./serve.ts";

/** Who posts, and what is known of it. */
export interface PostClient {
  /** The client. */
  readonly peer: PostPeer;
  /** As whom its requests are served. */
  readonly caller: Caller;
  /** Where its running calls are noted. */
  readonly calls: Set<RunningCall>;
}

/** One POST with requests. */
export interface RequestPost {
  /** Who posts. */
  readonly client: PostClient;
  /** The request. */
  readonly request: Request;
  /** The messages. */
  readonly messages: readonly RpcRequest[];
  /** Whether they came as a batch. */
  readonly batch: boolean;
  /** Refuses callers without the scopes they need. */
  readonly authenticator: Authenticator | undefined;
}

/** Answers the requests of one POST. */
export function answerPost(
  engine: Engine,
  post: RequestPost,
): Promise<Response> {
  const { client, request, messages, batch } = post;
  const reply = new PostReply({
    peer: client.peer,
    request,
    messages,
    batch,
  });
  for (const message of messages) answer(engine, post, reply, message);
  return reply.settle();
}

function answer(
  engine: Engine,
  post: RequestPost,
  reply: PostReply,
  { id, method, params: sent }: RpcRequest,
): void {
  const { caller, calls } = post.client;
  try {
    const params = readParams(sent);
    const exchange = new Exchange(
      engine.services,
      caller,
      method,
      progressTokenOf(params),
      reply,
    );
    exchange.rpcId = id;
    exchange.payloadOf = clientPayload;
    const result = serveLegacy(engine, exchange, params, reply);
    if (typeof result === "string") {
      exchange.finish();
      return reply.answer(resultMessage(id, result));
    }
    const call = new RunningCall(id, exchange, reply);
    calls.add(call);
    result.then(
      (text) => finish(calls, call, wellFormed(resultMessage(id, text))),
      (error) => {
        const [message, response] = refusal(post, id, error);
        finish(calls, call, message, response);
      },
    );
  } catch (error) {
    reply.answer(...refusal(post, id, error));
  }
}

function finish(
  calls: Set<RunningCall>,
  call: RunningCall,
  message: string,
  response?: Response,
): void {
  // A call that was cancelled is no longer there, and has been dealt with.
  if (!calls.delete(call)) return;
  const { exchange, sink } = call;
  exchange.finish();
  sink.answer(exchange.cancelled ? undefined : message, response);
}

/** The error that answers a request, and the response that goes with it. */
function refusal(
  { authenticator, request, batch }: RequestPost,
  id: string | number,
  thrown: unknown,
): [message: string, response?: Response] {
  const error = toWireError(thrown);
  const message = wireErrorMessage(id, error);
  // A batch has one status for all its answers.
  if (batch) return [message];
  const response = refusalResponse(authenticator, request, id, error);
  return response === undefined ? [message] : [message, response];
}

/** The only revision that has batches. */
const BATCH_VERSION = "2025-03-26";
/** How many messages one may hold. */
const MAX_MESSAGES = 100;

/** The messages of a batch, by what they are. */
export interface Batch {
  /** Those that want an answer. */
  readonly requests: readonly RpcRequest[];
  /** Those that want none. */
  readonly notifications: readonly RpcNotification[];
  /** Answers to requests of the server. */
  readonly responses: readonly RpcResponse[];
}

/**
 * Reads a JSON-RPC batch (2025-03-26, basic, batching).
 *
 * @param version The revision that was negotiated, if one was.
 * @throws {WireError} -32600 with HTTP 400 when none is allowed, or one of its
 * messages is none.
 */
export function readBatch(
  values: readonly unknown[],
  version: string | undefined,
): Batch {
  if (version !== BATCH_VERSION) {
    throw invalidRequestError(
      `Invalid request: only revision ${BATCH_VERSION} has batches`,
    );
  }
  if (values.length === 0 || values.length > MAX_MESSAGES) {
    throw invalidRequestError(
      `Invalid request: a batch has 1 to ${MAX_MESSAGES} messages, not ${values.length}`,
    );
  }
  const requests: RpcRequest[] = [];
  const notifications: RpcNotification[] = [];
  const responses: RpcResponse[] = [];
  for (const value of values) {
    const classified = classify(value);
    switch (classified.kind) {
      case "request":
        if (classified.message.method === "initialize") {
          throw invalidRequestError(
            "Invalid request: initialize cannot be part of a batch",
          );
        }
        requests.push(classified.message);
        break;
      case "notification":
        notifications.push(classified.message);
        break;
      case "response":
        responses.push(classified.message);
        break;
      case "invalid":
        throw invalidRequestError(classified.reason);
    }
  }
  return { requests, notifications, responses };
}
