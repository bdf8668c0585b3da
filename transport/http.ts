import type { AuthContext } from "../context/auth_context.ts";
import { bodyError, readJson } from "./body.ts";
import type { Engine } from "./engine.ts";
import { type Guard, isLoopbackAddress, isLoopbackHost } from "./guard.ts";
import type {
  FetchHandler,
  HttpOptions,
  HttpRequest,
  ServeInfo,
} from "./http_request.ts";
import {
  errorResponse,
  methodNotAllowed,
  toWireError,
} from "./http_response.ts";
import { classify, invalidRequestError, isRequest } from "./json_rpc.ts";
import { hasEnvelope } from "./modern/envelope.ts";
import { serveModernHttp } from "./modern/http.ts";
import { MODERN_VERSION } from "./protocol.ts";
import type { Refusal } from "./serving_status.ts";

// Each is loaded with its first use: most requests are calls, and of no page.
let cors: typeof import("./cors.ts") | undefined;
let metadata: typeof import("./auth/resource_metadata.ts") | undefined;
let serving: typeof import("./serving_status.ts") | undefined;

/** Makes the fetch handler of an app. */
export function createHttpHandler(
  engine: Engine,
  options: HttpOptions,
): FetchHandler {
  const { guard, authenticator, legacy, status } = options;
  // Whoever authenticates by a header of its own has to let pages send it.
  const anyHeader = authenticator?.mode === "verify";

  /** Answers a request to the endpoint, past the guard; never rejects. */
  async function handle(
    request: Request,
    info: ServeInfo | undefined,
  ): Promise<Response> {
    const { refusal } = status;
    if (refusal !== undefined) return refused(refusal);
    const { method, headers } = request;
    // Headers are read before the body: afterwards they cost more.
    const version = headers.get("mcp-protocol-version");
    try {
      let auth: AuthContext | undefined;
      if (authenticator !== undefined) {
        const outcome = await authenticator.authenticate(request);
        if (outcome instanceof Response) return outcome;
        auth = outcome;
      }
      const incoming: HttpRequest = {
        request,
        auth,
        version,
        mcpMethod: headers.get("mcp-method"),
        mcpName: headers.get("mcp-name"),
        // Reading the address takes time, and telling whether it is there none.
        served: info !== undefined && "remoteAddr" in info,
      };
      if (method !== "POST") {
        // 2026-07-28 has neither streams to fetch nor sessions to delete.
        if (version === MODERN_VERSION) return methodNotAllowed("POST");
        if (method === "GET") {
          const open = () => legacy.get(incoming);
          return await (engine.limits.streams?.(auth, open) ?? open());
        }
        if (method === "DELETE") return await legacy.delete(incoming);
        return methodNotAllowed();
      }
      if (!isJson(headers.get("content-type"))) {
        return errorResponse(
          undefined,
          invalidRequestError("Content-Type must be application/json", 415),
        );
      }
      let body: unknown;
      try {
        body = await readJson(request, {
          limit: options.maxBodyBytes,
          length: headers.get("content-length"),
          framed: incoming.served,
        });
      } catch (error) {
        throw bodyError(error);
      }
      return await answer(incoming, body);
    } catch (error) {
      return failed(error);
    }
  }

  /** Tells the two eras apart, by the body. */
  function answer(
    incoming: HttpRequest,
    body: unknown,
  ): Response | Promise<Response> {
    if (isRequest(body)) {
      return isModern(incoming, body.params)
        ? serveModernHttp(engine, options, incoming, body)
        : legacy.post(incoming, body);
    }
    // 2026-07-28 has no batches.
    if (Array.isArray(body) && incoming.version !== MODERN_VERSION) {
      return legacy.post(incoming, body);
    }
    const classified = classify(body);
    if (classified.kind === "invalid") {
      return errorResponse(
        classified.id,
        invalidRequestError(classified.reason),
      );
    }
    const { params } = classified.message as { params?: unknown };
    if (!isModern(incoming, params)) return legacy.post(incoming, body);
    if (classified.kind === "notification") {
      return new Response(null, { status: 202 });
    }
    return errorResponse(
      undefined,
      invalidRequestError("Responses cannot be posted in this revision"),
    );
  }

  async function probed(request: Request): Promise<Response> {
    try {
      const { healthResponse } = serving ??= await import(
        "./serving_status.ts"
      );
      return healthResponse(request, status);
    } catch (error) {
      return failed(error);
    }
  }

  async function preflighted(headers: Headers): Promise<Response> {
    try {
      const { preflight } = cors ??= await import("./cors.ts");
      return preflight(headers, anyHeader);
    } catch (error) {
      return failed(error);
    }
  }

  /** Metadata are there for everyone; other well-known paths are nothing special. */
  async function wellKnown(
    request: Request,
    info: ServeInfo | undefined,
  ): Promise<Response> {
    try {
      const { resourceMetadataResponse } = metadata ??= await import(
        "./auth/resource_metadata.ts"
      );
      return await resourceMetadataResponse(authenticator, request) ??
        await guarded(request, info, false);
    } catch (error) {
      return failed(error);
    }
  }

  /** Answers a request that is past the guard. */
  function route(
    request: Request,
    info: ServeInfo | undefined,
    here: boolean,
  ): Promise<Response> {
    if (request.method === "OPTIONS") {
      return preflighted(request.headers);
    }
    if (here || options.path === "*") return handle(request, info);
    return Promise.resolve(new Response("Not found", { status: 404 }));
  }

  /** Answers a request that comes from where it may. */
  function guarded(
    request: Request,
    info: ServeInfo | undefined,
    here: boolean,
  ): Promise<Response> {
    const origin = request.headers.get("origin");
    const reason = refusal(guard, request, info, origin);
    const response = reason === undefined
      ? route(request, info, here)
      : Promise.resolve(
        errorResponse(undefined, invalidRequestError(reason, 403)),
      );
    if (origin === null) return response;
    return reason === undefined || guard.lists(origin)
      ? readable(response, origin)
      : response;
  }

  // Not async: each layer of promises would cost every call.
  return function fetch(request, info) {
    const path = pathOf(request.url);
    if (path === options.path) return guarded(request, info, true);
    if (path === options.healthPath) return probed(request);
    return path.startsWith("/.well-known/")
      ? wellKnown(request, info)
      : guarded(request, info, false);
  };
}

/** Lets the page that a request comes from read the response. */
async function readable(
  response: Promise<Response>,
  origin: string,
): Promise<Response> {
  const answered = await response;
  try {
    const { corsHeaders } = cors ??= await import("./cors.ts");
    return corsHeaders(answered, origin);
  } catch (error) {
    await answered.body?.cancel();
    return failed(error);
  }
}

/** Answers a request while the app serves none. */
async function refused(refusal: Refusal): Promise<Response> {
  try {
    const { notServing } = serving ??= await import("./serving_status.ts");
    return errorResponse(undefined, notServing(refusal));
  } catch (error) {
    return failed(error);
  }
}

/** Answers a request that something of ours could not, such as a part that cannot be loaded. */
function failed(error: unknown): Response {
  return errorResponse(undefined, toWireError(error));
}

/** A modern header without an envelope is a malformed modern request. */
function isModern(incoming: HttpRequest, params: unknown): boolean {
  return hasEnvelope(params) || incoming.version === MODERN_VERSION;
}

function refusal(
  guard: Guard,
  request: Request,
  info: ServeInfo | undefined,
  origin: string | null,
): string | undefined {
  const host = request.headers.get("host") ?? hostOf(request.url);
  return guard.refusal(host, origin, () => isLocal(request, info));
}

/** Whether a connection comes from this machine, as far as one can tell. */
function isLocal(request: Request, info: ServeInfo | undefined): boolean {
  const peer = info?.remoteAddr?.hostname;
  return peer === undefined
    ? isLoopbackHost(hostOf(request.url))
    : isLoopbackAddress(peer);
}

/** `application/json`, in any case and with any parameters. */
function isJson(contentType: string | null): boolean {
  if (contentType === "application/json") return true;
  if (contentType === null) return false;
  return contentType.split(";", 1)[0]!.trim().toLowerCase() ===
    "application/json";
}

/** The host of a URL, with its port. */
function hostOf(url: string): string {
  const start = url.indexOf("://") + 3;
  const end = url.indexOf("/", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The path of a URL; `new URL` would parse all of it. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", start);
  return query === -1 ? url.slice(start) : url.slice(start, query);
}
