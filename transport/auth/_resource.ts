import { isLoopbackHost } from "../guard.ts";

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
