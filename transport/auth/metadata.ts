import type { Authenticator } from "./authenticator.ts";
import { metadataSuffix } from "./_resource.ts";

/**
 * Answers requests for protected-resource metadata (RFC 9728), also when there
 * are none: a server without authentication says 404 there, so that clients do not
 * go looking for an authorization server, whatever path its endpoint is at.
 *
 * @param authenticator The app's, `undefined` with authentication off.
 * @param request The request.
 * @param url Its URL, parsed.
 * @returns `undefined` when the URL is not a place of such metadata.
 */
export function resourceMetadataResponse(
  authenticator: Authenticator | undefined,
  request: Request,
  url: URL,
): Response | undefined {
  if (authenticator !== undefined) return authenticator.metadata(request, url);
  return metadataSuffix(url.pathname) === undefined
    ? undefined
    : new Response(null, { status: 404 });
}
