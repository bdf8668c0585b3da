import { secureUrl } from "./_urls.ts";

/**
 * The places of an issuer's metadata, in the order of the specification's
 * "Authorization Server Metadata Discovery".
 */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  if (path !== "") {
    urls.push(`${origin}${path}/.well-known/openid-configuration`);
  }
  return urls;
}

async function readMetadata(
  url: string,
  issuer: string,
  init: RequestInit,
): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`answered ${response.status}`);
  const body: unknown = JSON.parse(text);
  if (typeof body !== "object" || body === null) {
    throw new Error("is no JSON object");
  }
  // RFC 8414, section 3.3: metadata of another issuer must not be used.
  if (!("issuer" in body) || body.issuer !== issuer) {
    throw new Error("names another issuer");
  }
  if (
    !("jwks_uri" in body) || typeof body.jwks_uri !== "string" ||
    secureUrl(body.jwks_uri) === undefined
  ) {
    throw new Error("has no https jwks_uri");
  }
  return body.jwks_uri;
}

/**
 * Reads where an issuer's keys are from its metadata.
 *
 * @param init Headers, signal and redirect mode of the requests.
 * @throws {Error} saying what was wrong at each place, when none has them.
 */
export async function discoverJwksUri(
  issuer: string,
  init: RequestInit,
): Promise<string> {
  const tried: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      return await readMetadata(url, issuer, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      tried.push(`${url} ${reason}`);
    }
  }
  throw new Error(`No metadata of the issuer found: ${tried.join("; ")}`);
}
