import type { FlattenedJWSInput, JWSHeaderParameters } from "jose";
import { errorCode, KeysUnavailable } from "./_failure.ts";
import { secureUrl } from "./_validate.ts";

/** `jose`, which is loaded only by servers that verify tokens. */
export type Jose = typeof import("jose");

/** Finds the public key that a token is signed with. */
export type FindKey = (
  header?: JWSHeaderParameters,
  token?: FlattenedJWSInput,
) => Promise<CryptoKey>;

/** Options of {@linkcode createKeyFinder}, with the times in milliseconds. */
export interface KeyFinderOptions {
  /** The issuer, whose metadata name the key set when `jwksUri` is not given. */
  readonly issuer: string;
  /** Where the key set is. */
  readonly jwksUri?: string | undefined;
  /** How long after a fetch an unknown key id causes no other one. Default 30 s. */
  readonly cooldown?: number;
  /** How long keys are used without asking again. Default 10 min. */
  readonly cacheMaxAge?: number;
  /** How long keys are used when asking again fails. Default 1 h. */
  readonly staleMaxAge?: number;
  /** How long after a failed fetch, without keys to fall back on, none is tried. Default 5 s. */
  readonly retryDelay?: number;
  /** Bound on one fetch, with discovery. Default 5 s. */
  readonly timeout?: number;
}

/** What `jose` says about the token and not about the key set. */
const TOKEN_CODES = [
  "ERR_JWKS_NO_MATCHING_KEY",
  "ERR_JWKS_MULTIPLE_MATCHING_KEYS",
  "ERR_JOSE_NOT_SUPPORTED",
];

async function fetchKeySet(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`Key set answered ${response.status}, wanted 200`);
  }
  const body: unknown = JSON.parse(text);
  if (
    typeof body !== "object" || body === null || !("keys" in body) ||
    !Array.isArray(body.keys)
  ) {
    throw new Error("Key set has no array of keys");
  }
  return text;
}

/**
 * Finds keys in a remote key set. `jose` caches the set, joins concurrent
 * fetches and limits those that unknown key ids cause; this adds discovery of the set, keeps
 * the last good keys through a short outage, and makes a longer one not cost a fetch for
 * every request.
 */
export function createKeyFinder(
  jose: Jose,
  options: KeyFinderOptions,
): FindKey {
  const { issuer, staleMaxAge = 3_600_000, retryDelay = 5_000 } = options;
  let discovered: string | undefined;
  let lastGood: { readonly text: string; readonly at: number } | undefined;
  let lastFailure: { readonly cause: unknown; readonly at: number } | undefined;

  async function load(_url: string, init: RequestInit): Promise<Response> {
    if (
      lastFailure !== undefined && Date.now() - lastFailure.at < retryDelay
    ) {
      throw new KeysUnavailable("The last attempt to get keys failed", {
        cause: lastFailure.cause,
      });
    }
    try {
      const url = options.jwksUri ??
        (discovered ??= await discoverJwksUri(issuer, init));
      lastGood = { text: await fetchKeySet(url, init), at: Date.now() };
      lastFailure = undefined;
    } catch (cause) {
      // The set may have moved.
      discovered = undefined;
      if (
        lastGood === undefined || Date.now() - lastGood.at >= staleMaxAge
      ) {
        lastFailure = { cause, at: Date.now() };
        throw new KeysUnavailable("Keys could not be fetched", { cause });
      }
    }
    return new Response(lastGood.text);
  }

  const remote = jose.createRemoteJWKSet(
    new URL(options.jwksUri ?? issuer),
    {
      cooldownDuration: options.cooldown ?? 30_000,
      cacheMaxAge: options.cacheMaxAge ?? 600_000,
      timeoutDuration: options.timeout ?? 5_000,
      [jose.customFetch]: load,
    },
  );

  return async (header, token) => {
    try {
      return await remote(header, token);
    } catch (cause) {
      if (cause instanceof KeysUnavailable) throw cause;
      const code = errorCode(cause);
      if (code !== undefined && TOKEN_CODES.includes(code)) throw cause;
      throw new KeysUnavailable("The key set is not usable", { cause });
    }
  };
}

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
async function discoverJwksUri(
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
