import type { Authenticator } from "./authenticator.ts";
import { metadataSuffix } from "./_resource.ts";

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
