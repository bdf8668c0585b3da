import { ErrorCode } from "../../errors.ts";
import type { Engine } from "../engine.ts";
import type { Exchange } from "../exchange.ts";
import { type JsonObject, wellFormed, WireError } from "../json_rpc.ts";
import { MODERN_VERSION } from "../protocol.ts";
import { findTool, isHandlerMethod, runReceived } from "../run/call.ts";
import type { CallAnswer } from "../run/handler_call.ts";
import type { Suspension } from "../run/round.ts";
import type { Envelope } from "./envelope.ts";

/**
 * Refuses a revision that is not served (2026-07-28, basic, versioning).
 *
 * @throws {WireError} -32022.
 */
export function checkVersion(envelope: Envelope): void {
  if (envelope.version === MODERN_VERSION) return;
  throw new WireError(
    ErrorCode.UnsupportedProtocolVersion,
    "Unsupported protocol version",
    { supported: [MODERN_VERSION], requested: envelope.version },
    400,
  );
}

/**
 * Answers one request of the 2026-07-28 revision, whatever it came by.
 * `subscriptions/listen` is for the transport, which has the stream for it.
 *
 * @returns The JSON of the result, or questions for {@linkcode sealQuestions}.
 * @throws {WireError} When the answer is an error.
 */
export function serveModern(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): CallAnswer | Promise<CallAnswer> {
  const { method } = exchange;
  if (method === "tools/call") {
    const call = findTool(engine, exchange, params);
    return runReceived(engine, exchange, params, call);
  }
  if (method === "server/discover") return engine.texts.discover;
  return requests === undefined
    ? serveFirst(engine, exchange, params)
    : serveOther(requests, engine, exchange, params);
}

type Requests = typeof import("../run/requests.ts");

// Loaded with the first request of them: many clients only call tools.
let requests: Requests | undefined;

function serveFirst(
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): Promise<CallAnswer> {
  return engine.services.running.during(async () => {
    requests ??= await import("../run/requests.ts");
    return await serveOther(requests, engine, exchange, params);
  });
}

/**
 * Answers what is no call of a tool: prompts, resources, lists and completions.
 *
 * @throws {WireError} When the answer is an error.
 */
function serveOther(
  { findHandler, serveCatalog }: Requests,
  engine: Engine,
  exchange: Exchange,
  params: JsonObject,
): CallAnswer | Promise<CallAnswer> {
  const { method } = exchange;
  if (!isHandlerMethod(method)) return serveCatalog(engine, exchange, params);
  const call = findHandler(engine, exchange, method, params);
  return runReceived(engine, exchange, params, call);
}

/**
 * The JSON of a result that asks for input, with its state sealed
 * (2026-07-28, basic, patterns, multi round-trip requests).
 *
 * @returns The JSON, at once where nothing has to be waited for. It rejects and
 * never throws: the handler has run, and may have begun a stream that is to
 * end with the error.
 */
export function sealQuestions(
  engine: Engine,
  exchange: Exchange,
  suspension: Suspension,
): string | Promise<string> {
  try {
    return sealedText(engine, exchange, suspension);
  } catch (error) {
    return Promise.reject(error);
  }
}

function sealedText(
  engine: Engine,
  exchange: Exchange,
  { result }: Suspension,
): string | Promise<string> {
  const { inputRequests, requestState } = result;
  function text(sealed: string | undefined): string {
    const members = JSON.stringify({
      resultType: "input_required",
      inputRequests,
      requestState: sealed,
    });
    return wellFormed(members.slice(0, -1) + engine.texts.meta + "}");
  }
  if (requestState === undefined) return text(undefined);
  const sealed = engine.seal.close(exchange, requestState);
  return typeof sealed === "string" ? text(sealed) : sealed.then(text);
}
