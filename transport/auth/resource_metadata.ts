import { isLoopbackHost } from "../guard.ts";
import type { Authenticator } from "./authenticator.ts";

/** The well-known name of RFC 9728, section 3. */
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** A protected resource and where its metadata are. */
export interface Resource {
  /** The resource identifier: the public URL exactly as it was configured. */
  readonly identifier: string;
  /** The URL of its metadata: the well-known name put in front of the path. */
  readonly metadataUrl: string;
}

/** The resource behind a checked URL. */
export function resourceAt(identifier: string): Resource {
  const { origin, pathname, search } = new URL(identifier);
  const path = pathname === "/" ? "" : pathname;
  return {
    identifier,
    metadataUrl: `${origin}${WELL_KNOWN}${path}${search}`,
  };
}

/**
 * The resource that a request to this machine addresses, `undefined` when it came
 * for another host. Host names are the sender's to choose, so any other one
 * could send a client to a stranger's authorization server.
 *
 * @param path Where the endpoint is, `*` for the request's own path.
 */
export function resourceOfRequest(
  url: URL,
  path: string,
): Resource | undefined {
  if (!isLoopbackHost(url.hostname)) return undefined;
  const endpoint = path === "*" ? url.pathname : path;
  return resourceAt(url.origin + (endpoint === "/" ? "" : endpoint));
}

/**
 * The path that follows the well-known name, empty for the root form, `undefined` when
 * `pathname` is something else.
 */
export function metadataSuffix(pathname: string): string | undefined {
  if (!pathname.startsWith(WELL_KNOWN)) return undefined;
  const suffix = pathname.slice(WELL_KNOWN.length);
  if (suffix === "/") return "";
  return suffix === "" || suffix.startsWith("/") ? suffix : undefined;
}

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, OPTIONS",
  "access-control-allow-headers": "*, Authorization",
};

/**
 * Answers a request for a metadata document. Any origin may read it: browsers
 * need it before they have a token, and it holds nothing secret.
 *
 * @param cacheable Whether it is the same for every host name.
 */
export function documentResponse(
  request: Request,
  document: Readonly<Record<string, unknown>>,
  cacheable: boolean,
): Response {
  switch (request.method) {
    case "GET":
    case "HEAD":
      return new Response(
        request.method === "HEAD" ? null : JSON.stringify(document),
        {
          headers: {
            ...CORS,
            "content-type": "application/json",
            "cache-control": cacheable ? "public, max-age=300" : "no-store",
          },
        },
      );
    case "OPTIONS":
      return new Response(null, { status: 204, headers: CORS });
    default:
      return new Response(null, {
        status: 405,
        headers: { ...CORS, allow: "GET, HEAD, OPTIONS" },
      });
  }
}

/**
 * The form in which resource identifiers are compared: URLs with a lower-case
 * scheme and host, and without a path that is only a slash, because clients send
 * both forms (specification, Authorization, "Canonical Server URI"). Other strings stay as
 * they are.
 */
export function canonicalResource(value: string): string {
  // deno-lint-ignore no-control-regex
  if (!/^https?:\/\/[^\x00-\x20\x7F]+$/i.test(value)) return value;
  const url = URL.parse(value);
  if (url === null) return value;
  const bare = url.pathname === "/" && url.search === "" && url.hash === "";
  return bare ? url.href.slice(0, -1) : url.href;
}

/**
 * Answers requests for protected-resource metadata (RFC 9728), also when there
 * are none: a server without authentication says 404 there, so that clients do not
 * go looking for an authorization server, whatever path its endpoint is at.
 *
 * @param authenticator The app's, `undefined` with authentication off.
 * @param request The request.
 * @returns `undefined` when its URL is not a place of such metadata.
 */
export async function resourceMetadataResponse(
  authenticator: Authenticator | undefined,
  request: Request,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  if (authenticator !== undefined) {
    return await authenticator.metadata(request, url);
  }
  return metadataSuffix(url.pathname) === undefined
    ? undefined
    : new Response(null, { status: 404 });
}
