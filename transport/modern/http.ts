import type { Engine } from "../engine.ts";
import { Exchange } from "../exchange.ts";
import type { HttpOptions, HttpRequest } from "../http_request.ts";
import {
  errorResponse,
  jsonResponse,
  refusalResponse,
  toWireError,
} from "../http_response.ts";
import {
  type JsonObject,
  type RequestId,
  resultMessage,
  type RpcRequest,
  wellFormed,
  wireErrorMessage,
} from "../json_rpc.ts";
import { checkParamHeaders } from "./check_param_headers.ts";
import { readEnvelope } from "./envelope.ts";
import { checkHeaders } from "./headers.ts";
import { type HttpAnswer, HttpReply } from "./http_reply.ts";
import { serveListenHttp } from "./listen_stream.ts";
import { checkVersion, sealQuestions, serveModern } from "./serve.ts";

// Loaded with the first request that asks for log messages: most ask for none.
let clientLog:
  | typeof import("../../context/log/client_payload.ts")
  | undefined;

/** Answers one 2026-07-28 request over HTTP. */
export function serveModernHttp(
  engine: Engine,
  options: HttpOptions,
  incoming: HttpRequest,
  message: RpcRequest,
): Response | Promise<Response> {
  const { request } = incoming;
  const { id, method } = message;
  const reply = new HttpReply(request, options.keepAlive, incoming.served);
  try {
    const envelope = readEnvelope(message.params, incoming.auth);
    if (envelope.logLevel !== undefined && clientLog === undefined) {
      return serveLogged(engine, options, incoming, message);
    }
    checkHeaders(incoming, method, message.params, envelope.version);
    checkVersion(envelope);
    const params = message.params as JsonObject;
    if (engine.catalog.mirrorsParams && method === "tools/call") {
      checkToolHeaders(engine, request, params);
    }
    if (method === "subscriptions/listen") {
      const open = () => serveListenHttp(engine, options, incoming, message);
      return engine.limits.streams?.(incoming.auth, open) ?? open();
    }
    const exchange = new Exchange(
      engine.services,
      envelope,
      method,
      envelope.progressToken,
      reply,
    );
    exchange.rpcId = id;
    exchange.payloadOf = clientLog?.clientPayload;
    reply.exchange = exchange;
    const answer = serveModern(engine, exchange, params);
    if (typeof answer === "string") {
      const message = resultMessage(id, answer);
      return reply.finishNow(message) ?? jsonResponse(message);
    }
    const fail = (error: unknown) =>
      reply.finish(errorAnswer(id, error, options, request));
    const succeed = (result: string) =>
      reply.finish({
        message: wellFormed(resultMessage(id, result)),
        status: 200,
      });
    answer.then((outcome) => {
      if (typeof outcome === "string") succeed(outcome);
      else sealQuestions(engine, exchange, outcome).then(succeed, fail);
    }, fail);
    return reply.response();
  } catch (thrown) {
    const error = toWireError(thrown);
    return refusalResponse(options.authenticator, request, id, error) ??
      errorResponse(id, error);
  }
}

/** Answers a request whose client is told what the handler logs, in its order. */
async function serveLogged(
  engine: Engine,
  options: HttpOptions,
  incoming: HttpRequest,
  message: RpcRequest,
): Promise<Response> {
  try {
    clientLog = await import("../../context/log/client_payload.ts");
  } catch (error) {
    return errorResponse(message.id, toWireError(error));
  }
  return serveModernHttp(engine, options, incoming, message);
}

function errorAnswer(
  id: RequestId,
  thrown: unknown,
  { authenticator }: HttpOptions,
  request: Request,
): HttpAnswer {
  const error = toWireError(thrown);
  const { status } = error;
  const message = wireErrorMessage(id, error);
  const response = refusalResponse(authenticator, request, id, error);
  return { message, status, response };
}

function checkToolHeaders(
  engine: Engine,
  request: Request,
  params: JsonObject,
): void {
  const tool = engine.catalog.tools.get(params.name as string);
  if (tool?.paramHeaders === undefined) return;
  checkParamHeaders(
    tool.paramHeaders,
    (name) => request.headers.get(name),
    params.arguments,
  );
}
