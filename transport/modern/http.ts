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
import { readEnvelope } from "./envelope.ts";
import { checkHeaders } from "./headers.ts";
import { type HttpAnswer, HttpReply } from "./http_reply.ts";
import { checkVersion, sealQuestions, serveModern } from "./serve.ts";

// Loaded with the first request that asks for log messages.
let clientLog:
  | typeof import("../../context/log/client_payload.ts")
  | undefined;
// Loaded with the first call of an app that mirrors parameters in headers.
let paramHeaders: typeof import("./check_param_headers.ts") | undefined;
// Loaded with the first listener.
let listening: typeof import("./listen_stream.ts") | undefined;

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
      return serveWith(loadClientLog, engine, options, incoming, message);
    }
    checkHeaders(incoming, method, message.params, envelope.version);
    checkVersion(envelope);
    const params = message.params as JsonObject;
    if (engine.catalog.mirrorsParams && method === "tools/call") {
      if (paramHeaders === undefined) {
        return serveWith(loadParamHeaders, engine, options, incoming, message);
      }
      paramHeaders.checkToolHeaders(engine.catalog, request.headers, params);
    }
    if (method === "subscriptions/listen") {
      if (listening === undefined) {
        return serveWith(loadListening, engine, options, incoming, message);
      }
      return listening.serveListenHttp(engine, options, incoming, message);
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
    const outcome = serveModern(engine, exchange, params);
    const answer = typeof outcome === "string" || outcome instanceof Promise
      ? outcome
      : sealQuestions(engine, exchange, outcome);
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
      try {
        if (typeof outcome === "string") return succeed(outcome);
        const sealed = sealQuestions(engine, exchange, outcome);
        if (typeof sealed === "string") succeed(sealed);
        else sealed.then(succeed, fail);
      } catch (error) {
        fail(error);
      }
    }, fail);
    return reply.response();
  } catch (thrown) {
    return refused(id, thrown, options, request);
  }
}

async function loadClientLog(): Promise<void> {
  clientLog = await import("../../context/log/client_payload.ts");
}

async function loadParamHeaders(): Promise<void> {
  paramHeaders = await import("./check_param_headers.ts");
}

async function loadListening(): Promise<void> {
  listening = await import("./listen_stream.ts");
}

/** Loads a part that most servers never need, and answers the request with it. */
function serveWith(
  load: () => Promise<void>,
  engine: Engine,
  options: HttpOptions,
  incoming: HttpRequest,
  message: RpcRequest,
): Promise<Response> {
  return engine.services.running.during(async () => {
    try {
      await load();
    } catch (thrown) {
      return refused(message.id, thrown, options, incoming.request);
    }
    return await serveModernHttp(engine, options, incoming, message);
  });
}

function refused(
  id: RequestId,
  thrown: unknown,
  { authenticator }: HttpOptions,
  request: Request,
): Response {
  const error = toWireError(thrown);
  return refusalResponse(authenticator, request, id, error) ??
    errorResponse(id, error);
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
