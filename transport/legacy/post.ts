import { clientPayload } from "../../context/log/client_payload.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Engine } from "../engine.ts";
import { type Caller, Exchange } from "../exchange.ts";
import { refusalResponse, toWireError } from "../http_response.ts";
import {
  resultMessage,
  type RpcRequest,
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
