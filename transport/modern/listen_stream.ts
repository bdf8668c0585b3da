import type { Engine } from "../engine.ts";
import type { HttpOptions, HttpRequest } from "../http_request.ts";
import { invalidRequestError, type RpcRequest } from "../json_rpc.ts";
import { EventStream, SSE_HEADERS } from "../sse.ts";
import { takesEventStream } from "./http_reply.ts";
import { type Subscription, Subscriptions } from "./listen.ts";

/**
 * Answers `subscriptions/listen` over HTTP, with a stream that lasts as long as
 * the subscription. That the client is gone is told by the stream, whose body
 * is cancelled then.
 *
 * @throws {WireError} When the subscription cannot be opened, or the caller
 * has all the streams it may.
 */
export function serveListenHttp(
  engine: Engine,
  options: HttpOptions,
  incoming: HttpRequest,
  message: RpcRequest,
): Response | Promise<Response> {
  const open = () => openListenHttp(engine, options, incoming, message);
  return engine.limits.streams?.(incoming.auth, open) ?? open();
}

function openListenHttp(
  engine: Engine,
  { keepAlive }: HttpOptions,
  { request, served }: HttpRequest,
  { id, params }: RpcRequest,
): Response {
  if (!takesEventStream(request.headers.get("accept"))) {
    throw invalidRequestError(
      "Invalid request: subscriptions/listen is answered with a stream, so Accept must hold text/event-stream",
      406,
    );
  }
  const subscriptions = subscriptionsOf(engine);
  const filter = subscriptions.accept(id, params);
  const stream = new ListenStream({ keepAlive });
  const subscription = subscriptions.open(id, filter, stream);
  stream.subscription = subscription;
  if (!served) endOnAbort(request.signal, stream, subscription);
  return new Response(stream.body, { headers: SSE_HEADERS });
}

/** A stream that takes its subscription along: there may be very many of them. */
class ListenStream extends EventStream {
  subscription: Subscription | undefined;

  override cancel(): void {
    super.cancel();
    this.subscription?.cancel();
  }
}

/**
 * Where no server tells of its connection, the caller may abort its request
 * and leave the stream as it is.
 */
function endOnAbort(
  signal: AbortSignal,
  stream: EventStream,
  subscription: Subscription,
): void {
  const leave = () => {
    subscription.cancel();
    stream.close();
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
}

/** The subscriptions of an app, which are made with the first of them. */
export function subscriptionsOf(engine: Engine): Subscriptions {
  const { tools, prompts, resources, templates } = engine.catalog;
  return engine.subscriptions ??= new Subscriptions({
    bus: engine.events,
    supports: {
      tools: tools.size > 0,
      prompts: prompts.size > 0,
      resources: resources.size + templates.length > 0,
    },
    info: engine.info,
    isClosed: () => engine.closed,
  });
}
